//===- InitAllDialects.h - Registers every dialect --------------*- C++ -*-===//
//
// The only entry point that registers this project's dialects and the interfaces they implement for
// others. A tool that reads every level of the ladder registers upstream's dialects beside them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INITALLDIALECTS_H
#define LCI_INITALLDIALECTS_H

#include "LCI/Dialect/LCIDialect.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::lci {

/// Registers the dialects of this project.
inline void registerAllDialects(DialectRegistry &registry) { registry.insert<LCIDialect>(); }

} // namespace mlir::lci

#endif // LCI_INITALLDIALECTS_H
