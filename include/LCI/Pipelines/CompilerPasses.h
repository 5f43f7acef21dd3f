//===- CompilerPasses.h - Pass manager of the compiler ----------*- C++ -*-===//
//
// Tools and libraries run passes with it instead of a plain `PassManager`, so that verification,
// timing and remarks are the same everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_COMPILERPASSES_H
#define LCI_PIPELINES_COMPILERPASSES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// The category of remarks on passes, each of the pass's name: passed if it changed something.
inline constexpr llvm::StringLiteral kChangeCategory = "lci-changes";

/// A pass manager for IR inside of tools and libraries. IR is verified after each pass in builds
/// with assertions, and wherever the environment has `LMPM_VERIFY_PASSES`, as in tests; elsewhere
/// verification would take a fifth of the compile time. `--mlir-timing` reports times. If the
/// context has a remark engine, each pass of this project reports whether it changed anything.
class CompilerPasses : public PassManager {
public:
  explicit CompilerPasses(MLIRContext *context);
};

} // namespace mlir::lci

#endif // LCI_PIPELINES_COMPILERPASSES_H
