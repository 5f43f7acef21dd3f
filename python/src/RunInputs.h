//===- RunInputs.h - Arrays of a run from Python ----------------*- C++ -*-===//

#ifndef LMPM_PYTHON_RUNINPUTS_H
#define LMPM_PYTHON_RUNINPUTS_H

#include "LCI/Runtime/Array.h"
#include <map>
#include <pybind11/pybind11.h>

namespace lmpm::python {

/// Arrays by name; `what` is what messages call one.
std::map<std::string, ::lci::Array> toArrays(const pybind11::dict &arrays, const char *what);

} // namespace lmpm::python

#endif // LMPM_PYTHON_RUNINPUTS_H
