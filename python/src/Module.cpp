//===- Module.cpp - The extension module `lmpm._lmpm` ---------------------===//

#include "LCI/Version.h"
#include "Rooms.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"

using namespace lmpm::python;

PYBIND11_MODULE(_lmpm, module) {
  module.doc() = "What the package lmpm takes from the compiler; use `import lmpm`.";
  module.attr("version") = LCI_VERSION_STRING;
  module.attr("llvm_version") = LLVM_VERSION_STRING;
  module.attr("build_type") = LCI_BUILD_TYPE;
  module.attr("has_assertions") = bool(LCI_HAS_ASSERTIONS);
  module.attr("cpu") = llvm::sys::getHostCPUName().str();
  registerErrors(module);
  registerContext(module);
  registerIR(module);
  registerPasses(module);
  registerLevels(module);
  registerPictures(module);
  registerBuilder(module);
  registerTensor(module);
  registerProcess(module);
  registerRun(module);
}
