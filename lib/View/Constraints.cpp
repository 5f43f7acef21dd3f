//===- Constraints.cpp - Draw the cells of each constraint ----------------===//
//
// The view `constraints`: a panel for each constraint that marks its cells, by its condition and
// region. The window is moved so that it shows the boundary between them and other cells, where
// possible.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Constraints.h"
#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Analysis/Notation.h"
#include "Views.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::lci;

/// The legend of a constraint's colour: whether it can be outvoted, and whether it is a lock.
static Key getKey(ConstraintOp constraint) {
  bool isHard = constraint.cannotBeOutvoted();
  bool isLock =
      constraint.getMood() == Mood::Forbid && !constraint.getBody().getOps<ChangesOp>().empty();
  if (isLock)
    return isHard ? Key{"#d55e00", "locked: may not change"}
                  : Key{"#e69f00", "should not change: can be outvoted"};
  return isHard ? Key{"#0072b2", "hard: cannot be outvoted"}
                : Key{"#56b4e9", "soft: can be outvoted"};
}

namespace {
/// The cells of a constraint.
struct Spoken {
  Cell first, last;
  uint64_t count = 0;
  bool isCounted = true; ///< whether all of them were visited
};
} // namespace

static Spoken findSpoken(ConstraintOp constraint, ValueOp value, const NamedSets *named) {
  Spoken spoken;
  spoken.first = spoken.last = Cell(value.getRank(), 0);
  uint64_t visited = 0;
  auto cells = IndexDomain::ofCells(value, constraint.getWhere());
  spoken.isCounted = cells.visitPoints([&](ArrayRef<int64_t> cell) {
    if (speaksOf(constraint, cell, named)) {
      spoken.last = Cell(cell);
      if (spoken.count++ == 0)
        spoken.first = spoken.last;
    }
    return ++visited < kMaxCounted;
  });
  return spoken;
}

/// The window at the first cells, if it shows cells of the constraint and others; else around the
/// first or the last cell of the constraint.
static Window chooseWindow(ConstraintOp constraint, ValueOp value, const Spoken &spoken,
                           const ViewOptions &options) {
  Window window(value, Cell(value.getRank(), 0), options.window, /*acrossSeam=*/false);
  if (!window.contains(spoken.first))
    return Window(value, spoken.first, options.window, /*acrossSeam=*/false);
  bool isFull = true;
  window.makePanel([&](ArrayRef<int64_t> cell) {
    isFull &= speaksOf(constraint, cell, options.named);
    return SheetCell();
  });
  if (isFull && spoken.isCounted && spoken.count < countCells(*value.getExtents()))
    return Window(value, spoken.last, options.window, /*acrossSeam=*/false);
  return window;
}

static void addNotes(ConstraintOp constraint, const NamedSets *named, Panel &panel) {
  std::string note = stringifyMood(constraint.getMood()).str() + ", priority " +
                     (constraint.getHard() ? "hard (h)" : std::to_string(constraint.getPriority()));
  panel.notes.insert(panel.notes.begin(), note);
  if (!constraint.getRegion())
    return;
  std::string region = "region '" + constraint.getRegion()->str() + "'";
  panel.notes.push_back(named ? region : region + " comes from the bindings: all it may take");
}

static Panel drawConstraint(ConstraintOp constraint, ValueOp value, const ViewOptions &options) {
  Key key = getKey(constraint);
  std::string isSpokenOf = ": " + constraint.getSymName().str() + " speaks of it";
  auto drawCell = [&](ArrayRef<int64_t> cell) {
    SheetCell drawn;
    drawn.title = printCell(value.getName(), cell);
    if (speaksOf(constraint, cell, options.named)) {
      drawn.colours.push_back(key.colour);
      drawn.label = constraint.getHard() ? "h" : std::to_string(constraint.getPriority());
      drawn.title += isSpokenOf;
    }
    return drawn;
  };
  Spoken spoken = findSpoken(constraint, value, options.named);
  Panel panel = chooseWindow(constraint, value, spoken, options).makePanel(drawCell);
  if (spoken.isCounted && (options.named || !constraint.getRegion()))
    panel.notes.push_back("speaks of " + std::to_string(spoken.count) + " of " +
                          std::to_string(countCells(*value.getExtents())) + " cells");
  panel.title = constraint.getSymName().str() + " on " + value.getName().str();
  addNotes(constraint, options.named, panel);
  panel.legend.push_back(key);
  panel.legend.push_back({"#f0f0f0", "not spoken of"});
  return panel;
}

FailureOr<std::vector<Panel>> mlir::lci::viewConstraints(ProgramOp program,
                                                         const ViewOptions &options) {
  std::vector<Panel> panels;
  for (auto constraint : program.getOps<ConstraintOp>()) {
    ValueOp value = program.lookupValue(constraint.getValue());
    if (!value.isSet())
      panels.push_back(drawConstraint(constraint, value, options));
  }
  return panels;
}
