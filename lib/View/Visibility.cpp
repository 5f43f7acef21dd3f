//===- Visibility.cpp - What cells may read, drawn ------------------------===//

#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "Views.h"
#include "Window.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::lci;

/// Beyond so many reads of one line the picture says that it is not complete.
static constexpr uint64_t kMaxReads = uint64_t(1) << 20;
/// Longer lines lose their condition in the legend.
static constexpr size_t kMaxWords = 64;

namespace {
/// What one cell may read of one value.
class Neighbourhood {
public:
  Neighbourhood(ArrayRef<VisibleOp> lines, ValueOp source, ArrayRef<int64_t> cell)
      : lines(lines), source(source), cell(cell) {
    for (auto [number, line] : llvm::enumerate(lines))
      collect(number, line);
  }

  Panel draw(const ViewOptions &options) {
    ValueOp value = getReader();
    bool isOwn = value == source;
    // Around the cell itself, or around the first that is read of another value.
    Cell around = isOwn ? cell : Cell(source.getRank(), 0);
    if (!isOwn && !reads.empty())
      around = llvm::map_to_vector(reads.begin()->first,
                                   [](int64_t index) { return std::max<int64_t>(index, 0); });
    Window window(source, around, options.window, /*acrossSeam=*/true);
    Panel panel = window.makePanel(
        [&](ArrayRef<int64_t> target) {
          return drawCell(target, isOwn && target == ArrayRef(cell));
        },
        [](const SheetCell &drawn) { return !drawn.colours.empty() || drawn.isOutlined; });
    panel.title = printCell(value.getName(), cell) + " reads " + source.getName().str();
    if (panel.slices.empty())
      panel.notes.push_back("nothing");
    addNotes(window, panel);
    addLegend(panel);
    return panel;
  }

private:
  ValueOp getReader() {
    VisibleOp line = lines.front();
    return line->getParentOfType<ProgramOp>().lookupValue(line.getValue());
  }

  void collect(unsigned number, VisibleOp line) {
    uint64_t visited = 0;
    bool isComplete = visitVisible(line, cell, [&](ArrayRef<int64_t> target) {
      auto &who = reads[Cell(target)];
      if (who.empty() || who.back() != number)
        who.push_back(number);
      return ++visited < kMaxReads;
    });
    if (isComplete)
      return;
    if (visited == 0) // how many there are is computed from data: any cell that is gathered
      reads[Cell(source.getRank(), kAnyCell)].push_back(number);
    else
      isCut = true;
  }

  static bool means(ArrayRef<int64_t> target, ArrayRef<int64_t> shown) {
    return llvm::all_of(llvm::zip(target, shown), [](auto pair) {
      return std::get<0>(pair) == kAnyCell || std::get<0>(pair) == std::get<1>(pair);
    });
  }

  /// The lines that let a cell be read.
  std::set<unsigned> findLines(ArrayRef<int64_t> shown) {
    std::set<unsigned> found;
    if (auto exact = reads.find(Cell(shown)); exact != reads.end())
      found.insert(exact->second.begin(), exact->second.end());
    if (hasGathered())
      for (const auto &[target, who] : reads)
        if (means(target, shown))
          found.insert(who.begin(), who.end());
    return found;
  }

  SheetCell drawCell(ArrayRef<int64_t> shown, bool isItself) {
    SheetCell drawn;
    drawn.isOutlined = isItself;
    drawn.title = printCell(source.getName(), shown) + (isItself ? ", the cell itself" : "");
    for (unsigned number : findLines(shown)) {
      drawn.colours.push_back(getDistinctColour(number));
      drawn.label += getLetter(number);
    }
    if (!drawn.label.empty())
      drawn.title += ": by " + drawn.label;
    return drawn;
  }

  static char getLetter(unsigned number) { return static_cast<char>('a' + number % 26); }

  bool hasGathered() {
    return llvm::any_of(lines, [](VisibleOp line) { return bool(line.getGather()); });
  }

  void addNotes(const Window &window, Panel &panel) {
    std::string borders;
    for (unsigned axis = 0; axis < source.getRank(); ++axis)
      borders += (axis ? ", " : "") + stringifyBoundary(source.getBoundaryOf(axis)).str();
    if (!borders.empty())
      panel.notes.push_back(source.getName().str() + " is " + printExtents(*source.getExtents()) +
                            ", borders: " + borders);
    int64_t outside = llvm::count_if(reads, [&](const auto &read) {
      return !llvm::is_contained(read.first, kAnyCell) && !window.contains(read.first);
    });
    if (outside > 0)
      panel.notes.push_back(std::to_string(outside) +
                            " more cells are read outside of what is shown");
    if (isCut)
      panel.notes.push_back("not all reads are shown: there are too many");
  }

  /// A line as the legend has it: its label, and its text without a condition that is long.
  static std::string describeLine(VisibleOp line) {
    std::string text = printVisible(line);
    if (size_t when = text.find(" when "); text.size() > kMaxWords && when != std::string::npos)
      text = text.substr(0, when) + " when …";
    if (line.getGather())
      text += " (gathered: any of these)";
    return line.getLabel() ? line.getLabel()->str() + ", " + text : text;
  }

  void addLegend(Panel &panel) {
    for (auto [number, line] : llvm::enumerate(SmallVector<VisibleOp>(lines)))
      panel.legend.push_back({getDistinctColour(number),
                              std::string(1, getLetter(number)) + ": " + describeLine(line)});
  }

  ArrayRef<VisibleOp> lines;
  ValueOp source;
  Cell cell;
  std::map<Cell, SmallVector<unsigned, 2>> reads; ///< which lines let each cell be read
  bool isCut = false;
};
} // namespace

FailureOr<std::vector<Panel>> lci::viewVisibility(ProgramOp program, const ViewOptions &options) {
  std::vector<Panel> panels;
  for (auto value : program.getOps<ValueOp>()) {
    if (value.isSet())
      continue;
    llvm::MapVector<Operation *, SmallVector<VisibleOp>> bySource;
    for (auto line : getDeclarationsOn<VisibleOp>(program, value.getName()))
      if (ValueOp source = program.lookupValue(line.getSource()); !source.isSet())
        bySource[source].push_back(line);
    Cell corner(value.getRank(), 0);
    Cell inner =
        llvm::map_to_vector(*value.getExtents(), [](int64_t extent) { return extent / 2; });
    for (auto &[source, lines] : bySource) {
      panels.push_back(Neighbourhood(lines, cast<ValueOp>(source), inner).draw(options));
      if (corner != inner)
        panels.push_back(Neighbourhood(lines, cast<ValueOp>(source), corner).draw(options));
    }
  }
  return panels;
}
