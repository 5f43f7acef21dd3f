//===- Interfaces.h - What pipelines ask of a context -----------*- C++ -*-===//
//
// Upstream's dialects do not bring the interfaces along by which they are bufferized, converted and
// translated; whoever makes a context registers them. `lci::registerAllDialects` does all of it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_INTERFACES_H
#define LCI_PIPELINES_INTERFACES_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::lci {

/// Every dialect of upstream that some level of the ladder is written in, so that all of them
/// parse.
void registerLadderDialects(DialectRegistry &registry);

/// What `lci-to-linalg-pipeline` asks for: models on tensors become models on buffers.
void registerBufferInterfaces(DialectRegistry &registry);

/// What `lci-to-nvvm-pipeline` and `lci-to-ptx-pipeline` ask for beside it: conversions to the llvm
/// dialect, the targets of GPUs, and translations to LLVM IR.
void registerKernelInterfaces(DialectRegistry &registry);

} // namespace mlir::lci

#endif // LCI_PIPELINES_INTERFACES_H
