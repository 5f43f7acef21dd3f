//===- CArrays.h - Arrays of C callers --------------------------*- C++ -*-===//
//
// Copies and checks arrays that come through a C interface, that of bundles or that of the compiler
// (include/lci-c). C callers may pass anything: nothing is read before its size is known.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_CARRAYS_H
#define LCI_RUNTIME_CARRAYS_H

#include "LCI/Runtime/Array.h"
#include "LCI/Runtime/lci.h"

namespace lci {

/// The error of a call whose arguments make no sense.
inline Failure wrongCall(std::string name) { return {ErrorId::WrongCall, std::move(name)}; }

/// The error of a null argument.
inline Failure missing(const std::string &name) {
  return wrongCall("expected " + name + ", but got null");
}

/// A copy of a C array of that shape; `name` names it in errors.
Result<Array> toArray(const lci_array *from, const std::vector<int64_t> &shape,
                      const std::string &name);

/// A copy of a C array of the shape that it says.
Result<Array> toArray(const lci_array *from, const std::string &name);

/// The type of C arrays for one of ours that C callers are given: integers and F32.
lci_type toCType(DType type);

} // namespace lci

#endif // LCI_RUNTIME_CARRAYS_H
