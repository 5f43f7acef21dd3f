//===- AuditValues.cpp - Passes of another project on the lci dialect -----===//
//
// `audit-values` lists, for every value, the rules that propose for it and the constraints that
// guard it, and warns about a value that has rules and no commit, whose proposals would have no
// effect. `drop-names` rewrites by patterns that TableGen generates from Patterns.td.
//
//===----------------------------------------------------------------------===//

#include "AuditValues.h"

#include "LCI/Dialect/LCIOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {
#include "Patterns.inc"

/// Prints the rules and constraints of each value; changes nothing itself.
struct AuditValues : PassWrapper<AuditValues, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AuditValues)

  StringRef getArgument() const override { return "audit-values"; }
  StringRef getDescription() const override { return "Say who proposes for and guards a value"; }

  void runOnOperation() override {
    getOperation().walk([](lci::ProgramOp program) {
      for (auto value : program.getOps<lci::ValueOp>())
        audit(program, value);
    });
    markAllAnalysesPreserved();
  }

  /// The number of declarations of one kind that refer to a value.
  template <typename OpTy>
  static unsigned count(lci::ProgramOp program, lci::ValueOp value) {
    return llvm::count_if(program.getOps<OpTy>(),
                          [&](OpTy op) { return op.getValue() == value.getSymName(); });
  }

  static void audit(lci::ProgramOp program, lci::ValueOp value) {
    unsigned rules = count<lci::RuleOp>(program, value);
    value.emitRemark() << value.getSymName() << ": " << rules << " rules, "
                       << count<lci::ConstraintOp>(program, value) << " constraints";
    if (rules && !value.isSet() && !count<lci::CommitOp>(program, value))
      value.emitWarning() << "expected a commit for " << value.getSymName()
                          << ", whose rules have no effect without one";
  }
};

/// Removes the names that the author of a program gave to constants.
struct DropNames : PassWrapper<DropNames, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropNames)

  StringRef getArgument() const override { return "drop-names"; }
  StringRef getDescription() const override { return "Replace each lci.let by what it names"; }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateWithGenerated(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void registerAuditPasses() {
  PassRegistration<AuditValues>();
  PassRegistration<DropNames>();
}
