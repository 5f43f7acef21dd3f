//===- TickWindows.cpp - Windows of ticks on buffers ----------------------===//

#include "LCI/Dialect/TickWindows.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::lci;

ShiftedView mlir::lci::findShift(Value view) {
  SmallVector<int64_t> offsets(cast<ShapedType>(view.getType()).getRank(), 0);
  while (auto part = view.getDefiningOp<memref::SubViewOp>()) {
    bool isShifted = part.getOffsets().empty() && part.hasUnitStride() &&
                     part.getSourceType().getRank() == part.getType().getRank();
    if (!isShifted)
      break;
    for (auto [offset, more] : llvm::zip_equal(offsets, part.getStaticOffsets()))
      offset += more;
    view = part.getSource();
  }
  return {view, offsets};
}

Value mlir::lci::getLoadedInput(LoadOp load) {
  auto tick = load->getParentOfType<TickOp>();
  auto argument = dyn_cast<BlockArgument>(load.getSource());
  bool isInput = argument && argument.getOwner() == &tick.getBody().front();
  return isInput ? tick.getInputs()[argument.getArgNumber() - tick.getRank() - 3] : Value();
}

std::optional<SmallVector<int64_t>> mlir::lci::getDistance(LoadOp load, Value target) {
  Value input = getLoadedInput(load);
  auto window = load.getWindow();
  if (!input || !window || window->size() != load->getParentOfType<TickOp>().getRank())
    return std::nullopt;
  ShiftedView from = findShift(input), to = findShift(target);
  if (from.buffer != to.buffer)
    return std::nullopt;
  SmallVector<int64_t> distance;
  for (auto [axis, move] : llvm::enumerate(*window)) {
    if (move.first != axis || load.getBoundaryOf(axis) != Boundary::Open)
      return std::nullopt;
    distance.push_back(move.second + from.offsets[axis] - to.offsets[axis]);
  }
  return distance;
}

bool mlir::lci::readsOwn(LoadOp load, Value target) {
  auto distance = getDistance(load, target);
  return distance && llvm::all_of(*distance, [](int64_t move) { return move == 0; });
}

ArrayAttr mlir::lci::getOpenBoundary(MLIRContext *context, unsigned rank) {
  Attribute open = BoundaryAttr::get(context, Boundary::Open);
  return ArrayAttr::get(context, SmallVector<Attribute>(rank, open));
}

Value mlir::lci::loadInside(OpBuilder &builder, Location loc, Value source, AffineMap map,
                            ValueRange indices) {
  auto type = cast<MemRefType>(source.getType());
  return LoadOp::create(builder, loc, type.getElementType(), source, map, indices,
                        getOpenBoundary(builder.getContext(), type.getRank()));
}
