//===- VectorRows.cpp - Elementwise operations on rows by vectors ---------===//
//
// Vector code for the rows of an elementwise linalg.generic: loads, the body on vectors, stores,
// with a mask for the remainder and for strided cells, and counters by population counts of masks.
//
//===----------------------------------------------------------------------===//

#include "VectorRows.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool isVectorizable(Operation &op) {
  return isScalarElementwise(&op) && !op.getResult(0).getType().isIndex();
}

static bool hasAxes(linalg::GenericOp op, OpOperand &operand) {
  return op.getMatchingIndexingMap(&operand).getNumResults() != 0;
}

VectorRows::VectorRows(linalg::GenericOp op, int64_t vectorBits)
    : op(op), loc(op.getLoc()), body(op.getBody()), vectorBits(vectorBits) {
  int64_t width = 8;
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = getElementTypeOrSelf(operand.get().getType());
    if (!hasAxes(op, operand))
      continue;
    if (!type.isIntOrFloat())
      return; // cells that are vectors themselves
    width = std::max<int64_t>(width, type.getIntOrFloatBitWidth());
  }
  numLanes = vectorBits / width;
}

/// Outputs without axes must be counters; inputs without axes are rejected.
bool VectorRows::findCounters() {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (hasAxes(op, init))
      continue;
    BlockArgument argument = op.getMatchingBlockArgument(&init);
    auto additions = getAdditions(argument, op.getMatchingYieldValue(&init)->get());
    if (!additions || !argument.getType().isInteger(64))
      return false;
    counters.push_back({init.get(), *additions});
    counting.insert(additions->begin(), additions->end());
  }
  return llvm::all_of(op.getDpsInputOperands(),
                      [&](OpOperand *operand) { return hasAxes(op, *operand); });
}

/// Whether lanes of a vector lie in memory as elements of an array do: LLVM packs those that do not
/// fill bytes.
static bool fillsBytes(Value operand) {
  Type element = getElementTypeOrSelf(operand.getType());
  if (!element.isIntOrFloat())
    return true;
  unsigned width = element.getIntOrFloatBitWidth();
  return width >= 8 && llvm::isPowerOf2_32(width);
}

/// Whether zeros in the lanes behind a row would trap. Upstream knows this of `divsi` and `divui`,
/// which are not pure.
static bool mayTrap(Operation &op) {
  using namespace arith;
  APInt divisor;
  return isa<RemSIOp, RemUIOp, FloorDivSIOp, CeilDivSIOp, CeilDivUIOp>(op) &&
         (!matchPattern(op.getOperand(1), m_ConstantInt(&divisor)) || divisor.isZero());
}

bool VectorRows::isFit() {
  return op.hasPureBufferSemantics() && op.getNumLoops() > 0 && numLanes > 1 && findCounters() &&
         llvm::all_of(op->getOperands(), fillsBytes) &&
         llvm::all_of(body->without_terminator(), isVectorizable) &&
         llvm::none_of(body->without_terminator(), mayTrap);
}

int64_t VectorRows::countStored() { return op.getNumDpsInits() - counters.size(); }

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

Value VectorRows::index(int64_t value) {
  return arith::ConstantIndexOp::create(*builder, loc, value);
}

/// Lanes of the vector of a row's remainder: a smaller vector without a mask, if the remainder
/// fills it and there is no AVX-512. Some processors without it take twenty cycles for a masked
/// store.
int64_t VectorRows::lanesOfRemainder(int64_t rest) const {
  constexpr int64_t ofAVX512 = 512;
  bool fills = llvm::isPowerOf2_64(rest) && stride == 1;
  return fills && vectorBits < ofAVX512 ? rest : numLanes;
}

/// A mask of the first lanes, of all colours or of this one.
Value VectorRows::maskOf(int64_t lanes, int64_t step) {
  SmallVector<bool> bits;
  for (int64_t lane = 0; lane < numLanes; ++lane)
    bits.push_back(lane < lanes && lane % step == 0);
  return arith::ConstantOp::create(
      *builder, loc,
      DenseElementsAttr::get(cast<ShapedType>(vectorOf(builder->getI1Type())), bits));
}

Value VectorRows::load(Value row, ValueRange indices, int64_t lanes) {
  VectorType type = vectorOf(cast<MemRefType>(row.getType()).getElementType());
  if (lanes == numLanes)
    return vector::LoadOp::create(*builder, loc, type, row, indices);
  Value zeros = arith::ConstantOp::create(*builder, loc, builder->getZeroAttr(type));
  return vector::MaskedLoadOp::create(*builder, loc, type, row, indices, maskOf(lanes, 1), zeros);
}

