//===- CompilerPasses.cpp - Passes that a compiler runs -------------------===//

#include "LCI/Pipelines/CompilerPasses.h"

#include <cstdlib>

using namespace mlir;

static bool verifiesEachPass() {
#ifdef NDEBUG
  return std::getenv("LMPM_VERIFY_PASSES");
#else
  return true;
#endif
}

lci::CompilerPasses::CompilerPasses(MLIRContext *context) : PassManager(context) {
  enableVerifier(verifiesEachPass());
  applyDefaultTimingPassManagerCLOptions(*this);
}
