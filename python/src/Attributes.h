//===- Attributes.h - Attributes and types in Python ------------*- C++ -*-===//

#ifndef LMPM_PYTHON_ATTRIBUTES_H
#define LMPM_PYTHON_ATTRIBUTES_H

#include "Handles.h"
#include <pybind11/pybind11.h>

namespace lmpm::python {

/// What `op.attributes` is.
struct PyAttributes {
  PyOperation op;
};

/// An attribute as it is, or of a value of Python: truth, integers of 64 bits, floats of 64 bits,
/// strings, lists and dictionaries of such, types.
mlir::Attribute toAttribute(const std::shared_ptr<Context> &context, const pybind11::object &value);

/// Throws if no dialect has an operation of this name.
void expectOperation(Context &context, llvm::StringRef name);

/// What an operation to make is made of; its name must be one of a dialect's.
mlir::OperationState makeState(const std::shared_ptr<Module> &module, mlir::Location location,
                               const std::string &name, const std::vector<PyValue> &operands,
                               const std::vector<PyType> &results,
                               const pybind11::dict &attributes);

/// A class that is in the module already.
template <typename T>
pybind11::class_<T> declared(pybind11::module_ &module, const char *name) {
  return pybind11::class_<T>(module.attr(name));
}

/// Functions of `Type`, `Attribute` and `Attributes` (Attributes.cpp).
void registerAttributes(pybind11::module_ &module);

} // namespace lmpm::python

#endif // LMPM_PYTHON_ATTRIBUTES_H
