//===- KnownValues.h - Numbers and views that are known ---------*- C++ -*-===//

#ifndef LCI_LIB_PIPELINES_SEARCH_KNOWNVALUES_H
#define LCI_LIB_PIPELINES_SEARCH_KNOWNVALUES_H

#include "Footprint.h"
#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace mlir::lci {

/// A part of a buffer, in bytes. Unknown fields are absent.
struct Place {
  Value root; ///< the value that defines the buffer
  double rootBytes = 0;
  std::optional<double> offset;
  SmallVector<std::optional<int64_t>> sizes; ///< in elements
  SmallVector<std::optional<double>> strides;
  double elementBytes = 0;

  /// The elements between the first and the last of it.
  Extent extent() const;
  int64_t sizeOf(unsigned axis) const { return sizes[axis].value_or(1); }
};

/// The known values of code at one point of its execution.
class KnownValues {
public:
  std::optional<int64_t> numberOf(Value value) const;
  std::optional<int64_t> numberOf(OpFoldResult value) const;
  const Place *placeOf(Value value) const;

  void set(Value value, std::optional<int64_t> number);
  /// Makes `to` known as `from` is.
  void copy(Value from, Value to);
  /// Makes a buffer known that nothing here defines.
  void addRoot(Value buffer);
  /// Computes integers and views that an operation defines.
  void follow(Operation &op);
  /// The place of an access of so many bytes.
  Extent extentAt(const Place &place, ValueRange indices, double bytes) const;

private:
  void followView(Operation &op);

  DenseMap<Value, int64_t> numbers;
  DenseMap<Value, Place> places;
};

} // namespace mlir::lci

#endif // LCI_LIB_PIPELINES_SEARCH_KNOWNVALUES_H
