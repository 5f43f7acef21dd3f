//===- TensorShape.h - Fragment shape of tensor cores -----------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_MODELS_TENSORSHAPE_H
#define LCI_TRANSFORMS_MODELS_TENSORSHAPE_H

#include <cstdint>

namespace mlir::lci::tensor_cores {

/// `mma.sync` of TF32 multiplies the vectors of 16 cells, 8 long, by the weights of 8 outputs.
inline constexpr int64_t kCells = 16, kDepth = 8, kOutputs = 8;
/// Groups of four threads have the same cells.
inline constexpr int64_t kMembers = 4;

} // namespace mlir::lci::tensor_cores

#endif // LCI_TRANSFORMS_MODELS_TENSORSHAPE_H
