//===- Checks.cpp - Passes checked by running their results ---------------===//
//
// An instrumentation runs the module after each pass that changed an operation of it, by the
// fingerprint of that operation. Instrumentations cannot fail, so a pass at the end does.
//
//===----------------------------------------------------------------------===//

#include "LCI/Oracle/Checks.h"
#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Errors/ErrorId.h"
#include "LCI/Oracle/Oracle.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Result;
using ::lci::Status;

//===----------------------------------------------------------------------===//
// After each pass
//===----------------------------------------------------------------------===//

namespace {
/// The state of a pipeline that is verified.
struct Verification {
  explicit Verification(const TrialOptions &options) : oracle(options) {}

  Oracle oracle;
  bool isTried = false; ///< whether the module before the first pass was run
  bool hasDifference = false;
  unsigned numCompared = 0;
  std::string reason; ///< why the last module could not be run
};

/// Compares after each pass that changes something.
class RunVerifier : public PassInstrumentation {
public:
  explicit RunVerifier(std::shared_ptr<Verification> known) : known(std::move(known)) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!isWanted(pass))
      return;
    if (!known->isTried)
      refer(moduleOf(op), "");
    known->isTried = true;
    before.try_emplace({pass, op}, op);
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    auto found = before.find({pass, op});
    if (found == before.end())
      return;
    bool isChanged = found->second != OperationFingerPrint(op);
    before.erase(found);
    if (isChanged)
      compare(moduleOf(op), pass->getArgument());
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override { before.erase({pass, op}); }

private:
  /// Not the passes that only contain others.
  bool isWanted(Pass *pass) const { return !known->hasDifference && !pass->getArgument().empty(); }

  static ModuleOp moduleOf(Operation *op) {
    while (Operation *parent = op->getParentOp())
      op = parent;
    return cast<ModuleOp>(op);
  }

  void refer(ModuleOp module, StringRef pass) {
    if (Status run = known->oracle.setReference(module); !run)
      skip(module, pass, run.error());
  }

  void compare(ModuleOp module, StringRef pass) {
    if (!known->oracle.hasReference())
      return refer(module, pass);
    llvm::PrettyStackTraceFormat trace("Running the module after '%s'", pass.str().c_str());
    Result<std::optional<std::string>> difference = known->oracle.findDifference(module);
    if (!difference)
      return skip(module, pass, difference.error());
    ++known->numCompared;
    if (!*difference)
      return;
    known->hasDifference = true;
    emitError(module.getLoc(), "after '")
        << ErrorId::CheckFailed << pass << "' the module means something else: " << **difference;
  }

  /// Says once why a module cannot be run.
  void skip(ModuleOp module, StringRef pass, const std::string &reason) {
    if (known->reason != reason)
      emitRemark(module.getLoc()) << (pass.empty() ? "before the first pass"
                                                   : ("after '" + pass + "'").str())
                                  << " the module cannot be run: " << reason;
    known->reason = reason;
  }

  std::shared_ptr<Verification> known;
  llvm::DenseMap<std::pair<Pass *, Operation *>, OperationFingerPrint> before;
};

/// Ends a pipeline that was verified.
struct EndVerification : PassWrapper<EndVerification, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EndVerification)
  explicit EndVerification(std::shared_ptr<Verification> known) : known(std::move(known)) {}

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (known->hasDifference)
      return signalPassFailure();
    if (known->numCompared == 0) {
      emitError(getOperation().getLoc(), "expected IR that can be run, but got none: ")
          << ErrorId::CannotInterpret
          << (known->reason.empty() ? "no pass changed it" : known->reason);
      return signalPassFailure();
    }
    emitRemark(getOperation().getLoc(), "the same bits after ")
        << known->numCompared << " passes that changed something, in "
        << known->oracle.getOptions().trials << " trials of " << known->oracle.getOptions().epochs
        << " epochs";
  }

  std::shared_ptr<Verification> known;
};

//===----------------------------------------------------------------------===//
// At the end
//===----------------------------------------------------------------------===//

struct CheckEquivalent : PassWrapper<CheckEquivalent, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckEquivalent)
  CheckEquivalent(std::shared_ptr<OwningOpRef<ModuleOp>> other, const TrialOptions &options)
      : other(std::move(other)), options(options) {}

  void runOnOperation() override {
    markAllAnalysesPreserved();
    Oracle oracle(options);
    if (Status run = oracle.setReference(**other); !run)
      return fail(other->get().getLoc(), "cannot be run: " + run.error(), ErrorId::CannotInterpret);
    Result<std::optional<std::string>> difference = oracle.findDifference(getOperation());
    Location here = getOperation().getLoc();
    if (!difference)
      return fail(here, "cannot be run: " + difference.error(), ErrorId::CannotInterpret);
    if (*difference)
      return fail(here, "the modules are not equivalent: " + **difference, ErrorId::CheckFailed);
    emitRemark(here, "the same bits in ")
        << options.trials << " trials of " << options.epochs << " epochs";
  }

  void fail(Location where, const Twine &text, ErrorId id) {
    emitError(where, text) << id;
    signalPassFailure();
  }

  std::shared_ptr<OwningOpRef<ModuleOp>> other;
  TrialOptions options;
};
} // namespace

void mlir::lci::verifyByRunning(PassManager &manager, const TrialOptions &options) {
  auto known = std::make_shared<Verification>(options);
  manager.addInstrumentation(std::make_unique<RunVerifier>(known));
  manager.addPass(std::make_unique<EndVerification>(known));
}

void mlir::lci::checkEquivalent(PassManager &manager, OwningOpRef<ModuleOp> other,
                                const TrialOptions &options) {
  manager.addPass(std::make_unique<CheckEquivalent>(
      std::make_shared<OwningOpRef<ModuleOp>>(std::move(other)), options));
}
