//===- CellGraph.cpp - Visibility explored cell by cell -------------------===//
//
// From the latest time backwards, every cell that sees a cell of that time is marked with it.
// A mark is final, since marks come in decreasing order, so that each cell is visited once. A cell
// of the value that gets a mark later than its own time sees the future.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/CellGraph.h"
#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Analysis/Families.h"

using namespace mlir;
using namespace mlir::lci;

std::optional<int64_t> mlir::lci::applyBoundary(int64_t index, int64_t extent, Boundary boundary) {
  if (index >= 0 && index < extent)
    return index;
  switch (boundary) {
  case Boundary::Open:
    return std::nullopt;
  case Boundary::Wrap:
    return index - llvm::divideFloorSigned(index, extent) * extent;
  case Boundary::Clamp:
    return index < 0 ? 0 : extent - 1;
  }
  llvm_unreachable("a boundary");
}

namespace {
/// Numbers the cells of some values, and keeps for each cell those that see it.
class CellGraph {
public:
  CellGraph(ValueOp value, ArrayRef<VisibleOp> lines)
      : value(value), lines(lines), program(value->getParentOfType<ProgramOp>()) {
    addValue(value.getName());
    for (VisibleOp line : lines) {
      addValue(line.getValue());
      addValue(line.getSource());
    }
  }

  bool build(uint64_t maxEdges) {
    for (unsigned line = 0; line < lines.size(); ++line)
      if (!addEdges(line, maxEdges))
        return false;
    return true;
  }

  Causality search() {
    if (value.getRank() == 0)
      return {Causality::Answer::Never, {}};
    SmallVector<int64_t> extents = *value.getExtents();
    int64_t perTime = getNumCells(extents) / extents[0];
    next.assign(numCells, {kNone, 0});
    isMarked.assign(numCells, false);
    for (int64_t time = extents[0] - 1; time > 0; --time)
      for (int64_t cell = time * perTime; cell < (time + 1) * perTime; ++cell)
        if (std::optional<int64_t> early = markFrom(cell, time * perTime))
          return {Causality::Answer::Sometimes, getPath(*early, time * perTime, perTime)};
    return {Causality::Answer::Never, {}};
  }

private:
  struct Edge {
    int64_t cell; ///< that sees, or that is seen
    unsigned line;
  };
  static constexpr int64_t kNone = -1;

  static int64_t getNumCells(ArrayRef<int64_t> extents) {
    int64_t number = 1;
    for (int64_t extent : extents)
      number *= extent;
    return number;
  }

  void addValue(StringRef name) {
    if (!first.try_emplace(name, numCells).second)
      return;
    numCells += getNumCells(*program.lookupValue(name).getExtents());
  }

  int64_t getNumber(StringRef name, ArrayRef<int64_t> extents, ArrayRef<int64_t> cell) {
    int64_t number = 0;
    for (auto [index, extent] : llvm::zip(cell, extents))
      number = number * extent + index;
    return first[name] + number;
  }

  bool addEdges(unsigned position, uint64_t maxEdges) {
    VisibleOp line = lines[position];
    ValueOp reader = program.lookupValue(line.getValue());
    SmallVector<int64_t> extents = *reader.getExtents();
    SmallVector<IndexRange> box;
    uint64_t numPoints = 1;
    for (int64_t extent : extents)
      box.push_back({0, extent - 1});
    std::optional<SmallVector<IndexRange>> free =
        computeFreeBox(line.getWhere(), box, line.getMap().getNumDims() - extents.size());
    if (!free)
      return false;
    llvm::append_range(box, *free);
    for (IndexRange range : box)
      numPoints = llvm::SaturatingMultiply<uint64_t>(numPoints, range.size());
    numEdges = llvm::SaturatingAdd(numEdges, numPoints);
    if (numEdges > maxEdges)
      return false;
    seenBy.resize(numCells);
    SmallVector<int64_t> point;
    visitPoints(box, point, [&] { addEdge(position, extents, point); });
    return true;
  }

  static void visitPoints(ArrayRef<IndexRange> box, SmallVector<int64_t> &point,
                          function_ref<void()> visit) {
    if (box.empty())
      return visit();
    for (int64_t index = box[0].lower; index <= box[0].upper; ++index) {
      point.push_back(index);
      visitPoints(box.drop_front(), point, visit);
      point.pop_back();
    }
  }

  void addEdge(unsigned position, ArrayRef<int64_t> extents, ArrayRef<int64_t> point) {
    VisibleOp line = lines[position];
    auto holds = [&](IntegerSetAttr set) { return containsPoint(set.getValue(), point); };
    if (llvm::none_of(line.getWhere().getAsRange<IntegerSetAttr>(), holds))
      return;
    ValueOp source = program.lookupValue(line.getSource());
    SmallVector<int64_t> sourceExtents = *source.getExtents(), target;
    for (auto [axis, result] : llvm::enumerate(line.getMap().getResults())) {
      std::optional<int64_t> index =
          applyBoundary(evaluateAt(result, point), sourceExtents[axis], source.getBoundaryOf(axis));
      if (!index)
        return;
      target.push_back(*index);
    }
    int64_t reader = getNumber(line.getValue(), extents, point.take_front(extents.size()));
    seenBy[getNumber(line.getSource(), sourceExtents, target)].push_back({reader, position});
  }

  /// Marks all cells that see `start`; stops at a cell of the value that is before `begin`, the
  /// first cell of the time of `start`.
  std::optional<int64_t> markFrom(int64_t start, int64_t begin) {
    if (isMarked[start] || seenBy.empty())
      return std::nullopt;
    SmallVector<int64_t> open{start};
    while (!open.empty()) {
      int64_t seen = open.pop_back_val();
      for (Edge edge : seenBy[seen]) {
        if (isMarked[edge.cell])
          continue;
        isMarked[edge.cell] = true;
        next[edge.cell] = {seen, edge.line};
        if (edge.cell < begin) // the value's cells come first, ordered by time
          return edge.cell;
        open.push_back(edge.cell);
      }
    }
    return std::nullopt;
  }

  FuturePath getPath(int64_t cell, int64_t begin, int64_t perTime) {
    FuturePath path;
    path.from = getIndices(cell);
    do {
      path.chain.push_back(lines[next[cell].line]);
      cell = next[cell].cell;
    } while (cell < begin || cell >= begin + perTime);
    path.to = getIndices(cell);
    return path;
  }

  SmallVector<int64_t> getIndices(int64_t cell) {
    SmallVector<int64_t> extents = *value.getExtents(), indices;
    for (int64_t extent : llvm::reverse(extents)) {
      indices.insert(indices.begin(), cell % extent);
      cell /= extent;
    }
    return indices;
  }

  ValueOp value;
  ArrayRef<VisibleOp> lines;
  ProgramOp program;
  llvm::StringMap<int64_t> first; ///< number of a value's first cell
  int64_t numCells = 0;
  uint64_t numEdges = 0;
  std::vector<SmallVector<Edge, 0>> seenBy;
  std::vector<Edge> next; ///< towards the future
  std::vector<bool> isMarked;
};
} // namespace

Causality mlir::lci::exploreCells(ValueOp value, ArrayRef<VisibleOp> lines, uint64_t maxEdges) {
  CellGraph graph(value, lines);
  if (!graph.build(maxEdges))
    return {Causality::Answer::Unknown, {}};
  return graph.search();
}
