//===- LockDominance.cpp - Locks that nothing can outvote -----------------===//
//
// Follows S-HARD, S-RANK and S-WEIGHTED: the outcomes of a constraint for keep and for another
// candidate are compared in the worst case.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/LockDominance.h"
#include "LCI/Analysis/Constraints.h"
#include "LCI/Analysis/IndexDomain.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

static BlockArgument getCandidate(ConstraintOp constraint) {
  return constraint.getBody().getArguments().back();
}

bool mlir::lci::isLock(ConstraintOp constraint) {
  Value truth = cast<YieldOp>(constraint.getBody().front().getTerminator()).getValue();
  bool isNegated = false;
  while (Operation *op = truth.getDefiningOp()) {
    if (auto changes = dyn_cast<ChangesOp>(op))
      return changes.getCandidate() == getCandidate(constraint) &&
             isNegated == (constraint.getMood() == Mood::Require);
    if (auto flip = dyn_cast<arith::XOrIOp>(op); flip && matchPattern(flip.getRhs(), m_One())) {
      isNegated = !isNegated;
      truth = flip.getLhs();
    } else if (auto let = dyn_cast<LetOp>(op)) {
      truth = let.getValue();
    } else {
      return false;
    }
  }
  return false;
}

/// Whether two constraints on one value may apply to the same cell; regions are known at run time
/// only.
static bool mayMeet(ConstraintOp left, ConstraintOp right) {
  ValueOp value = left->getParentOfType<ProgramOp>().lookupValue(left.getValue());
  PresburgerRelation cells = IndexDomain::ofCells(value, left.getWhere()).getCells();
  return !cells.intersect(IndexDomain::ofCells(value, right.getWhere()).getCells())
              .isIntegerEmpty();
}

/// The constraints that may prefer another candidate to the cell's contents, where the lock
/// applies. Constraints that always hold or do not use the candidate judge all alike, and other
/// locks prefer keep.
static SmallVector<ConstraintOp> getRivals(ConstraintOp lock) {
  SmallVector<ConstraintOp> rivals;
  auto program = lock->getParentOfType<ProgramOp>();
  for (auto other : getDeclarationsOn<ConstraintOp>(program, lock.getValue())) {
    bool isFriend = isLock(other) && other.getPriority() >= 0; // weights may be negative
    bool isRelevant = other != lock && !isFriend && !getCandidate(other).use_empty();
    if (isRelevant && mayMeet(lock, other) &&
        decideConstraint(other).answer != ConstraintVerdict::Answer::Always)
      rivals.push_back(other);
  }
  return rivals;
}

static CommitOp getCommit(ConstraintOp constraint) {
  auto commits =
      getDeclarationsOn<CommitOp>(constraint->getParentOfType<ProgramOp>(), constraint.getValue());
  return commits.empty() ? CommitOp() : commits.front();
}

/// Whether the sum of the soft rivals' weights is below the lock's weight.
static Dominance compareWeights(ConstraintOp lock, ArrayRef<ConstraintOp> rivals) {
  uint64_t all = 0;
  for (ConstraintOp rival : rivals)
    all = llvm::SaturatingAdd<uint64_t>(all, std::abs(int64_t(rival.getPriority())));
  int64_t mine = lock.getPriority();
  if (mine > 0 && all < static_cast<uint64_t>(mine))
    return {true, nullptr};
  return {false, rivals.empty() ? ConstraintOp() : rivals.front()};
}

/// Whether all rivals are on levels below the lock's.
static Dominance compareLevels(ConstraintOp lock, ArrayRef<ConstraintOp> rivals) {
  for (ConstraintOp rival : rivals)
    if (int64_t(rival.getPriority()) >= int64_t(lock.getPriority()))
      return {false, rival};
  return {true, nullptr};
}

Dominance mlir::lci::analyzeDominance(ConstraintOp lock) {
  // S-HARD: every other candidate is excluded; if keep is too, nothing wins.
  if (lock.cannotBeOutvoted())
    return {true, nullptr};
  SmallVector<ConstraintOp> rivals = getRivals(lock);
  // A hard rival may exclude keep.
  for (ConstraintOp rival : rivals)
    if (rival.cannotBeOutvoted())
      return {false, rival};
  CommitOp commit = getCommit(lock);
  // S-WEIGHTED: a score may be any number.
  if (!commit || commit.getWeighted())
    return {false, nullptr};
  switch (commit.getPolicy()) {
  case Policy::SatisfyCount: // all count alike, and a tie does not suffice
    return {rivals.empty(), rivals.empty() ? ConstraintOp() : rivals.front()};
  case Policy::SatisfyWeighted:
    return compareWeights(lock, rivals);
  case Policy::SatisfyMax:
  case Policy::Accept:
  case Policy::Sample:
  case Policy::Metropolis:
  case Policy::Quorum:
    // The lock alone decides on its level, so that keep is the only one of the equals.
    return compareLevels(lock, rivals);
  }
  llvm_unreachable("a policy without a meaning");
}
