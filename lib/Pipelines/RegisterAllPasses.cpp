//===- RegisterAllPasses.cpp - Registration of every pass -----------------===//

#include "LCI/Conversion/Passes.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"

namespace mlir::lci {
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
} // namespace mlir::lci

void mlir::lci::registerAllPasses() {
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
