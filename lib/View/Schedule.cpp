//===- Schedule.cpp - Draw the phases of an epoch -------------------------===//
//
// The view `schedule`: each cell of a value is coloured by its phase (LCI/Interpreter/Phases.h).
// Few phases have distinct colours with a line each in the legend, many a colour scale.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "LCI/Dialect/IndexRange.h"
#include "LCI/Dialect/ScheduleOptions.h"
#include "LCI/Interpreter/Phases.h"
#include "Views.h"
#include "Window.h"
#include <map>

using namespace mlir;
using namespace mlir::lci;

/// Up to this number of phases, each has a distinct colour and a line in the legend.
static constexpr int64_t kMaxDistinct = 8;

static std::string getColourOf(int64_t phase, int64_t numPhases) {
  return numPhases <= kMaxDistinct ? getDistinctColour(phase)
                                   : getRisingColour(double(phase) / double(numPhases - 1));
}

/// The note on strategies whose cells also depend on data or on a draw.
static std::optional<std::string> describeChoice(ScheduleOp schedule) {
  SmallString<16> fraction;
  if (schedule.getFraction())
    schedule.getFraction()->toString(fraction);
  switch (schedule.getStrategy()) {
  case Strategy::Masked:
    return "of these, the cells that hold nothing";
  case Strategy::Random:
    return ("of these, each with probability " + fraction + ", drawn anew in each epoch").str();
  case Strategy::Confidence:
    return ("of these that would change, the surest: a part of " + fraction).str();
  default:
    return std::nullopt;
  }
}

static std::string describeSchedule(ScheduleOp schedule) {
  std::string text = stringifyStrategy(schedule.getStrategy()).str();
  if (schedule.getAxes()) {
    auto describe = [](SweptAxis swept) {
      return std::to_string(swept.axis) + (swept.isReversed ? " backwards" : "");
    };
    SmallVector<SweptAxis> axes = getSweptAxes(schedule, 0);
    text += (axes.size() == 1 ? " on axis " : " on axes ") +
            llvm::join(llvm::map_range(axes, describe), ", ");
  }
  if (schedule.getTile())
    text += " in tiles of " + printExtents(*schedule.getTile());
  if (schedule.getFirstPhase() > 0)
    text += " from phase " + std::to_string(schedule.getFirstPhase()) + " on";
  return text;
}

/// The number of cells of each phase.
static std::map<int64_t, int64_t> countPhases(const Phases &phases, ArrayRef<int64_t> extents) {
  std::map<int64_t, int64_t> counts;
  forEachPoint(extents, [&](ArrayRef<int64_t> cell) { ++counts[phases.getPhaseOf(cell)]; });
  return counts;
}

static std::string sayCells(int64_t number) {
  return std::to_string(number) + (number == 1 ? " cell" : " cells");
}

static void addLegend(const Phases &phases, int64_t first, ArrayRef<int64_t> extents,
                      Panel &panel) {
  int64_t numPhases = phases.getNumPhases() - first;
  std::map<int64_t, int64_t> counts;
  if (countCells(extents) <= kMaxCounted)
    counts = countPhases(phases, extents);
  // Of many phases some are in the legend; the colours between them are interpolated.
  int64_t named = std::min<int64_t>(numPhases, kMaxDistinct);
  for (int64_t i = 0; i < named; ++i) {
    int64_t phase = numPhases <= kMaxDistinct ? i : i * (numPhases - 1) / (named - 1);
    std::string meaning = "phase " + std::to_string(first + phase);
    if (!counts.empty())
      meaning += ": " + sayCells(counts[first + phase]);
    panel.legend.push_back({getColourOf(phase, numPhases), meaning});
  }
}

static Panel drawSchedule(ValueOp value, ScheduleOp schedule, const ViewOptions &options) {
  Phases phases(value, schedule);
  int64_t first = schedule ? schedule.getFirstPhase() : 0,
          numPhases = phases.getNumPhases() - first;
  SmallVector<int64_t> extents = *value.getExtents();
  auto drawCell = [&](ArrayRef<int64_t> cell) {
    int64_t phase = phases.getPhaseOf(cell);
    SheetCell drawn;
    drawn.colours.push_back(getColourOf(phase - first, numPhases));
    drawn.label = std::to_string(phase);
    drawn.title = printCell(value.getName(), cell) + ": phase " + drawn.label;
    return drawn;
  };
  Window window(value, Cell(extents.size(), 0), options.window, /*acrossSeam=*/false);
  Panel panel = window.makePanel(drawCell);
  panel.title = value.getName().str() + ": " + (schedule ? describeSchedule(schedule) : "all");
  panel.notes.insert(panel.notes.begin(),
                     printExtents(extents) + " cells, " + std::to_string(numPhases) +
                         (numPhases == 1 ? " phase" : " phases") + " an epoch");
  if (schedule)
    if (std::optional<std::string> choice = describeChoice(schedule))
      panel.notes.push_back(*choice);
  addLegend(phases, first, extents, panel);
  return panel;
}

FailureOr<std::vector<Panel>> mlir::lci::viewSchedule(ProgramOp program,
                                                      const ViewOptions &options) {
  std::vector<Panel> panels;
  for (auto value : program.getOps<ValueOp>()) {
    auto schedules = getDeclarationsOn<ScheduleOp>(program, value.getName());
    bool isRuled = !getDeclarationsOn<RuleOp>(program, value.getName()).empty();
    if (value.isSet() || (schedules.empty() && !isRuled))
      continue;
    ScheduleOp schedule = schedules.empty() ? ScheduleOp() : schedules.front();
    if (schedule && failed(Phases::verify(schedule)))
      return failure();
    panels.push_back(drawSchedule(value, schedule, options));
  }
  return panels;
}
