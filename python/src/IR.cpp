//===- IR.cpp - Work on operations ---------------------------------------===//

#include "Core.h"
#include "Rooms.h"

using namespace lmpm::python;

void lmpm::python::registerIR(py::module_ &module) {}
