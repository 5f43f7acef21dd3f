//===- DLPack.h - Arrays by the protocol of DLPack --------------*- C++ -*-===//
//
// How libraries of arrays hand memory to one another, on the host and on GPUs: a capsule with an
// address, a shape, and who is told when it is needed no longer.
//
//===----------------------------------------------------------------------===//
#ifndef LMPM_PYTHON_DLPACK_H
#define LMPM_PYTHON_DLPACK_H

#include "LCI/Runtime/DeviceArray.h"
#include <pybind11/pybind11.h>
#include <variant>

namespace lmpm::python {

/// DLPack's number of a kind of device, and which one of them.
std::pair<int, int> deviceNumbers(const ::lci::DevicePlace &place);

/// What a capsule says, as long as it lives; its owner frees the array when the capsule goes.
/// `what` begins the sentence of an error.
::lci::ForeignArray toForeign(const pybind11::capsule &capsule, const std::string &what);

/// Cells of a value where the run has them; nobody else writes that memory.
class Tensor {
public:
  explicit Tensor(::lci::DeviceArray array) : array(std::move(array)) {}
  explicit Tensor(::lci::Array array)
      : array(std::make_shared<const ::lci::Array>(std::move(array))) {}

  const std::vector<int64_t> &shape() const;
  ::lci::DType dtype() const;
  std::pair<int, int> device() const;
  /// A capsule, which shares the memory; `isVersioned` says that whoever asks knows DLPack 1.
  pybind11::capsule capsule(bool isVersioned) const;

private:
  void *address() const;

  std::variant<::lci::DeviceArray, std::shared_ptr<const ::lci::Array>> array;
};

} // namespace lmpm::python

#endif // LMPM_PYTHON_DLPACK_H
