//===- Module.cpp - The extension module `lmpm._lmpm` ---------------------===//

#include "LCI/Version.h"
#include "Rooms.h"
#include "llvm/Config/llvm-config.h"

using namespace lmpm::python;

PYBIND11_MODULE(_lmpm, module) {
  module.doc() = "What the package lmpm takes from the compiler; use `import lmpm`.";
  module.attr("version") = LCI_VERSION_STRING;
  module.attr("llvm_version") = LLVM_VERSION_STRING;
  registerErrors(module);
  registerContext(module);
  registerIR(module);
  registerPasses(module);
  registerBuilder(module);
  registerRun(module);
}
