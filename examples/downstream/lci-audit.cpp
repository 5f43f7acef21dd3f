//===- lci-audit.cpp - Another project's compiler with the lci dialect ----===//
//
// Adds one pass of its own beside the installed dialect and passes: `audit-values` says for every
// value which rules propose for it and which constraints guard it, and warns about a value that has
// rules and no commit, whose proposals would have no effect.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

namespace {

/// Says who may change a value; changes nothing itself.
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

  /// How many declarations of one kind speak of a value.
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

} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect>();
  lci::registerAllDialects(registry);
  lci::registerAllPasses();
  PassRegistration<AuditValues>();
  return asMainReturnCode(MlirOptMain(argc, argv, "A compiler that embeds lci\n", registry));
}
