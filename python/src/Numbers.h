//===- Numbers.h - Enumerations as Python asks for them ---------*- C++ -*-===//
#ifndef LMPM_PYTHON_NUMBERS_H
#define LMPM_PYTHON_NUMBERS_H

#include <initializer_list>
#include <pybind11/pybind11.h>
#include <utility>

namespace lmpm::python {

/// The number of each enumerator by its name, in that order.
template <typename Enum>
pybind11::dict numbersByName(std::initializer_list<std::pair<const char *, Enum>> enumerators) {
  pybind11::dict numbers;
  for (auto [name, enumerator] : enumerators)
    numbers[name] = static_cast<int>(enumerator);
  return numbers;
}

} // namespace lmpm::python

#endif // LMPM_PYTHON_NUMBERS_H
