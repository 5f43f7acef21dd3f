//===- VectorizeStrides.cpp - Every other cell by whole vectors -----------===//
//
// Vectors of a row hold the cells of all colours. Those of other colours are computed for nothing
// and not stored: in loads side by side and one mask that costs less than shuffles and a scatter,
// as long as there is little to compute. Upstream's vectorizer loads strided views element by
// element.
//
//===----------------------------------------------------------------------===//

#include "BufferFacts.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::lci {
#define GEN_PASS_DEF_VECTORIZESTRIDESPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// What loads and stores of strided elements cost more, in operations of the body.
static constexpr int64_t kLoadCost = 4, kStoreCost = 24;

//===----------------------------------------------------------------------===//
// What can be vectorized
//===----------------------------------------------------------------------===//

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

/// The stride that all operands with axes have in common on the last one, or nothing.
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

static bool isElementwise(Operation &op) {
  return OpTrait::hasElementwiseMappableTraits(&op) && op.getNumResults() == 1 && isPure(&op) &&
         op.getResult(0).getType().isIntOrFloat();
}

namespace {

/// A counter's place in memory, and the additions of what a cell adds.
struct Counter {
  Value memory;
  SmallVector<arith::AddIOp> additions;
};

/// One operation on strided views.
class StridedOp {
public:
  StridedOp(linalg::GenericOp op, int64_t vectorBits) : op(op), loc(op.getLoc()) {
    body = op.getBody();
    if (op.hasPureBufferSemantics() && op.getNumLoops() > 0)
      if (std::optional<int64_t> found = getStride(op))
        stride = *found;
    int64_t width = 8;
    for (Type type : body->getArgumentTypes())
      if (type.isIntOrFloat() && !isCounterType(type))
        width = std::max<int64_t>(width, type.getIntOrFloatBitWidth());
    numLanes = vectorBits / width;
  }

  bool isFit() {
    return stride > 1 && numLanes % stride == 0 && findCounters() &&
           llvm::all_of(body->without_terminator(), isElementwise) && isWorthIt();
  }

  void vectorize(OpBuilder &outside) {
    builder.emplace(outside);
    numCells = (op.getStaticLoopRanges().back() - 1) * stride + 1;
    for (Value operand : op->getOperands())
      rows.push_back(widen(operand));
    unsigned numOuter = op.getNumLoops() - 1;
    SmallVector<Value> begin(numOuter, index(0)), step(numOuter, index(1)), end;
    Value *array = llvm::find_if(rows, [](Value row) { return row != nullptr; });
    SmallVector<OpFoldResult> extents = getView(*array).getMixedSizes();
    for (OpFoldResult extent : ArrayRef(extents).drop_back())
      end.push_back(getValueOrCreateConstantIndexOp(*builder, loc, extent));
    scf::buildLoopNest(*builder, loc, begin, end, step,
                       [&](OpBuilder &inner, Location, ValueRange outer) {
                         OpBuilder::InsertionGuard guard(*builder);
                         builder->restoreInsertionPoint(inner.saveInsertionPoint());
                         vectorizeRow(outer);
                       });
  }

private:
  static bool isCounterType(Type type) { return type.isInteger(64); }

