//===- CellFit.cpp - Legality and cost of vectorized bodies ---------------===//
//
// Which bodies of ticks have a vector form: loads whose last axis is the row or is uniform, tables
// of constant shape, draws without numbers, loops with constant bounds, elementwise operations. And
// the approximate number of machine operations of a body at a given width.
//
//===----------------------------------------------------------------------===//

#include "CellBody.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::vectorize;

std::optional<int64_t> vectorize::countTrips(Operation *op) {
  std::optional<int64_t> lower, upper, step = 1;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    lower = getConstantIntValue(loop.getLowerBound());
    upper = getConstantIntValue(loop.getUpperBound());
    step = getConstantIntValue(loop.getStep());
  } else if (auto agree = dyn_cast<AgreeOp>(op)) {
    lower = getConstantIntValue(agree.getLower());
    upper = getConstantIntValue(agree.getUpper());
  }
  if (!lower || !upper || !step)
    return std::nullopt;
  return std::max<int64_t>(0, llvm::divideCeilSigned(*upper - *lower, *step));
}

/// Numbers whose layout in memory is that in vectors.
static bool isStorable(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32) || type.isInteger(64);
}

/// Whether consecutive cells read consecutive elements, or all of them the same one.
static bool isFitLoad(TickOp tick, LoadOp load) {
  auto argument = dyn_cast<BlockArgument>(load.getSource());
  auto window = load.getWindow();
  auto type = dyn_cast<MemRefType>(load.getSource().getType());
  if (!argument || argument.getOwner() != &tick.getBody().front() || !window || !type ||
      !type.isLastDimUnitStride() || !isStorable(type.getElementType()))
    return false;
  for (Attribute boundary : load.getBoundary())
    if (cast<BoundaryAttr>(boundary).getValue() != Boundary::Open)
      return false;
  // The last axis indexes only the source's last one, or none.
  size_t last = window->empty() ? 0 : window->size() - 1;
  return llvm::none_of(ArrayRef(*window).take_front(last),
                       [&](auto move) { return move.first == tick.getRank() - 1; });
}

static bool isFitTable(memref::LoadOp load) {
  MemRefType type = load.getMemRefType();
  return type.hasStaticShape() && type.getLayout().isIdentity() &&
         isStorable(type.getElementType()) && type.getNumElements() < INT32_MAX;
}

static bool isFitBlock(TickOp tick, Block &block) {
  return llvm::all_of(block.without_terminator(), [&](Operation &op) {
    if (isa<scf::ForOp, AgreeOp>(op))
      return countTrips(&op).value_or(0) > 0 &&
             llvm::all_of(op.getResultTypes(),
                          [](Type type) { return type.isIntOrIndexOrFloat(); }) &&
             isFitBlock(tick, op.getRegion(0).front());
    if (isDraw(&op))
      return DrawRows::isFit(&op) && DrawRows::hasFitRows(tick);
    if (auto load = dyn_cast<LoadOp>(op))
      return isFitLoad(tick, load);
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return isFitTable(load);
    return op.hasTrait<OpTrait::ConstantLike>() || isScalarElementwise(&op);
  });
}

bool CellBody::isFit(TickOp tick) { return isFitBlock(tick, tick.getBody().front()); }

/// Machine operations of one on vectors of this type.
static int64_t costOf(Type type, int64_t width, int64_t vectorBits) {
  int64_t bits = type.isIndex() ? 64 : type.isInteger(1) ? 8 : type.getIntOrFloatBitWidth();
  return std::max<int64_t>(1, width * bits / vectorBits);
}

static int64_t countBlock(Block &block, int64_t width, int64_t vectorBits) {
  constexpr int64_t drawCost = 8;
  int64_t sum = 0;
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() != 0) {
      int64_t trips = *countTrips(&op);
      sum += (trips > kMaxUnrolledTrips ? 1 : trips) *
             countBlock(op.getRegion(0).front(), width, vectorBits);
      continue;
    }
    int64_t most = 1;
    for (Type type : llvm::concat<Type>(SmallVector<Type>(op.getOperandTypes()),
                                        SmallVector<Type>(op.getResultTypes())))
      if (type.isIntOrIndexOrFloat())
        most = std::max(most, costOf(type, width, vectorBits));
    sum += isDraw(&op) ? drawCost * most : most;
  }
  return sum;
}

int64_t CellBody::countOperations(TickOp tick, int64_t width, int64_t vectorBits) {
  return countBlock(tick.getBody().front(), width, vectorBits);
}