Value VectorRows::lookup(Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  return vector::BroadcastOp::create(*builder, loc, vectorOf(value.getType()), value);
}

/// Computes the vector at a position, of which so many lanes are in the row, and counts.
SmallVector<Value> VectorRows::compute(ValueRange outer, Value place, int64_t lanes) {
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

void VectorRows::store(ValueRange results, ValueRange outer, Value place, int64_t lanes) {
  SmallVector<Value> indices(outer), stored;
  indices.push_back(place);
  for (Value row : outputs())
    if (row)
      stored.push_back(row);
  for (auto [result, row] : llvm::zip_equal(results, stored))
    vector::MaskedStoreOp::create(*builder, loc, row, indices, maskOf(lanes, stride), result);
}

void VectorRows::emit(Operation &inner) {
  SmallVector<Value> operands =
      llvm::map_to_vector(inner.getOperands(), [&](Value operand) { return lookup(operand); });
  Type type = vectorOf(inner.getResult(0).getType());
  mapping.map(inner.getResult(0), clone(*builder, &inner, type, operands)->getResult(0));
}

void VectorRows::count(Counter &counter, Value mask) {
  Value sum = memref::LoadOp::create(*builder, loc, counter.memory);
  for (arith::AddIOp addition : counter.additions)
    sum = arith::AddIOp::create(*builder, loc, sum, sumOf(addition.getRhs(), mask));
  memref::StoreOp::create(*builder, loc, sum, counter.memory);
}

/// The sum over the cells under the mask. An i1 per lane becomes the bits of a word. Lanes outside
/// of the mask may be poison, which the select keeps out.
Value VectorRows::sumOf(Value tally, Value mask) {
  auto boolean = tally.getDefiningOp<arith::ExtUIOp>();
  bool isBoolean = boolean && boolean.getIn().getType().isInteger(1);
  Value lanes = lookup(isBoolean ? boolean.getIn() : tally);
  Value zeros = arith::ConstantOp::create(*builder, loc, builder->getZeroAttr(lanes.getType()));
  lanes = arith::SelectOp::create(*builder, loc, mask, lanes, zeros);
  if (!isBoolean)
    return vector::ReductionOp::create(*builder, loc, vector::CombiningKind::ADD, lanes);
  auto word = VectorType::get({1}, builder->getIntegerType(numLanes));
  Value bits = vector::BitCastOp::create(*builder, loc, word, lanes);
  bits = vector::ExtractOp::create(*builder, loc, bits, ArrayRef<int64_t>{0});
  bits = math::CtPopOp::create(*builder, loc, bits);
  return numLanes == 64 ? bits : arith::ExtUIOp::create(*builder, loc, tally.getType(), bits);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// A vector is stored after the next one is loaded: a load that overlaps a recent store stalls on
/// it, and the cells of this vector that the next one reads are not of the stored colour.
void VectorRows::emitRow(ValueRange outer) {
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
  if (rest > 0) {
    llvm::SaveAndRestore<int64_t> smaller(numLanes, lanesOfRemainder(rest));
    last = compute(outer, index(whole), rest);
  }
  if (whole > 0)
    store(pending, outer, index(whole - numLanes), numLanes);
  if (rest > 0) {
    llvm::SaveAndRestore<int64_t> smaller(numLanes, lanesOfRemainder(rest));
    store(last, outer, index(whole), rest);
  }
}

void VectorRows::emit(OpBuilder &outside, SmallVector<Value> allRows, int64_t cells, int64_t step) {
  builder.emplace(outside);
  rows = std::move(allRows);
  numCells = cells;
  stride = step;
  unsigned numOuter = op.getNumLoops() - 1;
  SmallVector<Value> begin(numOuter, index(0)), steps(numOuter, index(1)), end;
  Value *array = llvm::find_if(rows, [](Value row) { return row != nullptr; });
  for (unsigned axis = 0; axis < numOuter; ++axis)
    end.push_back(getValueOrCreateConstantIndexOp(
        *builder, loc, memref::getMixedSize(*builder, loc, *array, axis)));
  scf::buildLoopNest(*builder, loc, begin, end, steps,
                     [&](OpBuilder &inner, Location, ValueRange outer) {
                       OpBuilder::InsertionGuard guard(*builder);
                       builder->restoreInsertionPoint(inner.saveInsertionPoint());
                       emitRow(outer);
                     });
}
