//===- InitAllDialects.h - Registers every dialect --------------*- C++ -*-===//
//
// The only entry point that registers the requirements of a context for every level of the ladder
// and every pipeline: this project's dialect, the upstream dialects of the lower levels, and the
// interfaces by which these are lowered further.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INITALLDIALECTS_H
#define LCI_INITALLDIALECTS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::lci {

/// Registers all of it. Registering some of upstream's dialects or interfaces as well, before or
/// after, changes nothing.
void registerAllDialects(DialectRegistry &registry);

} // namespace mlir::lci

#endif // LCI_INITALLDIALECTS_H
