//===- Builder.cpp - Programs made declaration by declaration ------------===//

#include "Core.h"
#include "Rooms.h"

using namespace lmpm::python;

void lmpm::python::registerBuilder(py::module_ &module) {}
