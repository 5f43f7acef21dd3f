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

// Included here alone: each file that includes these declarations takes a second longer to compile.
#define GEN_PASS_REGISTRATION
#include "LCI/Conversion/DrawsToArith/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Conversion/LinalgToLoops/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Conversion/MathToNVVM/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Conversion/ProgramToTick/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Conversion/TickToLinalg/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/Bufferize/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/CPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/GPU/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/GPU/Emulation/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/Layout/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/Models/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/Program/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/Schedule/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "LCI/Transforms/Tick/Passes.h.inc"

/// Registers the passes and pipelines of this project.
inline void registerAllPasses() {
  registerLCITransformsProgramPasses();
  registerLCITransformsTickPasses();
  registerLCITransformsBufferizePasses();
  registerLCITransformsLayoutPasses();
  registerLCITransformsCPUPasses();
  registerLCITransformsSchedulePasses();
  registerLCITransformsModelsPasses();
  registerLCITransformsGPUPasses();
  registerLCITransformsGPUEmulationPasses();
  registerLCIProgramToTickPasses();
  registerLCIDrawsToArithPasses();
  registerLCITickToLinalgPasses();
  registerLCILinalgToLoopsPasses();
  registerLCIMathToNVVMPasses();
  registerPipelines();
}

} // namespace mlir::lci

#endif // LCI_INITALLPASSES_H
