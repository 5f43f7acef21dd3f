//===- CandidateOrder.cpp - The order of candidates -----------------------===//
//
// Builds the comparison of two candidates as arith operations: from the last criterion to the
// first, each criterion decides, or else the result so far. Tokens are compared as integers of the
// same order.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/CandidateOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Builds comparisons from the last criterion to the first.
class Comparison {
public:
  Comparison(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Value both(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
  Value either(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
  Value negate(Value a) {
    Value yes = arith::ConstantOp::create(builder, loc, builder.getOneAttr(a.getType()));
    return arith::XOrIOp::create(builder, loc, a, yes);
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  /// Decided by this criterion, or equal by it and decided by the later ones (`rest`).
  Value decide(Value above, Value equal, Value rest) {
    return rest ? either(above, both(equal, rest)) : above;
  }
  Value decideIntegers(ValueRange left, ValueRange right, Value rest) {
    for (auto [mine, other] : llvm::reverse(llvm::zip_equal(left, right)))
      rest = decide(compare(arith::CmpIPredicate::sgt, mine, other),
                    compare(arith::CmpIPredicate::eq, mine, other), rest);
    return rest;
  }
  /// S-NAN-SCORE: a NaN loses to every number.
  Value decideScores(Value a, Value b, Value rest) {
    Value above =
        both(compare(arith::CmpFPredicate::UGT, a, b), compare(arith::CmpFPredicate::ORD, a, a));
    if (!rest)
      return above;
    Value aIsNaN = compare(arith::CmpFPredicate::UNO, a, a);
    Value bIsNaN = compare(arith::CmpFPredicate::UNO, b, b);
    Value equal = either(compare(arith::CmpFPredicate::OEQ, a, b), both(aIsNaN, bIsNaN));
    return decide(above, equal, rest);
  }

private:
  OpBuilder &builder;
  Location loc;
};
} // namespace

Value mlir::lci::buildRanksAbove(OpBuilder &builder, Location loc, const CandidateRank &left,
                                 const CandidateRank &right, Value equals) {
  Comparison c(builder, loc);
  Value above = c.both(left.proposed, c.negate(right.proposed));
  if (equals)
    above =
        c.decide(above, c.compare(arith::CmpIPredicate::eq, left.proposed, right.proposed), equals);
  above = c.decideIntegers(left.ties, right.ties, above);
  above = c.decideScores(left.score, right.score, above);
  above = c.decideIntegers(left.levels, right.levels, above);
  return c.both(left.admissible, c.either(c.negate(right.admissible), above));
}

SmallVector<Value> mlir::lci::flattenRank(CandidateOp candidate) {
  SmallVector<Value> values{candidate.getAdmissible(), candidate.getScore(),
                            candidate.getProposed()};
  llvm::append_range(values, candidate.getLevels());
  llvm::append_range(values, candidate.getTies());
  return values;
}

/// The rank that follows a token.
static CandidateRank unflattenRank(ValueRange values, unsigned numLevels) {
  CandidateRank rank{values[1], values[2], values[3], {}, {}};
  llvm::append_range(rank.levels, values.slice(4, numLevels));
  llvm::append_range(rank.ties, values.drop_front(4 + numLevels));
  return rank;
}

SmallVector<Value> mlir::lci::buildBetter(OpBuilder &builder, Location loc, ValueRange mine,
                                          ValueRange best, unsigned numLevels) {
  Value better =
      buildRanksAbove(builder, loc, unflattenRank(mine, numLevels), unflattenRank(best, numLevels));
  SmallVector<Value> values;
  for (auto [a, b] : llvm::zip_equal(mine, best))
    values.push_back(arith::SelectOp::create(builder, loc, better, a, b));
  return values;
}

SmallVector<Value> mlir::lci::buildWorst(OpBuilder &builder, Location loc, Value token,
                                         CandidateOp like) {
  Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
  Value score = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
  SmallVector<Value> values{token, no, score, no};
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  values.append(like.getLevels().size() + like.getTies().size(), zero);
  return values;
}

Value mlir::lci::buildSameLevels(OpBuilder &builder, Location loc, ValueRange left,
                                 ValueRange right) {
  Comparison c(builder, loc);
  Value same;
  for (auto [mine, other] : llvm::zip_equal(left, right)) {
    Value equal = c.compare(arith::CmpIPredicate::eq, mine, other);
    same = same ? c.both(same, equal) : equal;
  }
  return same;
}

/// An integer of the same order as the number: below zero the magnitude counts backwards.
static Value buildFloatRank(OpBuilder &builder, Location loc, Value number) {
  Type i32 = builder.getI32Type();
  auto constant = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  };
  Value bits = arith::BitcastOp::create(builder, loc, i32, number);
  Value sign = arith::ShRSIOp::create(builder, loc, bits, constant(31));
  Value flips = arith::AndIOp::create(builder, loc, sign, constant(0x7fffffff));
  return arith::XOrIOp::create(builder, loc, bits, flips);
}

/// Lexicographic: the first component that differs decides.
static Value buildIsLowerVector(OpBuilder &builder, Location loc, Value left, Value right) {
  Value lower = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  for (int64_t i = cast<VectorType>(left.getType()).getDimSize(0); i-- > 0;) {
    Value a = buildFloatRank(builder, loc, vector::ExtractOp::create(builder, loc, left, i));
    Value b = buildFloatRank(builder, loc, vector::ExtractOp::create(builder, loc, right, i));
    Value less = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b);
    Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
    lower = arith::AndIOp::create(builder, loc, same, lower);
    lower = arith::OrIOp::create(builder, loc, less, lower);
  }
  return lower;
}

Value mlir::lci::buildIsLower(OpBuilder &builder, Location loc, Value left, Value right) {
  if (isa<VectorType>(left.getType()))
    return buildIsLowerVector(builder, loc, left, right);
  if (left.getType().isF32()) {
    left = buildFloatRank(builder, loc, left);
    right = buildFloatRank(builder, loc, right);
  }
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, left, right);
}
