//===- WarpLoop.h - Threads that multiply together --------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_TENSORPRODUCTS_WARPLOOP_H
#define LCI_LIB_TRANSFORMS_MODELS_TENSORPRODUCTS_WARPLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci::tensor_cores {

/// Counts the threads of a parallel loop over blocks of outputs and cells so that those of a warp
/// have neighbouring outputs and cells: of four each the same cells. Blocks of threads have some
/// warps at most. Warps are whole; where some of their threads are beyond the end they multiply
/// with the others, and do nothing else.
void makeWarps(scf::ParallelOp loop, int64_t warps);

} // namespace mlir::lci::tensor_cores

#endif // LCI_LIB_TRANSFORMS_MODELS_TENSORPRODUCTS_WARPLOOP_H
