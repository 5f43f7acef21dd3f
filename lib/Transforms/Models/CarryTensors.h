//===- CarryTensors.h - Loops carry tensors in one place --------*- C++ -*-===//
//
// Part of the passes' internals.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_CARRYTENSORS_H
#define LCI_LIB_TRANSFORMS_MODELS_CARRYTENSORS_H

#include "mlir/IR/Operation.h"

namespace mlir::lci {

/// Gives each tensor that a loop carries, and each that a branch results in, one place for all
/// turns and branches, as upstream's bufferization wants it.
void carryInPlace(Operation *root);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_MODELS_CARRYTENSORS_H
