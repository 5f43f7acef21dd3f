//===- TickRows.cpp - Vectorize the rows of a tick ------------------------===//
//
// Decides whether and how wide a tick is vectorized, and emits its rows: whole vectors in a loop
// that carries counts and random bits, then the remainder under a mask.
//
//===----------------------------------------------------------------------===//

#include "TickRows.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::vectorize;

/// Vectors whose sums are interleaved.
static constexpr int64_t kChains = 4;

//===----------------------------------------------------------------------===//
// Which ticks
//===----------------------------------------------------------------------===//

TickRows::TickRows(TickOp tick, int64_t vectorBits, int64_t maxOperations)
    : tick(tick), b(tick), loc(tick.getLoc()), width(0), slots(getCountedSlots(tick)),
      draws(tick, b) {
  if (canBeBuilt())
    width = chooseWidth(tick, vectorBits, maxOperations);
}

static bool hasManyLoads(TickOp tick) {
  auto loads = tick.getBody().getOps<LoadOp>();
  return std::distance(loads.begin(), loads.end()) > kMaxAccesses;
}

/// As many lanes as fill a vector with cells, or fewer if the unrolled body would be too large.
int64_t TickRows::chooseWidth(TickOp tick, int64_t vectorBits, int64_t maxOperations) {
  Type element = cast<MemRefType>(tick.getTarget().getType()).getElementType();
  int64_t extent = *getConstantIntValue(tick.getMixedExtents().back());
  int64_t width = vectorBits / element.getIntOrFloatBitWidth();
  if (hasManyLoads(tick)) // a long chain of sums: interleave several
    width *= kChains;
  while (width > kMinVectorCells &&
         (width > extent || CellBody::countOperations(tick, width, vectorBits) > maxOperations))
    width /= 2;
  return CellBody::countOperations(tick, width, vectorBits) <= maxOperations ? width : 0;
}

