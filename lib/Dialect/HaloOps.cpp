//===- HaloOps.cpp - Windows of loads and the halo they need --------------===//

#include "LCI/Dialect/LCIOps.h"

using namespace mlir;
using namespace mlir::lci;

/// A dimension plus a constant, taken apart.
static std::optional<std::pair<unsigned, int64_t>> matchMove(AffineExpr expr) {
  int64_t move = 0;
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr); sum && sum.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS())) {
      move = constant.getValue();
      expr = sum.getLHS();
    }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim)
    return std::nullopt;
  return std::make_pair(dim.getPosition(), move);
}

std::optional<SmallVector<std::pair<unsigned, int64_t>>> LoadOp::getWindow() {
  auto tick = (*this)->getParentOfType<TickOp>();
  if (!tick)
    return std::nullopt;
  Block::BlockArgListType axes = tick.getIndexArguments();
  SmallVector<std::pair<unsigned, int64_t>> window;
  for (AffineExpr result : getMap().getResults()) {
    auto move = matchMove(result);
    if (!move)
      return std::nullopt;
    auto *axis = llvm::find(axes, getIndices()[move->first]);
    if (axis == axes.end())
      return std::nullopt;
    auto position = static_cast<unsigned>(std::distance(axes.begin(), axis));
    if (llvm::any_of(window, [&](auto other) { return other.first == position; }))
      return std::nullopt;
    window.push_back({position, move->second});
  }
  return window;
}

LogicalResult RefreshHaloOp::verify() {
  auto type = cast<MemRefType>(getStorage().getType());
  size_t rank = type.getRank();
  if (!type.hasStaticShape())
    return emitOpError("expected storage of static extents, but got ") << type;
  if (getLow().size() != rank || getHigh().size() != rank || getBoundary().size() != rank)
    return emitOpError("expected two widths and a boundary for each of ")
           << rank << " axes, but got " << getLow().size() << ", " << getHigh().size() << " and "
           << getBoundary().size();
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (getLow()[axis] < 0 || getHigh()[axis] < 0)
      return emitOpError("expected widths that are not negative, but got ")
             << getLow()[axis] << " and " << getHigh()[axis] << " on axis " << axis;
    if (getExtent(axis) < 1)
      return emitOpError("expected a cell between the halos of axis ")
             << axis << ", but got " << type.getDimSize(axis) << " elements with halos of "
             << getLow()[axis] << " and " << getHigh()[axis];
  }
  if (getFill() && getFill().getType() != type.getElementType())
    return emitOpError("expected a fill of type ")
           << type.getElementType() << ", but got " << getFill().getType();
  return success();
}

Boundary RefreshHaloOp::getBoundaryOf(unsigned axis) {
  return cast<BoundaryAttr>(getBoundary()[axis]).getValue();
}

int64_t RefreshHaloOp::getExtent(unsigned axis) {
  auto type = cast<MemRefType>(getStorage().getType());
  return type.getDimSize(axis) - getLow()[axis] - getHigh()[axis];
}
