//===- InitAllPasses.h - Registers every pass and pipeline ------*- C++ -*-===//
//
// The only entry point that registers this project's passes and named pipelines.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INITALLPASSES_H
#define LCI_INITALLPASSES_H

#include "LCI/Conversion/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"

namespace mlir::lci {

// Here alone: each file that includes these declarations takes a second longer to compile.
#define GEN_PASS_REGISTRATION
#include "LCI/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/Passes.h.inc"

/// Registers the passes and pipelines of this project.
inline void registerAllPasses() {
  registerLCITransformsPasses();
  registerLCIConversionPasses();
  registerPipelines();
}

} // namespace mlir::lci

#endif // LCI_INITALLPASSES_H
