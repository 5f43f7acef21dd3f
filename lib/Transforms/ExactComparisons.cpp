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

static bool comparesIntegers(arith::CmpFOp op) {
  return op.getLhs().getDefiningOp<arith::SIToFPOp>() &&
         op.getRhs().getDefiningOp<arith::SIToFPOp>();
}

LogicalResult lci::compareExactly(TickOp tick) {
  SmallVector<arith::CmpFOp> comparisons;
  tick.getBody().walk([&](arith::CmpFOp op) {
    if (comparesIntegers(op))
      comparisons.push_back(op);
  });
  DataFlowSolver solver;
  if (!comparisons.empty() && failed(analyzeRanges(solver, tick)))
    return failure();
  IRRewriter rewriter(tick.getContext());
  for (arith::CmpFOp op : comparisons) {
    Value a = integerBehind(op.getLhs(), solver), b = integerBehind(op.getRhs(), solver);
    if (!a || !b)
      continue;
    rewriter.setInsertionPoint(op);
    if (auto predicate = getExactPredicate(op.getPredicate()))
      rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, *predicate, a, b);
    else
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, getTruth(op.getType(), holdsForNumbers(op.getPredicate())));
  }
  return success();
}
