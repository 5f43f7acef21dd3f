//===- DebugFlag.h - `--debug-only` of lmpm-opt -----------------*- C++ -*-===//

#ifndef LCI_DRIVER_DEBUGFLAG_H
#define LCI_DRIVER_DEBUGFLAG_H

namespace mlir::lci {

/// Adds the flag `--debug-only=lci-fuse-ticks,…`, with which the `LDBG()` of these types print. To
/// be called before the command line is parsed. LLVM registers the flag itself if it is built with
/// assertions, and without them here nothing prints: then it is not added.
void addDebugFlag();

} // namespace mlir::lci

#endif // LCI_DRIVER_DEBUGFLAG_H
