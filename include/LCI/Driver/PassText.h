//===- PassText.h - Pipelines as text ---------------------------*- C++ -*-===//
#ifndef LCI_DRIVER_PASSTEXT_H
#define LCI_DRIVER_PASSTEXT_H

#include "LCI/Runtime/Result.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::lci {

/// Adds the passes of a pipeline's text: passes of modules, with `builtin.module(…)` around or
/// without. The passes are registered. A failure names the pass, and the one that was probably
/// meant.
::lci::Status addPasses(OpPassManager &manager, StringRef text);

} // namespace mlir::lci

#endif // LCI_DRIVER_PASSTEXT_H
