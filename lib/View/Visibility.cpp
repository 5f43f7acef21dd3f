//===- Visibility.cpp - Draw the cells that a cell may read ---------------===//
//
// The view `visibility`: for an inner cell and one in a corner, the cells that each `visible` line
// lets it read, one panel for each source value. The reads are those of the analysis; cells at
// gathered indices are unknown and match any index.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Notation.h"
#include "LCI/Analysis/Relations.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "Views.h"
#include "Window.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::lci;

/// Beyond this number of reads of one line the picture notes that it is incomplete.
static constexpr uint64_t kMaxReads = uint64_t(1) << 20;
/// Longer lines are shown without their condition in the legend.
static constexpr size_t kMaxWords = 64;

namespace {
/// The reads of one cell from one value.
class Neighbourhood {
public:
  Neighbourhood(ArrayRef<VisibleOp> lines, ValueOp source, ArrayRef<int64_t> cell)
      : lines(lines), source(source), cell(cell) {
    for (auto [number, line] : llvm::enumerate(lines))
      collect(number, line);
  }

  Panel draw(const ViewOptions &options) {
    ValueOp value = getReader();
    bool isSameValue = value == source;
    // Around the cell itself, or around the first read cell of another value.
    Cell around = isSameValue ? cell : Cell(source.getRank(), 0);
    if (!isSameValue && !reads.empty())
      around = llvm::map_to_vector(reads.begin()->first,
                                   [](int64_t index) { return std::max<int64_t>(index, 0); });
    Window window(source, around, options.window, /*acrossSeam=*/true);
    Panel panel = window.makePanel(
        [&](ArrayRef<int64_t> target) {
          return drawCell(target, isSameValue && target == ArrayRef(cell));
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
      auto &numbers = reads[Cell(target)];
      if (numbers.empty() || numbers.back() != number)
        numbers.push_back(number);
      return ++visited < kMaxReads;
    });
    if (isComplete)
      return;
    if (visited == 0) // the number of members depends on data: any cell may be gathered
      reads[Cell(source.getRank(), kAnyCell)].push_back(number);
    else
      isCut = true;
  }

  static bool means(ArrayRef<int64_t> target, ArrayRef<int64_t> shown) {
    return llvm::all_of(llvm::zip(target, shown), [](auto pair) {
      return std::get<0>(pair) == kAnyCell || std::get<0>(pair) == std::get<1>(pair);
    });
  }

  /// The lines that allow a read of a cell.
  std::set<unsigned> findLines(ArrayRef<int64_t> shown) {
    std::set<unsigned> found;
    if (auto exact = reads.find(Cell(shown)); exact != reads.end())
      found.insert(exact->second.begin(), exact->second.end());
    if (hasGathered())
      for (const auto &[target, numbers] : reads)
        if (means(target, shown))
          found.insert(numbers.begin(), numbers.end());
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

  /// The text of a line in the legend: its label, and its source text without a long condition.
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
  std::map<Cell, SmallVector<unsigned, 2>> reads; ///< the lines that allow each read
  bool isCut = false;
};
} // namespace

FailureOr<std::vector<Panel>> mlir::lci::viewVisibility(ProgramOp program,
                                                        const ViewOptions &options) {
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