/// A loop, a draw or too many loads keep LLVM from vectorizing the row.
static bool needsVectors(TickOp tick) {
  if (hasManyLoads(tick))
    return true;
  return tick.getBody()
      .walk([](Operation *op) {
        bool needs = isa<scf::ForOp, AgreeOp>(op) || isDraw(op);
        return needs ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool TickRows::canBeBuilt() {
  auto target = dyn_cast<MemRefType>(tick.getTarget().getType());
  if (!target || tick.getRank() == 0 || !tick.isCellwise() || tick.getScores() || tick.getCells() ||
      tick.getInstall().getSettled() || !target.isLastDimUnitStride())
    return false;
  Type element = target.getElementType();
  std::optional<int64_t> extent = getConstantIntValue(tick.getMixedExtents().back());
  return extent && *extent >= kMinVectorCells &&
         getConstantIntValue(tick.getMixedOffsets().back()) && element.isIntOrFloat() &&
         element.getIntOrFloatBitWidth() >= 8 && needsVectors(tick) && CellBody::isFit(tick);
}

//===----------------------------------------------------------------------===//
// One vector
//===----------------------------------------------------------------------===//

Value TickRows::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

/// The indices of the cell at a position of the row.
SmallVector<Value> TickRows::indicesAt(Value position) {
  SmallVector<Value> indices(rowIndices);
  Value step = index(tick.getStridesOrOnes().back());
  Value offset = getValueOrCreateConstantIndexOp(b, loc, tick.getMixedOffsets().back());
  Value moved = b.createOrFold<arith::MulIOp>(loc, position, step);
  indices.push_back(b.createOrFold<arith::AddIOp>(loc, moved, offset));
  return indices;
}

/// The number of true lanes among the first `count`.
Value TickRows::countLanes(Value flags, int64_t count) {
  if (count < width) {
    SmallVector<bool> bits;
    for (int64_t lane = 0; lane < width; ++lane)
      bits.push_back(lane < count);
    Value mask = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(cast<ShapedType>(flags.getType()), bits));
    Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(flags.getType()));
    flags = arith::SelectOp::create(b, loc, mask, flags, none);
  }
  auto word = VectorType::get({1}, b.getIntegerType(width));
  Value bits = vector::BitCastOp::create(b, loc, word, flags);
  bits = vector::ExtractOp::create(b, loc, bits, ArrayRef<int64_t>{0});
  bits = math::CtPopOp::create(b, loc, bits);
  return width == 64 ? bits : arith::ExtUIOp::create(b, loc, b.getI64Type(), bits);
}

TickRows::Computed TickRows::compute(Value position, int64_t count, ValueRange sums) {
  draws.enterVector(position);
  CellBody body(tick, b, width, draws, {indicesAt(position), count});
  body.build();
  InstallOp install = tick.getInstall();
  Computed result{body.vectorOf(install.getToken()), SmallVector<Value>(sums)};
  if (!matchPattern(install.getCondition(), m_One()))
    result.token = arith::SelectOp::create(b, loc, body.vectorOf(install.getCondition()),
                                           result.token, loadTokens(position, count));
  for (auto [slot, sum] : llvm::zip_equal(slots, result.sums))
    for (auto [tally, wanted] : llvm::zip_equal(install.getTallies(), install.getSlots()))
      if (slot == wanted)
        sum = arith::AddIOp::create(b, loc, sum, countLanes(body.vectorOf(tally), count));
  return result;
}

/// The present tokens of the cells from a position on.
Value TickRows::loadTokens(Value position, int64_t count) {
  CellBody body(tick, b, width, draws, {indicesAt(position), count});
  SmallVector<std::pair<unsigned, int64_t>> home;
  for (unsigned axis = 0; axis < tick.getRank(); ++axis)
    home.push_back({axis, 0});
  return body.load(tick.getTarget(), home);
}

void TickRows::store(Value token, Value position, int64_t count) {
  CellBody::store(b, loc, tick, token, indicesAt(position), count);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// All whole vectors of a row. Where other cells of the row lie between them, a vector is stored
/// after the next one is computed: a load that overlaps a recent store stalls on it, and the cells
/// of this vector that the next one reads are not of its colour. The first iteration stores present
/// tokens.
SmallVector<Value> TickRows::emitWhole(int64_t numWhole, SmallVector<Value> sums) {
  bool isLate = tick.getStridesOrOnes().back() > 1;
  SmallVector<Value> carried(sums), left = draws.getCarried();
  llvm::append_range(carried, left);
  if (isLate)
    llvm::append_values(carried, loadTokens(index(0), width), index(0));
  auto loop = scf::ForOp::create(b, loc, index(0), index(numWhole * width), index(width), carried);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ValueRange now = loop.getRegionIterArgs();
    Value position = loop.getInductionVar();
    draws.setCarried(now.slice(sums.size(), left.size()));
    Computed next = compute(position, width, now.take_front(sums.size()));
    SmallVector<Value> yielded(next.sums);
    llvm::append_range(yielded, draws.getCarried());
    if (isLate) {
      store(now.drop_back().back(), now.back(), width);
      llvm::append_values(yielded, next.token, position);
    } else {
      store(next.token, position, width);
    }
    if (!yielded.empty()) // otherwise the loop came with its terminator
      scf::YieldOp::create(b, loc, yielded);
  }
  draws.setCarried(loop.getResults().slice(sums.size(), left.size()));
  if (isLate)
    store(loop.getResults().drop_back().back(), loop.getResults().back(), width);
  return llvm::to_vector_of<Value>(loop.getResults().take_front(sums.size()));
}

void TickRows::addSums(ValueRange sums) {
  for (auto [slot, sum] : llvm::zip_equal(slots, sums)) {
    Value old = memref::LoadOp::create(b, loc, tick.getCounts(), index(slot));
    Value all = arith::AddIOp::create(b, loc, old, sum);
    memref::StoreOp::create(b, loc, all, tick.getCounts(), index(slot));
  }
}

void TickRows::emitRow() {
  draws.enterRow(rowIndices);
  int64_t extent = *getConstantIntValue(tick.getMixedExtents().back());
  int64_t numWhole = extent / width, rest = extent % width;
  SmallVector<Value> sums;
  for (size_t i = 0; i < slots.size(); ++i)
    sums.push_back(arith::ConstantIntOp::create(b, loc, 0, 64));
  if (numWhole > 0)
    sums = emitWhole(numWhole, sums);
  if (rest > 0) {
    took(tick, Way::RemainderUnderMask);
    Value position = index(numWhole * width);
    Computed last = compute(position, rest, sums);
    store(last.token, position, rest);
    sums = last.sums;
  }
  addSums(sums);
}

/// Names the operation that becomes a function of the tick's name: the loop over the first axis, or
/// the whole of a single row.
void TickRows::setName(Operation *whole) {
  whole->setAttr("lci.name", b.getStringAttr(tick.getName()));
}

void TickRows::emit() {
  took(tick, Way::RowsByVectors);
  draws.prepare(width);
  if (tick.getRank() == 1) {
    auto row = scf::ExecuteRegionOp::create(b, loc, TypeRange());
    row.setNoInline(true);
    setName(row);
    b.createBlock(&row.getRegion());
    emitRow();
    scf::YieldOp::create(b, loc);
    return;
  }
  // Named variables, because a view that drops the last element does not extend their lifetime.
  SmallVector<OpFoldResult> offsets = tick.getMixedOffsets(), extents = tick.getMixedExtents();
  SmallVector<int64_t> strides = tick.getStridesOrOnes();
  for (auto [offset, extent, stride] : llvm::drop_end(llvm::zip_equal(offsets, extents, strides))) {
    Value end = getValueOrCreateConstantIndexOp(b, loc, extent);
    auto loop = scf::ForOp::create(b, loc, index(0), end, index(1));
    if (rowIndices.empty())
      setName(loop);
    b.setInsertionPointToStart(loop.getBody());
    Value first = getValueOrCreateConstantIndexOp(b, loc, offset);
    Value moved = b.createOrFold<arith::MulIOp>(loc, loop.getInductionVar(), index(stride));
    rowIndices.push_back(b.createOrFold<arith::AddIOp>(loc, moved, first));
  }
  emitRow();
}
