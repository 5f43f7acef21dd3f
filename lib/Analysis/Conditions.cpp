//===- Conditions.cpp - Booleans of bodies as index sets ------------------===//
//
// Translates conditions of a body, built from comparisons of affine forms, palettes and boolean
// operations, to the set of points of the indices at which they hold. Anything else is unknown.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Presence.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

namespace {
/// Reads comparisons of affine functions of the indices.
class ConditionReader {
  /// Values at the end of longer chains of operations count as unknown.
  static constexpr unsigned kMaxDepth = 1000;

public:
  explicit ConditionReader(const IndexDomain &domain, PaletteReader palettes = {})
      : domain(domain), palettes(std::move(palettes)),
        space(PresburgerSpace::getRelationSpace(domain.getNumIndices(), 0)) {}

  std::optional<PresburgerRelation> read(Value condition) {
    if (depth == kMaxDepth)
      return std::nullopt;
    ++depth;
    llvm::scope_exit leave([&] { --depth; });
    APInt constant;
    if (matchPattern(condition, m_ConstantInt(&constant)))
      return constant.isZero() ? PresburgerRelation::getEmpty(space)
                               : PresburgerRelation::getUniverse(space);
    Operation *op = condition.getDefiningOp();
    if (auto let = dyn_cast_or_null<LetOp>(op))
      return read(let.getValue());
    if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op))
      return readComparison(compare);
    if (auto member = dyn_cast_or_null<InPaletteOp>(op))
      return palettes ? readMember(member) : std::nullopt;
    if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
      return std::nullopt;
    std::optional<PresburgerRelation> left = read(op->getOperand(0));
    std::optional<PresburgerRelation> right = left ? read(op->getOperand(1)) : std::nullopt;
    if (!right)
      return std::nullopt;
    if (isa<arith::AndIOp>(op))
      return left->intersect(*right);
    if (isa<arith::OrIOp>(op))
      return left->unionSet(*right);
    return subtract(*left, *right).unionSet(subtract(*right, *left));
  }

  std::optional<PresburgerRelation> readWithin(Value integer, int64_t first, int64_t last) {
    AffineSystem system(domain.getNumIndices(), 0);
    std::optional<Linear> form = readForm(integer, system);
    if (!form)
      return std::nullopt;
    system.addNonNegative(*form - Linear(first));
    system.addNonNegative(Linear(last) - *form);
    return PresburgerRelation(system.get());
  }

private:
  std::optional<PresburgerRelation> readMember(InPaletteOp member) {
    auto all = PresburgerRelation::getEmpty(space);
    for (IndexRange run : palettes(member.getPalette())) {
      std::optional<PresburgerRelation> some = readWithin(member.getToken(), run.lower, run.upper);
      if (!some)
        return std::nullopt;
      all.unionInPlace(*some);
    }
    return all;
  }

  std::optional<PresburgerRelation> readComparison(arith::CmpIOp compare) {
    AffineSystem system(domain.getNumIndices(), 0);
    std::optional<Linear> left = readForm(compare.getLhs(), system);
    std::optional<Linear> right = left ? readForm(compare.getRhs(), system) : std::nullopt;
    if (!right)
      return std::nullopt;
    Linear difference = *left - *right, negated = *right - *left, one(1);
    auto where = [&](ArrayRef<Linear> forms) { // one of them is not negative
      auto all = PresburgerRelation::getEmpty(space);
      for (const Linear &form : forms) {
        AffineSystem conjunction = system;
        conjunction.addNonNegative(form);
        all.unionInPlace(conjunction.get());
      }
      return all;
    };
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::eq:
      system.addZero(difference);
      return PresburgerRelation(system.get());
    case arith::CmpIPredicate::ne:
      return where({difference - one, negated - one});
    case arith::CmpIPredicate::slt:
      return where(negated - one);
    case arith::CmpIPredicate::sle:
      return where(negated);
    case arith::CmpIPredicate::sgt:
      return where(difference - one);
    case arith::CmpIPredicate::sge:
      return where(difference);
    default:
      return std::nullopt;
    }
  }

  std::optional<Linear> readForm(Value value, AffineSystem &system) {
    if (depth == kMaxDepth)
      return std::nullopt;
    ++depth;
    llvm::scope_exit leave([&] { --depth; });
    if (std::optional<unsigned> position = domain.find(value))
      return system.domain(*position);
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return Linear(constant.getSExtValue());
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<arith::IndexCastOp, LetOp, UnwrapOp>(op))
      return readForm(op->getOperand(0), system);
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, FloorDivOp, FloorModOp>(op))
      return std::nullopt;
    std::optional<Linear> left = readForm(op->getOperand(0), system);
    std::optional<Linear> right = left ? readForm(op->getOperand(1), system) : std::nullopt;
    if (!right)
      return std::nullopt;
    if (isa<arith::AddIOp>(op))
      return *left + *right;
    if (isa<arith::SubIOp>(op))
      return *left - *right;
    if (isa<arith::MulIOp>(op) && left->isConstant())
      return *right * left->constant;
    if (!right->isConstant())
      return std::nullopt;
    if (isa<arith::MulIOp>(op))
      return *left * right->constant;
    if (right->constant <= 0)
      return std::nullopt;
    return isa<FloorDivOp>(op) ? system.floorDiv(*left, right->constant)
                               : system.modulo(*left, right->constant);
  }

  const IndexDomain &domain;
  PaletteReader palettes;
  PresburgerSpace space;
  unsigned depth = 0;
};
} // namespace

std::optional<PresburgerRelation>
mlir::lci::getPointsWithin(Value integer, int64_t first, int64_t last, const IndexDomain &domain) {
  return ConditionReader(domain).readWithin(integer, first, last);
}

std::optional<PresburgerRelation> mlir::lci::getPointsWhere(Value condition,
                                                            const IndexDomain &domain,
                                                            const PaletteReader &palettes) {
  return ConditionReader(domain, palettes).read(condition);
}
