//===- VectorLanes.h - Numbers of lanes of vector registers -----*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_VECTORLANES_H
#define LCI_TRANSFORMS_SUPPORT_VECTORLANES_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::lci {

/// Bits of the element type that determines the number of lanes of a register.
inline constexpr int64_t kNumberBits = 32;

/// Whether the elements of a vector have that many bits or more, or are indices.
inline bool isNumber(Type element) {
  return element.isIndex() ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= kNumberBits);
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_VECTORLANES_H
