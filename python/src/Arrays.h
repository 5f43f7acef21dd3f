//===- Arrays.h - NumPy's arrays and ours -----------------------*- C++ -*-===//

#ifndef LMPM_PYTHON_ARRAYS_H
#define LMPM_PYTHON_ARRAYS_H

#include "LCI/Runtime/Array.h"
#include <pybind11/numpy.h>

namespace lmpm::python {

/// A copy of an array, or an error with what it is called. `what` begins the sentence.
::lci::Array toArray(const pybind11::array &array, const std::string &what);

/// The same bytes for NumPy, which keeps them alive.
pybind11::array toNumpy(::lci::Array array);

} // namespace lmpm::python

#endif // LMPM_PYTHON_ARRAYS_H
