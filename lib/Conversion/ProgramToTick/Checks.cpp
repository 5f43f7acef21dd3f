//===- Checks.cpp - Constraints and levels of a candidate -----------------===//

#include "Agreement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::lci;

Value Agreement::speaks(ConstraintOp constraint) {
  Value speaks = body.contains(constraint.getWhere(), body.indices());
  if (constraint.getRegion())
    speaks = body.both(speaks, body.inRegion(*constraint.getRegion(), *constraint.getAxis()));
  return speaks;
}

FailureOr<Maybe> Agreement::check(ConstraintOp constraint, Value token) {
  SmallVector<Value> at = body.indices();
  Value speaks = this->speaks(constraint);
  Block &predicate = constraint.getBody().front();
  for (auto [argument, index] : llvm::zip(predicate.getArguments(), at))
    body.map(argument, index);
  body.map(predicate.getArguments().back(), token);
  for (auto changes : predicate.getOps<ChangesOp>())
    body.map(changes.getResult(),
             body.both(keep.present, body.negate(sameToken(token, keep.value))));
  if (failed(body.lower(predicate)))
    return failure();
  Value holds = body.lookup(cast<YieldOp>(predicate.getTerminator()).getValue());
  if (constraint.getMood() == Mood::Forbid)
    holds = body.negate(holds);
  return Maybe{holds, speaks};
}

FailureOr<Agreement::Verdict> Agreement::judge(ConstraintOp constraint, Value token) {
  FailureOr<Maybe> holds = check(constraint, token);
  if (failed(holds))
    return failure();
  Value enabled = body.import(body.enabled(constraint.getSymName()));
  return Verdict{enabled, body.both(enabled, holds->present), holds->value};
}

LogicalResult Agreement::rank(Candidate &candidate, ConstraintOp without) {
  bool weighs = commit.getWeighted() || commit.getPolicy() == Policy::SatisfyWeighted;
  bool byPriority = !weighs && commit.getPolicy() != Policy::SatisfyCount;
  unsigned numLevels = byPriority ? priorities.size() : std::min<size_t>(priorities.size(), 1);
  SmallVector<Value> levels(numLevels, body.integer(0));
  Location loc = body.loc();
  for (ConstraintOp constraint : constraints) {
    if (constraint == without)
      continue;
    FailureOr<Verdict> verdict = judge(constraint, candidate.token);
    if (failed(verdict))
      return failure();
    // Where a constraint is disabled or does not apply, every candidate satisfies it alike.
    Value applies = verdict->applies, holds = verdict->holds;
    // A weight is added to a score only if the constraint applies.
    // S-RECORD: a record counts constraints that held, with the same result for all candidates.
    bool mustSpeak = commit.getWeighted() || part.kind == CommitPart::Level;
    Value satisfied = mustSpeak && !constraint.cannotBeOutvoted()
                          ? body.both(applies, holds)
                          : body.either(body.negate(applies), holds);
    if (constraint.cannotBeOutvoted()) {
      candidate.admissible = body.both(candidate.admissible, satisfied);
      continue;
    }
    Value gain = body.integer(weighs ? constraint.getPriority() : 1);
    gain = arith::SelectOp::create(b, loc, satisfied, gain, body.integer(0));
    unsigned level = byPriority
                         ? llvm::find(priorities, static_cast<int64_t>(constraint.getPriority())) -
                               priorities.begin()
                         : 0;
    levels[level] = arith::AddIOp::create(b, loc, levels[level], gain);
  }
  if (!commit.getWeighted())
    candidate.levels = levels;
  else if (!levels.empty())
    candidate.weight = levels.front();
  return success();
}

Value Agreement::weigh(const Candidate &candidate) {
  if (!candidate.weight)
    return candidate.score;
  Value weight = arith::SIToFPOp::create(b, body.loc(), b.getF32Type(), candidate.weight);
  return arith::AddFOp::create(b, body.loc(), candidate.score, weight);
}
