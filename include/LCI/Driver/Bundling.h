//===- Bundling.h - Write and run bundles -----------------------*- C++ -*-===//
//
// The driver's side of bundles: `--lci-to-bundle`, and `lmpm-run` given a bundle in place of a
// program. The file itself and its run without a compiler are in LCI/Runtime/Bundle.h and
// BundleRun.h.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DRIVER_BUNDLING_H
#define LCI_DRIVER_BUNDLING_H

#include "LCI/Bindings/Bindings.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/Session.h"
#include "LCI/Runtime/BundleRun.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::lci {

/// The code that a bundle shall have.
struct BundleOptions {
  /// Back ends, `cpu` and `cuda`; none: both.
  std::vector<std::string> backends;
  /// The processor level, and the oldest chip.
  std::string level = "x86-64-v3", chip = "sm_80";
  /// Whether parameters and palettes are compiled in; switches can still be changed.
  bool fixed = false;
  /// Whether kernels multiply the matrices of models by tensor cores, in TF32.
  bool tf32 = false;
  /// The file of a schedule for the one back end; empty: none.
  std::string schedule;
};

/// Binds and compiles a program, and writes the bundle. `name` is the name of the program for the
/// user.
LogicalResult writeBundle(ProgramOp program, const ::lci::Bindings &bindings, StringRef name,
                          const BundleOptions &options, llvm::raw_ostream &output);

/// The options of a bundle's run; the error names one that needs the program itself, and says
/// which file there is instead.
::lci::Result<::lci::BundleRunOptions> toBundleRun(const RunOptions &options, const char *kind);

/// Runs a bundle with the options of lmpm-run; options that need the program itself are errors.
ExitStatus runBundle(const RunOptions &options, llvm::raw_ostream &out, llvm::raw_ostream &err);

} // namespace mlir::lci

#endif // LCI_DRIVER_BUNDLING_H
