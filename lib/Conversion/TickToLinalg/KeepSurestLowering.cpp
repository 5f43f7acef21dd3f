//===- KeepSurestLowering.cpp - Surest cells by a radix selection ---------===//
//
// Scores become integers of the same order. Four counts of eight bits each, from the highest, find
// the score of the last cell that is kept, in time linear in the cells. A last sweep undoes the
// cells below it, and of those equal to it all after the last that is kept.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/Ways.h"
#include "Lowerings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// Eight bits of a key at a time.
constexpr int64_t kDigits = 4, kDigitBits = 8, kBuckets = 256;

/// Builds the loops for one operation.
class Selection {
public:
  Selection(OpBuilder &builder, KeepSurestOp op) : b(builder), op(op), loc(op.getLoc()) {}

  void build() { buildFrom(&op->getParentOfType<func::FuncOp>().getBody().front()); }

  /// Only parallel loops become kernels. Each digit depends on the one before, so the first thread
  /// of a warp does everything; a loop of one iteration would be folded away.
  void buildAsKernel() {
    constexpr int64_t kWarp = 32;
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    Value warp = arith::ConstantIndexOp::create(b, loc, kWarp);
    auto loop = scf::ParallelOp::create(b, loc, zero, warp, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value isFirst = compare(arith::CmpIPredicate::eq, loop.getInductionVars().front(), zero);
    auto branch = scf::IfOp::create(b, loc, isFirst, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    buildFrom(loop.getBody());
  }

private:
  /// `place` is the block in which the histogram is allocated.
  void buildFrom(Block *place) {
    OpBuilder start = OpBuilder::atBlockBegin(place);
    histogram =
        memref::AllocaOp::create(start, loc, MemRefType::get({kBuckets}, start.getI64Type()));
    Value kept = countKept();
    auto [threshold, numEquals] = findThreshold(kept);
    undoRest(threshold, numEquals);
    if (op.getCounts())
      addCount(kept);
  }

  using Step = llvm::function_ref<SmallVector<Value>(ValueRange indices, ValueRange state)>;

  Value integer(int64_t value) { return arith::ConstantIntOp::create(b, loc, value, 64); }
  Value both(Value left, Value right) { return arith::AndIOp::create(b, loc, left, right); }
  Value either(Value left, Value right) { return arith::OrIOp::create(b, loc, left, right); }
  Value add(Value left, Value right) { return arith::AddIOp::create(b, loc, left, right); }
  Value subtract(Value left, Value right) { return arith::SubIOp::create(b, loc, left, right); }
  Value asNumber(Value truth) { return arith::ExtUIOp::create(b, loc, b.getI64Type(), truth); }
  Value load(Value array, ValueRange indices) {
    return memref::LoadOp::create(b, loc, array, indices);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(b, loc, predicate, left, right);
  }
  Value asIndex(Value number) {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
  }

  /// Iterates over all cells in row-major order, with carried values.
  SmallVector<Value> forEachCell(ValueRange initial, Step step) {
    SmallVector<Value> lower, upper, one;
    for (int64_t extent : cast<MemRefType>(op.getAfter().getType()).getShape()) {
      lower.push_back(arith::ConstantIndexOp::create(b, loc, 0));
      upper.push_back(arith::ConstantIndexOp::create(b, loc, extent));
      one.push_back(arith::ConstantIndexOp::create(b, loc, 1));
    }
    if (lower.empty()) // the one cell of a scalar
      return step({}, initial);
    SmallVector<Value> results;
    auto nest = scf::buildLoopNest(
        b, loc, lower, upper, one, initial,
        [&](OpBuilder &, Location, ValueRange indices, ValueRange state) -> scf::ValueVector {
          SmallVector<Value> next = step(indices, state);
          return scf::ValueVector(next.begin(), next.end());
        });
    return SmallVector<Value>(nest.results.begin(), nest.results.end());
  }

  Value bitsOf(Value element) {
    Type type = element.getType(), scalar = getElementTypeOrSelf(type);
    if (!isa<FloatType>(scalar))
      return element;
    Type bits = b.getIntegerType(scalar.getIntOrFloatBitWidth());
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.clone(bits);
    return arith::BitcastOp::create(b, loc, bits, element);
  }

  /// Whether the cell would change; a vector changes if a component does.
  Value differs(ValueRange cell) {
    Value before = bitsOf(load(op.getBefore(), cell)), after = bitsOf(load(op.getAfter(), cell));
    Value changes = compare(arith::CmpIPredicate::ne, before, after);
    if (isa<VectorType>(changes.getType()))
      return vector::ReductionOp::create(b, loc, vector::CombiningKind::OR, changes);
    return changes;
  }

  /// The cell's score as an integer below 2^32 of the same order; every NaN is below all numbers.
  Value keyOf(ValueRange cell) {
    Value score = load(op.getScores(), cell);
    Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
    Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, score, score);
    score = arith::AddFOp::create(b, loc, score, zero); // both zeros are one
    Value bits = asKey(arith::BitcastOp::create(b, loc, b.getI32Type(), score));
    Value sign = integer(int64_t(1) << 31), all = integer(0xffffffff);
    Value isNegative = compare(arith::CmpIPredicate::uge, bits, sign);
    Value flips = select(isNegative, all, sign);
    return select(isNaN, integer(0), arith::XOrIOp::create(b, loc, bits, flips));
  }
  Value asKey(Value bits) { return arith::ExtUIOp::create(b, loc, b.getI64Type(), bits); }

  /// S-SELECT: the fraction of the cells that would change, as one product of f32, rounded up.
  Value countKept() {
    Value changed = forEachCell(integer(0), [&](ValueRange cell, ValueRange state) {
                      return SmallVector<Value>{add(state.front(), asNumber(differs(cell)))};
                    }).front();
    Value number = arith::SIToFPOp::create(b, loc, b.getF32Type(), changed);
    Value fraction = arith::ConstantOp::create(b, loc, op.getFractionAttr());
    Value product = arith::MulFOp::create(b, loc, fraction, number);
    Value kept =
        arith::FPToSIOp::create(b, loc, b.getI64Type(), math::CeilOp::create(b, loc, product));
    return arith::MinSIOp::create(b, loc, kept, changed);
  }

  void clearHistogram() {
    Value first = arith::ConstantIndexOp::create(b, loc, 0);
    Value last = arith::ConstantIndexOp::create(b, loc, kBuckets);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    auto loop = scf::ForOp::create(b, loc, first, last, one);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    memref::StoreOp::create(b, loc, integer(0), histogram, loop.getInductionVar());
  }

  /// Counts the digits at `shift` of the keys that begin with `prefix`.
  void countDigits(Value prefix, Value shift) {
    clearHistogram();
    forEachCell(ValueRange(), [&](ValueRange cell, ValueRange) {
      Value rest = arith::ShRUIOp::create(b, loc, keyOf(cell), shift);
      Value head = arith::ShRUIOp::create(b, loc, rest, integer(kDigitBits));
      Value counts = both(differs(cell), compare(arith::CmpIPredicate::eq, head, prefix));
      Value bucket = asIndex(both(rest, integer(kBuckets - 1)));
      memref::StoreOp::create(b, loc, add(load(histogram, bucket), asNumber(counts)), histogram,
                              bucket);
      return SmallVector<Value>();
    });
  }

  /// The digit of the last key that is kept, if `left` of the counted keys are, and how many of the
  /// keys with this digit are.
  std::pair<Value, Value> findDigit(Value left) {
    SmallVector<Value> start{integer(kBuckets - 1), left};
    auto search = scf::WhileOp::create(
        b, loc, ValueRange(start).getTypes(), start,
        [&](OpBuilder &, Location, ValueRange now) {
          Value here = load(histogram, asIndex(now[0]));
          Value goesOn = both(compare(arith::CmpIPredicate::slt, here, now[1]),
                              compare(arith::CmpIPredicate::sgt, now[0], integer(0)));
          scf::ConditionOp::create(b, loc, goesOn, now);
        },
        [&](OpBuilder &, Location, ValueRange now) {
          Value here = load(histogram, asIndex(now[0]));
          scf::YieldOp::create(b, loc,
                               ValueRange{subtract(now[0], integer(1)), subtract(now[1], here)});
        });
    return {search.getResult(0), search.getResult(1)};
  }

  /// The key of the last cell that is kept, and how many of the cells with this key are kept.
  std::pair<Value, Value> findThreshold(Value kept) {
    auto loop = scf::ForOp::create(b, loc, integer(0), integer(kDigits), integer(1),
                                   ValueRange{integer(0), kept});
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value done = arith::MulIOp::create(b, loc, loop.getInductionVar(), integer(kDigitBits));
    Value prefix = loop.getRegionIterArg(0);
    countDigits(prefix, subtract(integer((kDigits - 1) * kDigitBits), done));
    auto [digit, left] = findDigit(loop.getRegionIterArg(1));
    prefix = arith::ShLIOp::create(b, loc, prefix, integer(kDigitBits));
    scf::YieldOp::create(b, loc, ValueRange{either(prefix, digit), left});
    return {loop.getResult(0), loop.getResult(1)};
  }

  void undoRest(Value threshold, Value numEquals) {
    forEachCell(numEquals, [&](ValueRange cell, ValueRange state) {
      Value key = keyOf(cell), left = state.front();
      Value isEqual = compare(arith::CmpIPredicate::eq, key, threshold);
      Value isLast = both(isEqual, compare(arith::CmpIPredicate::sgt, left, integer(0)));
      Value stays = either(compare(arith::CmpIPredicate::ugt, key, threshold), isLast);
      Value taken = asNumber(both(differs(cell), isLast));
      Value content = select(stays, load(op.getAfter(), cell), load(op.getBefore(), cell));
      memref::StoreOp::create(b, loc, content, op.getAfter(), cell);
      return SmallVector<Value>{subtract(left, taken)};
    });
  }

  void addCount(Value kept) {
    Value slot = arith::ConstantIndexOp::create(b, loc, *op.getSlot());
    Value old = load(op.getCounts(), slot);
    memref::StoreOp::create(b, loc, add(old, kept), op.getCounts(), slot);
  }

  OpBuilder &b;
  KeepSurestOp op;
  Location loc;
  Value histogram;
};

struct KeepSurestLowering : OpConversionPattern<KeepSurestOp> {
  KeepSurestLowering(MLIRContext *context, bool isParallel)
      : OpConversionPattern(context), isParallel(isParallel) {}

  LogicalResult matchAndRewrite(KeepSurestOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getAfter().getType()))
      return rewriter.notifyMatchFailure(op, "a choice on tensors");
    took(op, isParallel ? Way::SurestByThread : Way::SurestByLoops);
    Selection selection(rewriter, op);
    isParallel ? selection.buildAsKernel() : selection.build();
    rewriter.eraseOp(op);
    return success();
  }

  bool isParallel;
};

} // namespace

void mlir::lci::populateKeepSurestLowering(RewritePatternSet &patterns, bool isParallel) {
  patterns.add<KeepSurestLowering>(patterns.getContext(), isParallel);
}
