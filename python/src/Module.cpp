//===- Module.cpp - The extension module `lmpm._lmpm` ---------------------===//

#include "LCI/Version.h"
#include "Rooms.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"

using namespace lmpm::python;

/// Python makes an object of any class, without what it wraps, by `cls.__new__(cls)`. Of classes
/// without a constructor it must not.
static void refuseEmptyObjects(const py::module_ &module) {
  py::object staticMethod = py::module_::import("builtins").attr("staticmethod");
  py::cpp_function refuse([](const py::object &self, const py::args &, const py::kwargs &) {
    throw py::type_error(py::cast<std::string>(self.attr("__name__")) +
                         " has no constructor: the compiler makes such objects");
  });
  for (auto [name, member] : py::cast<py::dict>(module.attr("__dict__")))
    if (py::isinstance<py::type>(member) &&
        !PyInstanceMethod_Check(py::object(member.attr("__dict__")["__init__"]).ptr()))
      py::setattr(member, "__new__", staticMethod(refuse));
}

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
  registerCapsules(module);
  registerPasses(module);
  registerLevels(module);
  registerPictures(module);
  registerBuilder(module);
  registerTensor(module);
  registerProcess(module);
  registerRun(module);
  registerTune(module);
  refuseEmptyObjects(module);
}
