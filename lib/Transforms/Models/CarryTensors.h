//===- CarryTensors.h - Carry tensors of loops in place ---------*- C++ -*-===//
//
// Prepares loops and branches on tensors for upstream's bufferization.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_CARRYTENSORS_H
#define LCI_LIB_TRANSFORMS_MODELS_CARRYTENSORS_H

#include "mlir/IR/Operation.h"

namespace mlir::lci {

/// Gives each tensor that a loop carries, and each result of a branch, one buffer for all
/// iterations and branches, as upstream's bufferization requires.
void carryInPlace(Operation *root);

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_MODELS_CARRYTENSORS_H