  /// Outputs without axes must be counters; inputs without axes are left to others.
  bool findCounters() {
    auto yield = cast<linalg::YieldOp>(body->getTerminator());
    for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
      BlockArgument argument = body->getArgument(op.getNumDpsInputs() + number);
      if (op.getMatchingIndexingMap(op.getDpsInitOperand(number)).getNumResults() != 0)
        continue;
      auto additions = getAdditions(argument, yield.getOperand(number));
      if (!additions || !isCounterType(argument.getType()))
        return false;
      counters.push_back({init, *additions});
      counting.insert(additions->begin(), additions->end());
    }
    return llvm::none_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      return op.getMatchingIndexingMap(operand).getNumResults() == 0;
    });
  }

  bool isWorthIt() {
    int64_t numOps = std::distance(body->begin(), body->end());
    int64_t numStored = op.getNumDpsInits() - counters.size();
    return (stride - 1) * numOps < kLoadCost * op.getNumDpsInputs() + kStoreCost * numStored;
  }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(*builder, loc, value); }
  VectorType vectorOf(Type element) { return VectorType::get({numLanes}, element); }

  /// The same rows with all their cells between the first and the last one; null for a counter.
  Value widen(Value operand) {
    memref::SubViewOp view = getView(operand);
    if (!view)
      return {};
    SmallVector<OpFoldResult> sizes = view.getMixedSizes(), strides = view.getMixedStrides();
    sizes.back() = builder->getIndexAttr(numCells);
    strides.back() = builder->getIndexAttr(1);
    return memref::SubViewOp::create(*builder, loc, view.getSource(), view.getMixedOffsets(), sizes,
                                     strides);
  }

  /// A mask of the first lanes, of all colours or of this one.
  Value maskOf(int64_t lanes, int64_t step) {
    SmallVector<bool> bits;
    for (int64_t lane = 0; lane < numLanes; ++lane)
      bits.push_back(lane < lanes && lane % step == 0);
    return arith::ConstantOp::create(
        *builder, loc,
        DenseElementsAttr::get(cast<ShapedType>(vectorOf(builder->getI1Type())), bits));
  }

  Value load(Value row, ValueRange indices, int64_t lanes) {
    VectorType type = vectorOf(cast<MemRefType>(row.getType()).getElementType());
    if (lanes == numLanes)
      return vector::LoadOp::create(*builder, loc, type, row, indices);
    Value zeros = arith::ConstantOp::create(*builder, loc, builder->getZeroAttr(type));
    return vector::MaskedLoadOp::create(*builder, loc, type, row, indices, maskOf(lanes, 1), zeros);
  }

  Value lookup(Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    return vector::BroadcastOp::create(*builder, loc, vectorOf(value.getType()), value);
  }

  /// A vector is stored after the next one is loaded: a load that overlaps a store just made waits
  /// for it, and what the next vector needs of this one is not of its colour.
  void vectorizeRow(ValueRange outer) {
    int64_t whole = numCells / numLanes * numLanes, rest = numCells - whole;
    SmallVector<Value> pending, last;
    if (whole > 0) {
      pending = compute(outer, index(0), numLanes);
      auto loop = scf::ForOp::create(
          *builder, loc, index(numLanes), index(whole), index(numLanes), pending,
          [&](OpBuilder &inner, Location, Value place, ValueRange before) {
            OpBuilder::InsertionGuard guard(*builder);
            builder->restoreInsertionPoint(inner.saveInsertionPoint());
            SmallVector<Value> next = compute(outer, place, numLanes);
            store(before, outer, arith::SubIOp::create(*builder, loc, place, index(numLanes)),
                  numLanes);
            scf::YieldOp::create(*builder, loc, next);
          });
      pending = llvm::to_vector_of<Value>(loop.getResults());
    }
    if (rest > 0)
      last = compute(outer, index(whole), rest);
    if (whole > 0)
      store(pending, outer, index(whole - numLanes), numLanes);
    if (rest > 0)
      store(last, outer, index(whole), rest);
  }

  /// Computes the vector at a place, of which so many lanes are of the row, and counts.
  SmallVector<Value> compute(ValueRange outer, Value place, int64_t lanes) {
    SmallVector<Value> indices(outer), results;
    indices.push_back(place);
    mapping.clear();
    for (auto [argument, row] : llvm::zip_equal(body->getArguments(), rows))
      if (row && !argument.use_empty())
        mapping.map(argument, load(row, indices, lanes));
    for (Operation &inner : body->without_terminator())
      if (!counting.contains(&inner))
        emit(inner);
    for (Counter &counter : counters)
      count(counter, maskOf(lanes, stride));
    for (auto [result, row] : llvm::zip_equal(body->getTerminator()->getOperands(), outputs()))
      if (row)
        results.push_back(lookup(result));
    return results;
  }

  void store(ValueRange results, ValueRange outer, Value place, int64_t lanes) {
    SmallVector<Value> indices(outer), stored;
    indices.push_back(place);
    for (Value row : outputs())
      if (row)
        stored.push_back(row);
    for (auto [result, row] : llvm::zip_equal(results, stored))
      vector::MaskedStoreOp::create(*builder, loc, row, indices, maskOf(lanes, stride), result);
  }

  /// The rows that are stored to, null for a counter.
  ArrayRef<Value> outputs() { return ArrayRef<Value>(rows).drop_front(op.getNumDpsInputs()); }

  void emit(Operation &inner) {
    SmallVector<Value> operands =
        llvm::map_to_vector(inner.getOperands(), [&](Value operand) { return lookup(operand); });
    Type type = vectorOf(inner.getResult(0).getType());
    mapping.map(inner.getResult(0), clone(*builder, &inner, type, operands)->getResult(0));
  }

  void count(Counter &counter, Value mask) {
    Value sum = memref::LoadOp::create(*builder, loc, counter.memory);
    for (arith::AddIOp addition : counter.additions)
      sum = arith::AddIOp::create(*builder, loc, sum, sumOf(addition.getRhs(), mask));
    memref::StoreOp::create(*builder, loc, sum, counter.memory);
  }

  /// What all cells under the mask add. Truth values are the bits of a word. What lies outside of
  /// the mask may be poison, which a selection keeps out.
  Value sumOf(Value tally, Value mask) {
    auto truth = tally.getDefiningOp<arith::ExtUIOp>();
    bool isTruth = truth && truth.getIn().getType().isInteger(1);
    Value lanes = lookup(isTruth ? truth.getIn() : tally);
    Value zeros = arith::ConstantOp::create(*builder, loc, builder->getZeroAttr(lanes.getType()));
    lanes = arith::SelectOp::create(*builder, loc, mask, lanes, zeros);
    if (!isTruth)
      return vector::ReductionOp::create(*builder, loc, vector::CombiningKind::ADD, lanes);
    auto word = VectorType::get({1}, builder->getIntegerType(numLanes));
    Value bits = vector::BitCastOp::create(*builder, loc, word, lanes);
    bits = vector::ExtractOp::create(*builder, loc, bits, ArrayRef<int64_t>{0});
    bits = math::CtPopOp::create(*builder, loc, bits);
    return numLanes == 64 ? bits : arith::ExtUIOp::create(*builder, loc, tally.getType(), bits);
  }

  linalg::GenericOp op;
  Location loc;
  Block *body;
  int64_t stride = 0, numLanes = 0, numCells = 0;
  SmallVector<Counter> counters;
  DenseSet<Operation *> counting; ///< the additions to all of them
  SmallVector<Value> rows;
  IRMapping mapping;
  std::optional<OpBuilder> builder;
};

struct VectorizeStrides : lci::impl::VectorizeStridesPassBase<VectorizeStrides> {
  using VectorizeStridesPassBase::VectorizeStridesPassBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      StridedOp strided(op, vectorBits);
      if (!strided.isFit())
        continue;
      OpBuilder builder(op);
      strided.vectorize(builder);
      op.erase();
      ++numVectorized;
    }
  }
};
} // namespace
