//===- HaloOps.cpp - Windows of loads and halos ---------------------------===//
//
// Recognizes loads that read at a constant distance from the cell (`LoadOp::getWindow`), and
// verifies halos: their widths, boundaries, fill and rows.
//
//===----------------------------------------------------------------------===//

#include "VerifierUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// A sum of a dimension and a constant, or a constant alone.
struct Move {
  std::optional<unsigned> dim;
  int64_t distance = 0;
};
} // namespace

static std::optional<Move> matchMove(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Move{std::nullopt, constant.getValue()};
  int64_t distance = 0;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr); sum && sum.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS())) {
      distance = constant.getValue();
      expr = sum.getLHS();
    }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim)
    return std::nullopt;
  return Move{dim.getPosition(), distance};
}

/// The axis of the tick from which the index on a source's axis has a constant distance, and the
/// distance. Where all cells of the tick have one index on the axis, folds have made it a constant.
static std::optional<std::pair<unsigned, int64_t>> findMove(LoadOp load, TickOp tick,
                                                            unsigned position) {
  std::optional<Move> move = matchMove(load.getMap().getResult(position));
  if (!move)
    return std::nullopt;
  Value index = move->dim ? load.getIndices()[*move->dim] : Value();
  Block::BlockArgListType axes = tick.getIndexArguments();
  if (auto *axis = llvm::find(axes, index); axis != axes.end())
    return std::pair(static_cast<unsigned>(std::distance(axes.begin(), axis)), move->distance);
  std::optional<int64_t> constant = index ? getConstantIntValue(index) : 0;
  if (!constant || load.getMap().getNumResults() != tick.getRank() ||
      !isConstantIntValue(tick.getMixedExtents()[position], 1))
    return std::nullopt;
  std::optional<int64_t> own = getConstantIntValue(tick.getMixedOffsets()[position]);
  std::optional<int64_t> cell = llvm::checkedAdd(*constant, move->distance);
  std::optional<int64_t> distance = own && cell ? llvm::checkedSub(*cell, *own) : std::nullopt;
  if (!distance)
    return std::nullopt;
  return std::pair(position, *distance);
}

std::optional<SmallVector<std::pair<unsigned, int64_t>>> LoadOp::getWindow() {
  auto tick = (*this)->getParentOfType<TickOp>();
  if (!tick)
    return std::nullopt;
  SmallVector<std::pair<unsigned, int64_t>> window;
  for (unsigned position = 0; position < getMap().getNumResults(); ++position) {
    auto move = findMove(*this, tick, position);
    if (!move || llvm::is_contained(llvm::make_first_range(window), move->first))
      return std::nullopt;
    window.push_back(*move);
  }
  return window;
}

LogicalResult RefreshHaloOp::verify() {
  if ((*this)->getParentOfType<TickOp>())
    return emitOpError("stands in a tick, which computes a cell at a time")
           << ErrorId::InvalidReference;
  auto type = cast<MemRefType>(getStorage().getType());
  size_t rank = type.getRank();
  if (!type.hasStaticShape())
    return emitOpError("expected storage of static extents, but got ")
           << ErrorId::InvalidTypes << type;
  if (failed(verifyLayout(*this, type)))
    return failure();
  if (getLow().size() != rank || getHigh().size() != rank || getBoundary().size() != rank)
    return emitOpError("expected two widths and a boundary for each of ")
           << ErrorId::InvalidAttribute << rank << " axes, but got " << getLow().size() << ", "
           << getHigh().size() << " and " << getBoundary().size();
  if (countSpare() < 0 || (rank == 0 && countSpare() > 0))
    return emitOpError("expected spare elements of rows, or none, but got ")
           << ErrorId::InvalidAttribute << countSpare() << " of " << type;
  for (unsigned axis = 0; axis < rank; ++axis) {
    auto isStrange = [](int64_t width) { return width < 0 || width >= kNumberLimit; };
    if (isStrange(getLow()[axis]) || isStrange(getHigh()[axis]))
      return emitOpError("expected widths from 0 to less than 2^60, but got ")
             << ErrorId::InvalidAttribute << getLow()[axis] << " and " << getHigh()[axis]
             << " on axis " << axis;
    if (getExtent(axis) < 1)
      return emitOpError("expected a cell between the halos of axis ")
             << ErrorId::InvalidAttribute << axis << ", but got " << type.getDimSize(axis)
             << " elements with halos of " << getLow()[axis] << " and " << getHigh()[axis]
             << (countSpare() > 0 && axis + 1 == rank ? " and spare ones" : "");
  }
  if (getFill() && getFill().getType() != type.getElementType())
    return emitOpError("expected a fill of type ")
           << ErrorId::InvalidTypes << type.getElementType() << ", but got " << getFill().getType();
  if (!getBegin() != !getCount())
    return emitOpError("expected a first row and how many there are, but got one of them")
           << ErrorId::InvalidAttribute;
  return success();
}

Boundary RefreshHaloOp::getBoundaryOf(unsigned axis) {
  return cast<BoundaryAttr>(getBoundary()[axis]).getValue();
}

int64_t RefreshHaloOp::getWidth(unsigned axis) {
  auto type = cast<MemRefType>(getStorage().getType());
  return type.getDimSize(axis) - (axis + 1 == type.getRank() ? countSpare() : 0);
}

int64_t RefreshHaloOp::getExtent(unsigned axis) {
  return getWidth(axis) - getLow()[axis] - getHigh()[axis];
}
