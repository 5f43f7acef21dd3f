//===- Bundling.h - Programs to bundles, and their runs ---------*- C++ -*-===//

#ifndef LCI_DRIVER_BUNDLING_H
#define LCI_DRIVER_BUNDLING_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/Session.h"
#include "LCI/Runtime/BundleRun.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::lci {

/// What code a bundle shall have.
struct BundleOptions {
  /// Back ends, `cpu` and `cuda`; none: both.
  std::vector<std::string> backends;
  /// The level of processors, and the oldest chip.
  std::string level = "x86-64-v3", chip = "sm_80";
  /// Whether parameters and palettes are compiled in; switches may still be turned.
  bool fixed = false;
  /// Whether kernels multiply the matrices of models by tensor cores, in TF32.
  bool tf32 = false;
};

/// Binds and compiles a program, and writes all that a run takes. `name` is what the user calls it.
LogicalResult writeBundle(ProgramOp program, const ::lci::Bindings &bindings, StringRef name,
                          const BundleOptions &options, llvm::raw_ostream &output);

/// Runs a bundle, which is no program any more, as lmpm-run was asked to; what takes the program
/// itself is an error.
ExitStatus runBundle(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace mlir::lci

#endif // LCI_DRIVER_BUNDLING_H
