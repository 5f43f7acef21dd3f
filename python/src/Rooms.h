//===- Rooms.h - What the extension module is made of -----------*- C++ -*-===//
//
// One function for each file, called in this order by Module.cpp: a class is
// registered before the functions that take it.
//
//===----------------------------------------------------------------------===//
#ifndef LMPM_PYTHON_ROOMS_H
#define LMPM_PYTHON_ROOMS_H

#include <pybind11/pybind11.h>

namespace lmpm::python {
namespace py = pybind11;

/// `lmpm.Error` and what it says (Errors.cpp).
void registerErrors(py::module_ &module);
/// Contexts and modules, read and written (Context.cpp).
void registerContext(py::module_ &module);
/// Operations, regions, blocks, values, types and attributes (IR.cpp).
void registerIR(py::module_ &module);
/// Capsules, by which other packages over the same MLIR take these (Capsules.cpp).
void registerCapsules(py::module_ &module);
/// Pass pipelines, and passes and patterns in Python (Passes.cpp).
void registerPasses(py::module_ &module);
/// Programs on their way down to machine code (Levels.cpp).
void registerLevels(py::module_ &module);
/// Pictures of programs and of arrays (Pictures.cpp).
void registerPictures(py::module_ &module);
/// Programs made declaration by declaration (Builder.cpp).
void registerBuilder(py::module_ &module);
/// Cells for other libraries (DLPack.cpp).
void registerTensor(py::module_ &module);
/// What has to end before Python does (Process.cpp).
void registerProcess(py::module_ &module);
/// Compiled programs and their runs (Run.cpp).
void registerRun(py::module_ &module);
/// Searches for schedules (Tune.cpp).
void registerTune(py::module_ &module);

} // namespace lmpm::python

#endif // LMPM_PYTHON_ROOMS_H
