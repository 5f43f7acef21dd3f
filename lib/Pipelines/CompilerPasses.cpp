//===- CompilerPasses.cpp - Passes that a compiler runs -------------------===//

#include "LCI/Pipelines/CompilerPasses.h"

using namespace mlir;

lci::CompilerPasses::CompilerPasses(MLIRContext *context) : PassManager(context) {
#ifdef NDEBUG
  enableVerifier(false);
#endif
  applyDefaultTimingPassManagerCLOptions(*this);
}
