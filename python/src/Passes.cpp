//===- Passes.cpp - Passes and pipelines ---------------------------------===//

#include "Core.h"
#include "Rooms.h"

using namespace lmpm::python;

void lmpm::python::registerPasses(py::module_ &module) {}
