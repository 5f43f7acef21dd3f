//===- ExactComparisons.cpp - Floats that are integers --------------------===//

#include "ExactComparisons.h"
#include "IntegerRanges.h"

using namespace mlir;
using namespace mlir::lci;

std::optional<arith::CmpIPredicate> lci::getExactPredicate(arith::CmpFPredicate predicate) {
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

bool lci::holdsForNumbers(arith::CmpFPredicate predicate) {
  return predicate == arith::CmpFPredicate::AlwaysTrue || predicate == arith::CmpFPredicate::ORD;
}

TypedAttr lci::getTruth(Type type, bool truth) {
  auto element = BoolAttr::get(type.getContext(), truth);
  if (auto shaped = dyn_cast<ShapedType>(type))
    return DenseElementsAttr::get(shaped, Attribute(element));
  return element;
}

/// The integer that a float was made from exactly, by its range.
static Value integerBehind(Value value, DataFlowSolver &solver) {
  auto made = value.getDefiningOp<arith::SIToFPOp>();
  if (!made || !value.getType().isF32() || !made.getIn().getType().isInteger(64))
    return nullptr;
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(made.getIn());
  if (!lattice || lattice->getValue().isUninitialized())
    return nullptr;
  constexpr int64_t most = int64_t(1) << 24;
  const ConstantIntRanges &range = lattice->getValue().getValue();
  return range.smin().sge(-most) && range.smax().sle(most) ? made.getIn() : Value();
}

/// Whether an operation compares or subtracts floats that were made from integers.
static bool isOnIntegers(Operation *op) {
  return isa<arith::CmpFOp, arith::SubFOp>(op) && llvm::all_of(op->getOperands(), [](Value value) {
           return value.getDefiningOp<arith::SIToFPOp>();
         });
}

namespace {

/// Operations of one tick, in order.
class OnIntegers {
public:
  explicit OnIntegers(MLIRContext *context) : rewriter(context) {}

  void replace(Operation *op, Value a, Value b) {
    rewriter.setInsertionPoint(op);
    if (auto difference = dyn_cast<arith::SubFOp>(op))
      subtract(difference, a, b);
    else
      compare(cast<arith::CmpFOp>(op), a, b);
  }

private:
  /// Both are rounded once, if at all.
  void subtract(arith::SubFOp op, Value a, Value b) {
    Value difference = arith::SubIOp::create(rewriter, op.getLoc(), a, b);
    differences[{op->getBlock(), a, b}] = difference;
    rewriter.replaceOpWithNewOp<arith::SIToFPOp>(op, op.getType(), difference);
  }

  /// A difference that is there anyway is compared with zero: then it may be all that decides.
  void compare(arith::CmpFOp op, Value a, Value b) {
    auto predicate = getExactPredicate(op.getPredicate());
    if (!predicate) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, getTruth(op.getType(), holdsForNumbers(op.getPredicate())));
      return;
    }
    if (Value difference = differences.lookup({op->getBlock(), a, b})) {
      a = difference;
      b = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 64);
    }
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, *predicate, a, b);
  }

  IRRewriter rewriter;
  llvm::DenseMap<std::tuple<Block *, Value, Value>, Value> differences;
};

} // namespace

LogicalResult lci::computeOnIntegers(TickOp tick) {
  SmallVector<Operation *> ops;
  tick.getBody().walk([&](Operation *op) {
    if (isOnIntegers(op))
      ops.push_back(op);
  });
  DataFlowSolver solver;
  if (!ops.empty() && failed(analyzeRanges(solver, tick)))
    return failure();
  OnIntegers integers(tick.getContext());
  for (Operation *op : ops) {
    Value a = integerBehind(op->getOperand(0), solver);
    Value b = integerBehind(op->getOperand(1), solver);
    if (a && b)
      integers.replace(op, a, b);
  }
  return success();
}
