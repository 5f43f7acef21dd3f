//===- Run.cpp - Compiled programs and their runs ------------------------===//

#include "Core.h"
#include "Rooms.h"

using namespace lmpm::python;

void lmpm::python::registerRun(py::module_ &module) {}
