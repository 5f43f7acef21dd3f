//===- ValueInfo.h - The values of a bound program, as data -----*- C++ -*-===//
//
// The properties of each value that a run needs to read, check and write its arrays, collected once
// from a bound program.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_VALUEINFO_H
#define LCI_DRIVER_VALUEINFO_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Runtime/Tokens.h"
#include <map>

namespace mlir::lci {

/// One value that has cells (sets have none).
struct ValueInfo {
  std::string name;
  Kind kind = Kind::Token;
  /// Tokens of the vocabulary or components of a vector; zero for numbers.
  int64_t vocabulary = 0;
  /// Shape of its array; for vectors with the components as last axis.
  std::vector<int64_t> shape;
  /// Whether a rule writes it; a value without one is an input.
  bool ruled = false;
  bool hasInit = false;
  Location location;

  /// The number of indices of a cell.
  size_t rank() const { return shape.size() - (kind == Kind::Latent); }
};

/// The values with cells of a bound program, in their order.
SmallVector<ValueInfo> collectValues(ProgramOp program);
/// Their names.
std::vector<std::string> namesOf(ArrayRef<ValueInfo> values);

/// The canonical form of a value's array.
::lci::CanonicalForm canonicalForm(const ValueInfo &value);
/// The same for all of them, by name.
std::map<std::string, ::lci::CanonicalForm> formsOf(ArrayRef<ValueInfo> values);
/// Checks a file's array against a value and converts it to canonical form: tokens in their
/// smallest signed type with -1 for absent, I64, or F32.
::lci::Result<::lci::Array> toCanonical(const ::lci::Array &array, const ValueInfo &value);

/// An array of integers or numbers in the type of `kind` (I64 or F32), or the reason why not.
::lci::Result<::lci::Array> toNumbers(const ::lci::Array &array, Kind kind,
                                      const std::string &what);

} // namespace mlir::lci

#endif // LCI_DRIVER_VALUEINFO_H
