//===- ElementSize.h - Size of an element in memory -------------*- C++ -*-===//

#ifndef LCI_DIALECT_ELEMENTSIZE_H
#define LCI_DIALECT_ELEMENTSIZE_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::lci {

/// Bytes from one element of an array to the next, as LLVM lays them out on every processor we
/// compile for: an i33 takes 8, not the 5 that it fills. `DataLayout` of MLIR says 5.
int64_t bytesOfElement(Type element);

/// Bytes of a contiguous array of static shape.
int64_t bytesOfArray(MemRefType type);

} // namespace mlir::lci

#endif // LCI_DIALECT_ELEMENTSIZE_H
