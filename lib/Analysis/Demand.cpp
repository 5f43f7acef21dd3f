//===- Demand.cpp - Integers where they are used --------------------------===//
//
// Represents the points at which an operation's results are used as unions of affine systems over
// the indices and further unknowns: reads and other values that are not affine. Guards of selects
// and emits restrict them; unknowns are bounded by their ranges.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Demand.h"
#include "LCI/Analysis/Presence.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

namespace {
class DemandAnalysis {
public:
  DemandAnalysis(Operation *user, const RangeAnalysis &ranges)
      : user(user), ranges(ranges), domain(IndexDomain::around(user)),
        numIndices(domain.getNumIndices()) {}

  std::optional<NumberWitness> find(Value integer, NumberQuery query) {
    collect(integer);
    collectGuards(user);
    PresburgerRelation points = getPoints();
    std::optional<PresburgerRelation> within =
        getPointsWithin(integer, query.first, query.last, domain);
    if (within)
      points = query.isInside ? points.intersect(*within) : subtract(points, *within);
    points = points.intersect(getDemand(integer, user));
    std::optional<SmallVector<int64_t>> point = findFirstPoint(points);
    return point ? std::optional<NumberWitness>(getWitness(*point)) : std::nullopt;
  }

private:
  //===--------------------------------------------------------------------===//
  // Unknowns
  //===--------------------------------------------------------------------===//

