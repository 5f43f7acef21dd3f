//===- ExactComparisons.cpp - Integer instead of float comparisons --------===//
//
// Works on the bodies of ticks before they are lowered. A float cast from an
// integer of at most 24 bits is exact, so its comparisons and differences are
// computed on integers, whose ranges later passes know.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/ExactComparisons.h"
#include "LCI/Transforms/Support/IntegerRanges.h"

using namespace mlir;
using namespace mlir::lci;

std::optional<arith::CmpIPredicate> mlir::lci::getExactPredicate(arith::CmpFPredicate predicate) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  switch (predicate) {
  case F::OEQ:
  case F::UEQ:
    return I::eq;
  case F::ONE:
  case F::UNE:
    return I::ne;
  case F::OLT:
  case F::ULT:
    return I::slt;
  case F::OLE:
  case F::ULE:
    return I::sle;
  case F::OGT:
  case F::UGT:
    return I::sgt;
  case F::OGE:
  case F::UGE:
    return I::sge;
  case F::AlwaysFalse:
  case F::AlwaysTrue:
  case F::ORD:
  case F::UNO:
    return std::nullopt;
  }
  llvm_unreachable("all predicates are listed");
}

bool mlir::lci::holdsForNumbers(arith::CmpFPredicate predicate) {
  return predicate == arith::CmpFPredicate::AlwaysTrue || predicate == arith::CmpFPredicate::ORD;
}

TypedAttr mlir::lci::getBoolean(Type type, bool truth) {
  auto element = BoolAttr::get(type.getContext(), truth);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return DenseElementsAttr::get(shaped, Attribute(element));
  return element;
}

/// The cast that produces a float from an integer. A winner's score is one of the candidates'
/// scores.
static arith::SIToFPOp findCast(Value value) {
  if (auto agree = value.getDefiningOp<AgreeOp>(); agree && value == agree.getScore())
    value = agree.getCandidate().getScore();
  return value.getDefiningOp<arith::SIToFPOp>();
}

/// Whether an operation compares or subtracts floats that were cast from integers.
static bool isOnIntegers(Operation *op) {
  return isa<arith::CmpFOp, arith::SubFOp>(op) && llvm::all_of(op->getOperands(), findCast);
}

namespace {

/// Replaces operations of one tick, in order.
class OnIntegers {
public:
  OnIntegers(MLIRContext *context, DataFlowSolver &solver) : rewriter(context), solver(solver) {}

  void replace(Operation *op) {
    if (!llvm::all_of(op->getOperands(), [&](Value value) { return isExact(value); }))
      return;
    Value a = integerBehind(op->getOperand(0)), b = integerBehind(op->getOperand(1));
    rewriter.setInsertionPoint(op);
    if (auto difference = dyn_cast<arith::SubFOp>(op))
      subtract(difference, a, b);
    else
      compare(cast<arith::CmpFOp>(op), a, b);
  }

private:
  const ConstantIntRanges *rangeOf(Value integer) {
    auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(integer);
    return lattice && !lattice->getValue().isUninitialized() ? &lattice->getValue().getValue()
                                                             : nullptr;
  }

  /// Whether a float was cast from an integer that it represents exactly.
  bool isExact(Value value) {
    arith::SIToFPOp made = findCast(value);
    if (!made || !value.getType().isF32() || !made.getIn().getType().isInteger(64))
      return false;
    constexpr int64_t most = int64_t(1) << 24;
    const ConstantIntRanges *range = rangeOf(made.getIn());
    return range && range->smin().sge(-most) && range->smax().sle(most);
  }

  Value integerBehind(Value value) {
    if (auto made = value.getDefiningOp<arith::SIToFPOp>())
      return made.getIn();
    Value &integer = winnerScores[value];
    if (!integer)
      integer = emitWinnerScore(value.getDefiningOp<AgreeOp>());
    return integer;
  }

  /// A winner's score as an integer. Its range is that of the candidates, or 0 if there is none;
  /// clamping it makes the range known to later analyses.
  Value emitWinnerScore(AgreeOp agree) {
    Location loc = agree.getLoc();
    const ConstantIntRanges &range = *rangeOf(findCast(agree.getScore()).getIn());
    rewriter.setInsertionPointAfter(agree);
    auto constant = [&](int64_t number) -> Value {
      return arith::ConstantIntOp::create(rewriter, loc, number, 64);
    };
    int64_t low = std::min<int64_t>(range.smin().getSExtValue(), 0);
    int64_t high = std::max<int64_t>(range.smax().getSExtValue(), 0);
    Value score = arith::FPToSIOp::create(rewriter, loc, rewriter.getI64Type(), agree.getScore());
    score = arith::MaxSIOp::create(rewriter, loc, score, constant(low));
    return arith::MinSIOp::create(rewriter, loc, score, constant(high));
  }

  /// Both are rounded once, if at all.
  void subtract(arith::SubFOp op, Value a, Value b) {
    Value difference = arith::SubIOp::create(rewriter, op.getLoc(), a, b);
    differences[{op->getBlock(), a, b}] = difference;
    rewriter.replaceOpWithNewOp<arith::SIToFPOp>(op, op.getType(), difference);
  }

  /// An existing difference is compared with zero instead: then it may be the only value needed.
  void compare(arith::CmpFOp op, Value a, Value b) {
    auto predicate = getExactPredicate(op.getPredicate());
    if (!predicate) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, getBoolean(op.getType(), holdsForNumbers(op.getPredicate())));
      return;
    }
    if (Value difference = differences.lookup({op->getBlock(), a, b})) {
      a = difference;
      b = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 64);
    }
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, *predicate, a, b);
  }

  IRRewriter rewriter;
  DataFlowSolver &solver;
  llvm::DenseMap<Value, Value> winnerScores;
  llvm::DenseMap<std::tuple<Block *, Value, Value>, Value> differences;
};

} // namespace

LogicalResult mlir::lci::computeOnIntegers(TickOp tick) {
  SmallVector<Operation *> ops;
  tick.getBody().walk([&](Operation *op) {
    if (isOnIntegers(op))
      ops.push_back(op);
  });
  DataFlowSolver solver;
  if (!ops.empty() && failed(analyzeRanges(solver, tick)))
    return failure();
  OnIntegers integers(tick.getContext(), solver);
  for (Operation *op : ops)
    integers.replace(op);
  return success();
}
