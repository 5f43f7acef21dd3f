//===- NumberLanes.h - How many numbers a register holds --------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_NUMBERLANES_H
#define LCI_TRANSFORMS_SUPPORT_NUMBERLANES_H

#include "LCI/Transforms/Support/PassOptions.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::lci {

/// Bits of the numbers that decide how many lanes there are in a register.
inline constexpr int64_t kNumberBits = 32;

/// Whether elements of a vector are numbers of that many bits or more, or indices.
inline bool isNumber(Type element) {
  return element.isIndex() ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= kNumberBits);
}

/// An option of passes: a register holds a number at least.
inline OptionRange vectorBitsOption(int64_t vectorBits) {
  return {"vector-bits", vectorBits, kNumberBits, kMostVectorBits};
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_NUMBERLANES_H
