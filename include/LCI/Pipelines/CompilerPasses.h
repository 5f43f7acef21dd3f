//===- CompilerPasses.h - Passes that a compiler runs -----------*- C++ -*-===//

#ifndef LCI_PIPELINES_COMPILERPASSES_H
#define LCI_PIPELINES_COMPILERPASSES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Passes over what a user never sees, inside of tools and libraries. IR is verified after each of
/// them in builds with assertions, and wherever the environment has `LMPM_VERIFY_PASSES`, as
/// whatever runs tests does; elsewhere that would be a fifth of the time to compile.
/// `--mlir-timing` says where the time goes.
class CompilerPasses : public PassManager {
public:
  explicit CompilerPasses(MLIRContext *context);
};

} // namespace mlir::lci

#endif // LCI_PIPELINES_COMPILERPASSES_H
