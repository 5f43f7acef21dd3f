//===- OperationCosts.h - Weights, widths and accesses ----------*- C++ -*-===//

#ifndef LCI_LIB_PIPELINES_SEARCH_OPERATIONCOSTS_H
#define LCI_LIB_PIPELINES_SEARCH_OPERATIONCOSTS_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace mlir::lci {

/// Bits of a byte.
inline constexpr double kByte = 8;

/// One operation's access to a buffer.
struct Access {
  Value buffer;
  ValueRange indices;
  Type type; ///< of the elements that are read or written
};
std::optional<Access> accessOf(Operation &op);

/// The time of an operation in that of an addition.
double weightOf(Operation &op);
/// The bits of a type that fill a vector; truth values are masks.
int64_t bitsOf(Type type);
/// The bits of an operation for one cell: those of its widest type, at least a byte.
double bitsPerCell(Operation &op);

} // namespace mlir::lci

#endif // LCI_LIB_PIPELINES_SEARCH_OPERATIONCOSTS_H
