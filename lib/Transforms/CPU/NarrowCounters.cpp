//===- NarrowCounters.cpp - Count in as few bits as data takes ------------===//
//
// A 64-bit sum in the innermost loop makes LLVM vectorize it four cells at a time, whatever the
// cells' type. Sums of as many bits as a cell leave the vectorization factor to the cells; where
// these are narrow, strips of the loop are short enough that the sums do not overflow.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/CPU/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::lci {
#define GEN_PASS_DEF_NARROWCOUNTERSPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A counter in memory and the i1 values that each iteration of a loop adds to it.
struct Counter {
  memref::LoadOp load;
  memref::StoreOp store;
  SmallVector<arith::AddIOp> additions; // from the last to the first
  SmallVector<Value> tallies;
};

} // namespace

/// Bits of a sum, and its largest value.
static constexpr unsigned kMinBits = 8, kMaxBits = 32;
static int64_t maxSum(unsigned bits) { return llvm::maskTrailingOnes<uint64_t>(bits); }

/// The counter that a store updates, if it is one and the loop has no other use of it.
static std::optional<Counter> matchCounter(memref::StoreOp store, scf::ForOp loop) {
  if (!store.getValue().getType().isInteger(64) || store->getBlock() != loop.getBody() ||
      !loop.isDefinedOutsideOfLoop(store.getMemRef()) ||
      !llvm::all_of(store.getIndices(), [&](Value v) { return loop.isDefinedOutsideOfLoop(v); }))
    return std::nullopt;
  Counter counter{{}, store, {}, {}};
  Value sum = store.getValue();
  while (auto add = sum.getDefiningOp<arith::AddIOp>()) {
    auto tally = add.getRhs().getDefiningOp<arith::ExtUIOp>();
    if (!tally || !tally.getIn().getType().isInteger(1) || !add->hasOneUse())
      return std::nullopt;
    counter.additions.push_back(add);
    counter.tallies.push_back(tally.getIn());
    sum = add.getLhs();
  }
  counter.load = sum.getDefiningOp<memref::LoadOp>();
  if (!counter.load || counter.tallies.empty() || !counter.load->hasOneUse() ||
      counter.load.getMemRef() != store.getMemRef() || counter.load->getBlock() != loop.getBody() ||
      !llvm::equal(counter.load.getIndices(), store.getIndices()))
    return std::nullopt;
  return counter;
}

/// The counters of an innermost loop.
static SmallVector<Counter> findCounters(scf::ForOp loop) {
  SmallVector<Counter> counters;
  if (!loop.getInitArgs().empty() || getConstantIntValue(loop.getStep()) != 1)
    return counters;
  for (auto store : loop.getBody()->getOps<memref::StoreOp>())
    if (std::optional<Counter> counter = matchCounter(store, loop))
      counters.push_back(std::move(*counter));
  return counters;
}

/// As many bits as the smallest cell that the loop writes; few if it only counts.
static unsigned bitsOfCells(scf::ForOp loop, ArrayRef<Counter> counters) {
  std::optional<unsigned> bits;
  for (auto store : loop.getBody()->getOps<memref::StoreOp>()) {
    Type type = store.getValue().getType();
    bool isCounter = llvm::any_of(counters, [&](const Counter &one) { return one.store == store; });
    if (!isCounter)
      bits = std::min(bits.value_or(kMaxBits),
                      type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : kMinBits);
  }
  return std::max(bits.value_or(kMinBits), kMinBits);
}

/// The most iterations whose sum fits; a divisor of the trip count if possible, so that all strips
/// are whole vectors.
static int64_t stripLength(scf::ForOp loop, ArrayRef<Counter> counters, unsigned bits) {
  size_t most = 1;
  for (const Counter &counter : counters)
    most = std::max(most, counter.tallies.size());
  int64_t limit = std::max<int64_t>(1, maxSum(bits) / static_cast<int64_t>(most));
  int64_t some = bits > kMinBits ? limit : std::min<int64_t>(limit, 192);
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  if (!lower || !upper)
    return some;
  int64_t iterations = *upper - *lower;
  if (iterations <= limit)
    return std::max<int64_t>(iterations, 1);
  return iterations % 128 == 0 && limit >= 128 ? 128 : some;
}

/// Moves the body of the loop into a strip whose counters are sums of few bits carried along.
static scf::ForOp buildStrip(OpBuilder &builder, scf::ForOp loop, Value first, Value last,
                             ArrayRef<Counter> counters, unsigned bits) {
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, bits);
  SmallVector<Value> sums(counters.size(), zero);
  auto strip = scf::ForOp::create(builder, loc, first, last, loop.getStep(), sums);
  if (!strip.getBody()->empty())
    strip.getBody()->getTerminator()->erase();
  loop.getInductionVar().replaceAllUsesWith(strip.getInductionVar());
  Operation *oldEnd = loop.getBody()->getTerminator();
  strip.getBody()->getOperations().splice(strip.getBody()->end(), loop.getBody()->getOperations(),
                                          loop.getBody()->begin(), oldEnd->getIterator());
  OpBuilder inside = OpBuilder::atBlockEnd(strip.getBody());
  SmallVector<Value> next;
  for (auto [counter, sum] : llvm::zip_equal(counters, strip.getRegionIterArgs())) {
    Value total = sum;
    for (Value tally : counter.tallies) {
      Value one = arith::ExtUIOp::create(inside, loc, zero.getType(), tally);
      total = arith::AddIOp::create(inside, loc, total, one);
    }
    next.push_back(total);
  }
  scf::YieldOp::create(inside, loc, next);
  return strip;
}

static void narrowCounters(scf::ForOp loop, MutableArrayRef<Counter> counters) {
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  unsigned bits = bitsOfCells(loop, counters);
  int64_t iterations = stripLength(loop, counters, bits);
  Value length = arith::ConstantIndexOp::create(builder, loc, iterations);
  auto strips =
      scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), length);
  builder.setInsertionPointToStart(strips.getBody());
  Value first = strips.getInductionVar();
  Value last = arith::AddIOp::create(builder, loc, first, length);
  last = arith::MinSIOp::create(builder, loc, last, loop.getUpperBound());
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  if (lower && upper && (*upper - *lower) % iterations == 0)
    last = arith::AddIOp::create(builder, loc, first, length);
  scf::ForOp strip = buildStrip(builder, loop, first, last, counters, bits);
  for (auto &&[counter, sum] : llvm::zip_equal(counters, strip.getResults())) {
    Value before =
        memref::LoadOp::create(builder, loc, counter.load.getMemRef(), counter.load.getIndices());
    Value more = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), sum);
    Value after = arith::AddIOp::create(builder, loc, before, more);
    memref::StoreOp::create(builder, loc, after, counter.store.getMemRef(),
                            counter.store.getIndices());
  }
  for (Counter &counter : counters) {
    counter.store->erase();
    for (arith::AddIOp addition : counter.additions)
      addition->erase();
    counter.load->erase();
  }
  loop.erase();
}

namespace {
struct NarrowCounters : mlir::lci::impl::NarrowCountersPassBase<NarrowCounters> {
  using NarrowCountersPassBase::NarrowCountersPassBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> innermost;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop.getBody()->getOps<scf::ForOp>().empty())
        innermost.push_back(loop);
    });
    for (scf::ForOp loop : innermost)
      if (SmallVector<Counter> counters = findCounters(loop); !counters.empty()) {
        narrowCounters(loop, counters);
        numCounters += counters.size();
      }
  }
};
} // namespace
