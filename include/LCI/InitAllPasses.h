//===- InitAllPasses.h - Registers every pass and pipeline ------*- C++ -*-===//
//
// The only entry point that registers this project's passes and named pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INITALLPASSES_H
#define LCI_INITALLPASSES_H

namespace mlir::lci {

/// Registers the passes and pipelines of this project.
void registerAllPasses();

} // namespace mlir::lci

#endif // LCI_INITALLPASSES_H
