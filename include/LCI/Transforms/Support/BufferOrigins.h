//===- BufferOrigins.h - Where buffers come from ----------------*- C++ -*-===//
//
// Buffers that take turns are carried through loops, and choices are made among buffers: two of
// them lie apart if what they may be does.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_BUFFERORIGINS_H
#define LCI_TRANSFORMS_SUPPORT_BUFFERORIGINS_H

#include "mlir/IR/Value.h"

namespace mlir::lci {

/// Whether two whole buffers are never one: what they may be is allocated here or an argument that
/// has no other name, and none of it is the same, or they change places in a loop that began so.
bool lieApart(Value left, Value right);

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_BUFFERORIGINS_H
