//===- SimplifyConstraints.cpp - Fold constraints that are decided --------===//
//
// Folds `lci.reads_future` and constraints that hold for every candidate, and
// rejects contradictions, because every cell evaluates constraints in each
// epoch. Decisions are those of the analyses on integer sets.
//
//===----------------------------------------------------------------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Causality.h"
#include "LCI/Analysis/Constraints.h"
#include "LCI/Analysis/Independence.h"
#include "LCI/Analysis/LockDominance.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Transforms/Program/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SIMPLIFYCONSTRAINTSPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Replaces the predicate by a constant, so that the constraint reads nothing.
static void makeConstant(ConstraintOp constraint) {
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

/// Whether colours depend on the constraint's reads, whatever it decides: without these reads
/// `recolor` would be another schedule.
static bool determinesColours(ConstraintOp constraint) {
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
struct SimplifyConstraints : mlir::lci::impl::SimplifyConstraintsPassBase<SimplifyConstraints> {
  using SimplifyConstraintsPassBase::SimplifyConstraintsPassBase;

  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [&](ProgramOp program) {
      if (failed(decideReadsFuture(program)))
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
      if (determinesColours(constraint)) {
        tell(constraint, " always holds; it stays, because colours follow from what it reads");
        return success();
      }
      tell(constraint, " always holds: it is counted, not computed");
      makeConstant(constraint);
      return success();
    case ConstraintVerdict::Answer::Never:
      return emitError(constraint.getLoc())
             << ErrorId::Contradiction << describe(constraint)
             << " can never hold: no candidate of cell "
             << printCell(constraint.getValue(), verdict.cell) << " satisfies it";
    }
    llvm_unreachable("an answer without a meaning");
  }

  /// `lci-lower-rules` decides a dominating lock before everything else.
  void tellDominance(ConstraintOp lock) {
    Dominance dominance = analyzeDominance(lock);
    if (dominance.dominates)
      tell(lock, " cannot be outvoted: a cell that holds something is not computed");
    else if (dominance.rival)
      tell(lock, " may be outvoted by " + describe(dominance.rival));
    else
      tell(lock, " may be outvoted by a score");
  }

  /// Emits a remark if remarks are enabled.
  void tell(ConstraintOp constraint, const Twine &text) {
    if (remarks)
      emitRemark(constraint.getLoc()) << describe(constraint) << text;
  }

  static LogicalResult refuseContradictions(ProgramOp program) {
    SmallVector<Contradiction> found = findContradictions(program);
    for (const Contradiction &contradiction : found)
      emitContradiction(contradiction);
    return success(found.empty());
  }
};
} // namespace
