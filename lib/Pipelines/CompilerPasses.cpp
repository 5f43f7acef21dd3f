//===- CompilerPasses.cpp - Pass manager of the compiler ------------------===//

#include "LCI/Pipelines/CompilerPasses.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <cstdlib>

using namespace mlir;

namespace {
/// Reports for each pass of this project, by a remark of its name, whether it changed anything.
/// Statistics would report how much, but upstream's libraries count none without assertions.
class ChangeRemarks : public PassInstrumentation {
public:
  void runBeforePass(Pass *pass, Operation *op) override {
    if (isOurs(pass))
      before.try_emplace({pass, op}, op);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    auto found = before.find({pass, op});
    if (found == before.end())
      return;
    bool isChanged = found->second != OperationFingerPrint(op);
    before.erase(found);
    auto about = remark::RemarkOpts::name(pass->getArgument()).category(mlir::lci::kChangeCategory);
    if (isChanged)
      remark::passed(op->getLoc(), about) << "changed";
    else
      remark::missed(op->getLoc(), about) << "as it was";
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override { before.erase({pass, op}); }

private:
  static bool isOurs(Pass *pass) {
    return pass->getArgument().starts_with("lci-") ||
           pass->getArgument().starts_with("convert-lci-");
  }

  llvm::DenseMap<std::pair<Pass *, Operation *>, OperationFingerPrint> before;
};
} // namespace

static bool verifiesEachPass() {
#ifdef NDEBUG
  return std::getenv("LMPM_VERIFY_PASSES");
#else
  return true;
#endif
}

mlir::lci::CompilerPasses::CompilerPasses(MLIRContext *context) : PassManager(context) {
  enableVerifier(verifiesEachPass());
  applyDefaultTimingPassManagerCLOptions(*this);
  if (context->getRemarkEngine())
    addInstrumentation(std::make_unique<ChangeRemarks>());
}
