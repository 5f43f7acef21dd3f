//===- BufferOrigins.h - Alias analysis of ping-pong buffers ----*- C++ -*-===//
//
// Traces buffers through the loops that carry them and through selects. Two of
// them do not alias if the sets of their possible sources are disjoint.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_BUFFERORIGINS_H
#define LCI_TRANSFORMS_SUPPORT_BUFFERORIGINS_H

#include "mlir/IR/Value.h"

namespace mlir::lci {

/// Whether two whole buffers never alias: their possible sources, allocations or `noalias`
/// arguments, are known and disjoint, or one loop permutes both and its initial buffers do not
/// alias.
bool lieApart(Value left, Value right);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_BUFFERORIGINS_H
