//===- CompilerPasses.h - Passes that a compiler runs -----------*- C++ -*-===//

#ifndef LCI_PIPELINES_COMPILERPASSES_H
#define LCI_PIPELINES_COMPILERPASSES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// The category of remarks on passes, each of the pass's name: passed if it changed something.
inline constexpr llvm::StringLiteral kChangeCategory = "lci-changes";

/// Passes over what a user never sees, inside of tools and libraries. IR is verified after each of
/// them in builds with assertions, and wherever the environment has `LMPM_VERIFY_PASSES`, as
/// whatever runs tests does; elsewhere that would be a fifth of the time to compile.
/// `--mlir-timing` says where the time goes. If the context has an engine for remarks, each pass of
/// ours says whether it changed anything.
class CompilerPasses : public PassManager {
public:
  explicit CompilerPasses(MLIRContext *context);
};

} // namespace mlir::lci

#endif // LCI_PIPELINES_COMPILERPASSES_H
