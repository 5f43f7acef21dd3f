//===- SimplifyConstraints.cpp - Decided constraints become constants -----===//

#include "CheckSupport.h"
#include "LCI/Analysis/Causality.h"
#include "LCI/Analysis/Constraints.h"
#include "LCI/Analysis/Dominance.h"
#include "LCI/Analysis/Independence.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Transforms/Program/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SIMPLIFYCONSTRAINTSPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Replaces the question by its answer; without one the program is refused, never guessed at.
static LogicalResult decide(ReadsFutureOp op) {
  auto constraint = cast<ConstraintOp>(op->getParentOp());
  ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
  Causality causality = analyzeCausality(value);
  if (causality.answer == Causality::Answer::Unknown)
    return emitError(op.getLoc(), "cannot decide whether '")
           << ErrorId::NotCausal << value.getName() << "' reads the future";
  OpBuilder builder(op);
  bool reads = causality.answer == Causality::Answer::Sometimes;
  op.replaceAllUsesWith(
      arith::ConstantIntOp::create(builder, op.getLoc(), reads, /*width=*/1).getResult());
  op.erase();
  return success();
}

/// The constraint becomes one that holds without looking at anything.
static void makeFact(ConstraintOp constraint) {
  Block &body = constraint.getBody().front();
  auto yield = cast<YieldOp>(body.getTerminator());
  OpBuilder builder(yield);
  bool truth = constraint.getMood() == Mood::Require;
  yield.getValueMutable().assign(
      arith::ConstantIntOp::create(builder, yield.getLoc(), truth, /*width=*/1));
  SmallVector<Operation *> unused =
      llvm::map_to_vector(body.without_terminator(), [](Operation &op) { return &op; });
  for (Operation *op : llvm::reverse(unused))
    if (op->use_empty())
      op->erase();
}

/// Whether the cells' colours follow from what the constraint reads, whatever it decides: without
/// these reads `recolor` would be another schedule.
static bool tellsColours(ConstraintOp constraint) {
  ValueOp value = constraint->getParentOfType<ProgramOp>().lookupValue(constraint.getValue());
  ScheduleOp schedule = getSchedule(value);
  if (!schedule || schedule.getStrategy() != Strategy::Recolor)
    return false;
  auto visited = constraint.walk([&](ReadOp read) {
    return read.getValue() == constraint.getValue() ? WalkResult::interrupt()
                                                    : WalkResult::advance();
  });
  return visited.wasInterrupted();
}

namespace {
struct SimplifyConstraints : lci::impl::SimplifyConstraintsPassBase<SimplifyConstraints> {
  using SimplifyConstraintsPassBase::SimplifyConstraintsPassBase;

  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [&](ProgramOp program) {
      if (failed(answerQuestions(program)))
        return LogicalResult(failure());
      LogicalResult all = success();
      for (auto constraint : program.getOps<ConstraintOp>())
        if (failed(simplify(constraint)))
          all = failure();
      return failed(all) ? all : refuseContradictions(program);
    });
    if (failed(result))
      signalPassFailure();
  }

private:
  static LogicalResult answerQuestions(ProgramOp program) {
    SmallVector<ReadsFutureOp> questions;
    program.walk([&](ReadsFutureOp op) { questions.push_back(op); });
    for (ReadsFutureOp op : questions)
      if (failed(decide(op)))
        return failure();
    return success();
  }

  LogicalResult simplify(ConstraintOp constraint) {
    if (isLock(constraint)) {
      tellDominance(constraint);
      return success();
    }
    ConstraintVerdict verdict = decideConstraint(constraint);
    switch (verdict.answer) {
    case ConstraintVerdict::Answer::Depends:
      return success();
    case ConstraintVerdict::Answer::SpeaksOfNoCell:
      tell(constraint, " speaks of no cell");
      return success();
    case ConstraintVerdict::Answer::Always:
      if (tellsColours(constraint)) {
        tell(constraint, " always holds; it stays, because colours follow from what it reads");
        return success();
      }
      tell(constraint, " always holds: it is counted, not computed");
      makeFact(constraint);
      return success();
    case ConstraintVerdict::Answer::Never:
      return emitError(constraint.getLoc())
             << ErrorId::Contradiction << describe(constraint)
             << " can never hold: no candidate of cell "
             << printCell(constraint.getValue(), verdict.cell) << " satisfies it";
    }
    llvm_unreachable("an answer without a meaning");
  }

  /// A lock that dominates is what `lci-lower-rules` decides before everything else.
  void tellDominance(ConstraintOp lock) {
    Dominance dominance = analyzeDominance(lock);
    if (dominance.dominates)
      tell(lock, " cannot be outvoted: a cell that holds something is not computed");
    else if (dominance.rival)
      tell(lock, " may be outvoted by " + describe(dominance.rival));
    else
      tell(lock, " may be outvoted by a score");
  }

  /// A remark, where remarks are wanted.
  void tell(ConstraintOp constraint, const Twine &what) {
    if (remarks)
      emitRemark(constraint.getLoc()) << describe(constraint) << what;
  }

  static LogicalResult refuseContradictions(ProgramOp program) {
    SmallVector<Contradiction> found = findContradictions(program);
    for (const Contradiction &contradiction : found)
      emitContradiction(contradiction);
    return success(found.empty());
  }
};
} // namespace
