//===- VectorizeStrides.cpp - Every other cell by whole vectors -----------===//
//
// Vectors of a row hold the cells of all colours. Those of other colours are computed in vain and
// not stored: as contiguous loads and one mask that costs less than shuffles and a scatter, as long
// as the body is short. Upstream's vectorizer loads strided views element by element.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/VectorLanes.h"
#include "VectorRows.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {
#define GEN_PASS_DEF_VECTORIZESTRIDESPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Additional cost of strided loads and stores, in operations of the body.
static constexpr int64_t kLoadCost = 4, kStoreCost = 24;

/// The view that an operand is, if its rows have a constant extent and are contiguous.
static memref::SubViewOp getView(Value operand) {
  auto view = operand.getDefiningOp<memref::SubViewOp>();
  if (!view || view.getSourceType().getRank() != view.getType().getRank() ||
      view.getStaticSizes().empty() || ShapedType::isDynamic(view.getStaticSizes().back()) ||
      ShapedType::isDynamicShape(view.getStaticStrides()) ||
      !view.getSourceType().isLastDimUnitStride())
    return {};
  return view;
}

/// The stride on the last axis that all operands with axes have in common, or nothing.
static std::optional<int64_t> getStride(linalg::GenericOp op) {
  std::optional<int64_t> stride;
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    if (map.getNumResults() == 0)
      continue;
    memref::SubViewOp view = map.isIdentity() ? getView(operand) : memref::SubViewOp();
    if (!view || (stride && *stride != view.getStaticStrides().back()))
      return std::nullopt;
    stride = view.getStaticStrides().back();
  }
  return stride;
}

/// The cells of other colours are computed in vain: that must cost less than gathering and
/// scattering those of one.
static bool isWorthIt(linalg::GenericOp op, int64_t numStored, int64_t stride) {
  int64_t numOps = llvm::range_size(*op.getBody());
  return (stride - 1) * numOps < kLoadCost * op.getNumDpsInputs() + kStoreCost * numStored;
}

/// The same rows with all their cells between the first and the last one; null for a counter.
static Value widen(OpBuilder &builder, Value operand, int64_t numCells) {
  memref::SubViewOp view = getView(operand);
  if (!view)
    return {};
  SmallVector<OpFoldResult> sizes = view.getMixedSizes(), strides = view.getMixedStrides();
  sizes.back() = builder.getIndexAttr(numCells);
  strides.back() = builder.getIndexAttr(1);
  return memref::SubViewOp::create(builder, operand.getLoc(), view.getSource(),
                                   view.getMixedOffsets(), sizes, strides);
}

static bool vectorizeRows(linalg::GenericOp op, int64_t vectorBits) {
  std::optional<int64_t> stride = op.getNumLoops() > 0 ? getStride(op) : std::nullopt;
  VectorRows vectors(op, vectorBits);
  if (!stride || *stride == 1 || vectors.getNumLanes() % *stride != 0 || !vectors.isFit() ||
      !isWorthIt(op, vectors.countStored(), *stride))
    return false;
  OpBuilder builder(op);
  int64_t numCells = (op.getStaticLoopRanges().back() - 1) * *stride + 1;
  SmallVector<Value> rows;
  for (Value operand : op->getOperands())
    rows.push_back(widen(builder, operand, numCells));
  vectors.emit(builder, std::move(rows), numCells, *stride);
  op.erase();
  return true;
}

namespace {
struct VectorizeStrides : mlir::lci::impl::VectorizeStridesPassBase<VectorizeStrides> {
  using VectorizeStridesPassBase::VectorizeStridesPassBase;

  void runOnOperation() override {
    int64_t vectorBits = getCPUTarget(getOperation()).vectorBits;
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      numVectorized += vectorizeRows(op, vectorBits);
  }
};
} // namespace
