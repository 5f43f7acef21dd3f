//===- NumberLanes.h - How many numbers a register holds --------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_NUMBERLANES_H
#define LCI_LIB_TRANSFORMS_NUMBERLANES_H

#include "LCI/Errors/ErrorId.h"
#include "mlir/IR/Diagnostics.h"

namespace mlir::lci {

/// Bits of the numbers that decide how many lanes there are in a register.
inline constexpr int64_t kNumberBits = 32;

/// Whether elements of a vector are numbers of that many bits or more, or indices.
inline bool isNumber(Type element) {
  return element.isIndex() ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= kNumberBits);
}

/// Whether a register holds a number at all.
inline LogicalResult checkVectorBits(MLIRContext *context, int64_t vectorBits) {
  if (vectorBits >= kNumberBits)
    return success();
  return emitError(UnknownLoc::get(context))
         << ErrorId::PassOption << "expected vectors of at least " << kNumberBits
         << " bits, but got " << vectorBits;
}

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_NUMBERLANES_H
