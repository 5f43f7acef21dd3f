//===- InitAllDialects.h - Registers every dialect --------------*- C++ -*-===//
//
// The only entry point that registers what a context needs for every level of the ladder and every
// pipeline: this project's dialect, upstream's dialects that lower levels are written in, and the
// interfaces by which these are lowered further.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INITALLDIALECTS_H
#define LCI_INITALLDIALECTS_H

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Pipelines/Interfaces.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::lci {

/// Registers all of it. Whoever registers some of upstream's dialects or interfaces as well, before
/// or after, changes nothing.
inline void registerAllDialects(DialectRegistry &registry) {
  registry.insert<LCIDialect>();
  registerLadderDialects(registry);
  registerBufferInterfaces(registry);
  registerKernelInterfaces(registry);
}

} // namespace mlir::lci

#endif // LCI_INITALLDIALECTS_H
