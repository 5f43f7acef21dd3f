//===- SimplifyConstraints.cpp - Decided constraints become constants -------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Causality.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SIMPLIFYCONSTRAINTSPASS
#include "LCI/Transforms/Passes.h.inc"
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
           << value.getName() << "' reads the future";
  OpBuilder builder(op);
  bool reads = causality.answer == Causality::Answer::Sometimes;
  op.replaceAllUsesWith(
      arith::ConstantIntOp::create(builder, op.getLoc(), reads, /*width=*/1).getResult());
  op.erase();
  return success();
}

namespace {
struct SimplifyConstraints : lci::impl::SimplifyConstraintsPassBase<SimplifyConstraints> {
  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [](ProgramOp program) {
      SmallVector<ReadsFutureOp> questions;
      program.walk([&](ReadsFutureOp op) { questions.push_back(op); });
      for (ReadsFutureOp op : questions)
        if (failed(decide(op)))
          return LogicalResult(failure());
      return LogicalResult(success());
    });
    if (failed(result))
      signalPassFailure();
  }
};
} // namespace
