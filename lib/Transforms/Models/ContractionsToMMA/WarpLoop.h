//===- WarpLoop.h - Distribution of products over warps ---------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONSTOMMA_WARPLOOP_H
#define LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONSTOMMA_WARPLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci::tensor_cores {

/// Distributes a parallel loop over blocks of outputs and cells over threads so that those of a
/// warp have neighbouring outputs and cells: groups of four have the same cells. Blocks of threads
/// have `warps` warps at most. Warps are whole; threads beyond the end only take part in the
/// products.
void makeWarps(scf::ParallelOp loop, int64_t warps);

} // namespace mlir::lci::tensor_cores

#endif // LCI_LIB_TRANSFORMS_MODELS_CONTRACTIONSTOMMA_WARPLOOP_H
