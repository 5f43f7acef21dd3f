//===- Interfaces.h - Register interfaces for pipelines ---------*- C++ -*-===//
//
// Upstream's dialects do not bring the interfaces along by which they are bufferized, converted and
// translated; the creator of a context registers them. `lci::registerAllDialects` does all of it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_PIPELINES_INTERFACES_H
#define LCI_PIPELINES_INTERFACES_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::lci {

/// Every upstream dialect that occurs on some level of the ladder, so that all of them parse.
void registerLadderDialects(DialectRegistry &registry);

/// For `lci-to-linalg-pipeline`: models on tensors become models on buffers.
void registerBufferInterfaces(DialectRegistry &registry);

/// For `lci-to-nvvm-pipeline` and `lci-to-ptx-pipeline` in addition: conversions to the llvm
/// dialect, the targets of GPUs, and translations to LLVM IR.
void registerKernelInterfaces(DialectRegistry &registry);

} // namespace mlir::lci

#endif // LCI_PIPELINES_INTERFACES_H