  /// Finds the unknowns of which a number is a linear form.
  void collect(Value number) {
    SmallVector<Value> open{number};
    while (!open.empty()) {
      Value next = open.pop_back_val();
      APInt constant;
      if (!collected.insert(next).second || domain.find(next) ||
          matchPattern(next, m_ConstantInt(&constant)))
        continue;
      Operation *op = next.getDefiningOp();
      if (isa_and_nonnull<arith::IndexCastOp, LetOp, UnwrapOp>(op))
        open.push_back(op->getOperand(0));
      else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op) || isMultiple(op))
        llvm::append_range(open, llvm::reverse(op->getOperands()));
      else
        addUnknown(next);
    }
  }

  void addUnknown(Value number) {
    for (unsigned i = numIndices; i < domain.getNumIndices(); ++i)
      if (isSameNumber(number, domain.getIndices()[i]))
        return domain.addSame(number, i);
    domain.addUnknown(number);
  }

  static bool isMultiple(Operation *op) {
    APInt factor;
    auto isConstant = [&](unsigned i) {
      return matchPattern(op->getOperand(i), m_ConstantInt(&factor));
    };
    if (isa_and_nonnull<arith::MulIOp>(op))
      return isConstant(0) || isConstant(1);
    return isa_and_nonnull<FloorDivOp, FloorModOp>(op) && isConstant(1) &&
           factor.isStrictlyPositive();
  }

  /// Finds the conditions that select between an operation's results and others.
  void collectGuards(Operation *op) {
    if (!visited.insert(op).second)
      return;
    if (Value guard = getGuard(op))
      collectCondition(guard);
    for (Operation *next : op->getUsers())
      collectGuards(next);
    if (op->hasTrait<OpTrait::IsTerminator>() && isa<ReduceOp, CollectOp>(op->getParentOp()))
      collectGuards(op->getParentOp());
  }

  /// The condition under which an operation uses its other operands.
  static Value getGuard(Operation *op) {
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return select.getCondition();
    auto emit = dyn_cast<EmitOp>(op);
    return emit ? emit.getCondition() : Value();
  }

  void collectCondition(Value condition) {
    Operation *op = condition.getDefiningOp();
    if (auto let = dyn_cast_or_null<LetOp>(op))
      return collectCondition(let.getValue());
    if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
      collect(compare.getLhs());
      collect(compare.getRhs());
    } else if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)) {
      collectCondition(op->getOperand(0));
      collectCondition(op->getOperand(1));
    }
  }

  /// All points of the indices, with every unknown within its range.
  PresburgerRelation getPoints() {
    PresburgerRelation points = domain.getPoints();
    AffineSystem bounds(domain.getNumIndices(), 0);
    for (unsigned i = numIndices; i < domain.getNumIndices(); ++i) {
      Value unknown = domain.getIndices()[i];
      ConstantIntRanges range = ranges.getRange(unknown);
      if (range.smin().isSignedIntN(64) && range.smax().isSignedIntN(64)) {
        bounds.addNonNegative(bounds.domain(i) - Linear(range.smin().getSExtValue()));
        bounds.addNonNegative(Linear(range.smax().getSExtValue()) - bounds.domain(i));
      }
    }
    return points.intersect(PresburgerRelation(bounds.get()));
  }

  //===--------------------------------------------------------------------===//
  // Demand
  //===--------------------------------------------------------------------===//

  PresburgerRelation everywhere() {
    return PresburgerRelation::getUniverse(
        PresburgerSpace::getRelationSpace(domain.getNumIndices(), 0));
  }

  /// Where `op`, which has the number as an operand, uses it.
  PresburgerRelation getDemand(Value number, Operation *op) {
    PresburgerRelation all = getDemand(op);
    Value guard = getGuard(op);
    std::optional<PresburgerRelation> holds =
        guard && guard != number ? getPointsWhere(guard, domain) : std::nullopt;
    if (!holds)
      return all;
    auto select = dyn_cast<arith::SelectOp>(op);
    if (!select || select.getFalseValue() != number)
      return all.intersect(*holds);
    return select.getTrueValue() == number ? all : subtract(all, *holds);
  }

  /// Where some result of an operation is used.
  PresburgerRelation getDemand(Operation *op) {
    auto known = demands.find(op);
    if (known != demands.end())
      return known->second;
    PresburgerRelation all = computeDemand(op);
    if (all.getNumDisjuncts() > kMaxDisjuncts)
      all = everywhere(); // more work than the answer is worth
    demands.try_emplace(op, all);
    return all;
  }

  PresburgerRelation computeDemand(Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>())
      return isa<ReduceOp, CollectOp>(op->getParentOp()) ? getDemand(op->getParentOp())
                                                         : everywhere();
    auto all =
        PresburgerRelation::getEmpty(PresburgerSpace::getRelationSpace(domain.getNumIndices(), 0));
    for (OpOperand &use : op->getUses())
      all.unionInPlace(getDemand(use.get(), use.getOwner()));
    return all;
  }

  NumberWitness getWitness(ArrayRef<int64_t> point) {
    NumberWitness witness;
    witness.cell.assign(point.begin(), point.begin() + domain.getNumCellIndices());
    for (unsigned i = numIndices; i < domain.getNumIndices(); ++i) {
      Value unknown = domain.getIndices()[i];
      if (auto read = unknown.getDefiningOp<ReadOp>())
        witness.reads.emplace_back(read, point[i]);
    }
    return witness;
  }

  /// Unions of more pieces cost more than they exclude.
  static constexpr unsigned kMaxDisjuncts = 32;

  Operation *user;
  const RangeAnalysis &ranges;
  IndexDomain domain; ///< the indices, then the unknowns
  unsigned numIndices;
  DenseSet<Operation *> visited;
  DenseSet<Value> collected;
  DenseMap<Operation *, PresburgerRelation> demands;
};
} // namespace

/// Operands are compared so deep: `V[i+1] ?? 0` is a choice of what a read gives.
static constexpr unsigned kMaxDepth = 4;

static bool isSame(Value left, Value right, unsigned depth) {
  auto one = dyn_cast<OpResult>(left), other = dyn_cast<OpResult>(right);
  if (left == right || depth == 0 || !one || !other ||
      one.getResultNumber() != other.getResultNumber())
    return left == right;
  Operation *op = one.getOwner();
  if (!isa<ReadOp, ParamValueOp, EpochOp>(op) && (op->getNumRegions() > 0 || !isPure(op)))
    return false;
  auto isSameOperand = [&](Value a, Value b) { return success(isSame(a, b, depth - 1)); };
  return OperationEquivalence::isEquivalentTo(op, other.getOwner(), isSameOperand,
                                              /*markEquivalent=*/nullptr,
                                              OperationEquivalence::IgnoreLocations);
}

bool mlir::lci::isSameNumber(Value left, Value right) { return isSame(left, right, kMaxDepth); }

std::optional<NumberWitness> mlir::lci::findNumber(Value integer, Operation *user,
                                                   NumberQuery query, const RangeAnalysis &ranges) {
  return DemandAnalysis(user, ranges).find(integer, query);
}
