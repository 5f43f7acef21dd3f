//===- Passes.td - Passes for neural models of cells -------*- tablegen -*-===//
//
// From models of one cell to matrix products over tiles of cells.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_MODELS_PASSES_TD
#define LCI_TRANSFORMS_MODELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineNetworksPass : Pass<"lci-outline-networks", "::mlir::ModuleOp"> {
  let summary = "Outline matrix-vector products in ticks as models.";
  let description = [{
    A matrix-vector product at the top level of a tick's body, with the elementwise operations between it
    and earlier products, becomes a function of one cell, which `lci-batch-models` evaluates for a tile of
    cells. The result of one product is forwarded to the next one's call. A product that is smaller than
    `min-elements`, that is in a nested region of the body, or whose tick has hardly any cells becomes loops of
    fused multiply-adds in the tick itself. Afterwards no `lci.matvec` is left in ticks.

    ```mlir
    %y = lci.matvec %w, %x : (tensor<32x16xf32>, vector<16xf32>) -> vector<32xf32>
    ```
    becomes
    ```mlir
    %given = vector.transfer_write %x, %empty[%c0] : vector<16xf32>, tensor<16xf32>
    %answer = func.call @p.network(%w, %given) : (tensor<32x16xf32>, tensor<16xf32>) -> tensor<32xf32>
    %y = vector.transfer_read %answer[%c0], %pad : tensor<32xf32>, vector<32xf32>
    ```
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"64",
           "Elements of the smallest matrix that becomes a model; 0: none does.">
  ];
  let statistics = [Statistic<"numOutlined", "outlined", "Products that became models.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def BatchModelsPass : Pass<"lci-batch-models", "::mlir::ModuleOp"> {
  let summary = "Evaluate a model for a whole tile of cells at once.";
  let description = [{
    A tick on memrefs that calls a per-cell function becomes a loop over tiles of its cells: gather the
    operands, evaluate the function with a last dimension for the cells, finish each cell. Values that do
    not depend on the cell are computed once per tile; a matrix-vector product becomes a matrix product;
    reductions keep their order and hence their bits. Results (logits) exist for one tile only, in buffers
    that are allocated once per call of the function. Where not all cells are up, or some are settled, the
    tiles are filled with the cells that need the model.

    For a GPU the loops over the cells of a tile are parallel and counters are atomic, the form from which
    kernels are made. An agreement on a result is then reduced in two steps: threads find the best of sixteen
    tokens each, for eight neighbours, and the cell's thread the best of those. Candidates are in a strict weak
    order in which the first of equals wins, so reducing parts in their order gives the same token. With tensor
    cores (`tf32`) a thread has four neighbours, and an intermediate step finds the best of four of these
    parts, which `lci-contractions-to-mma` distributes over the threads of a warp.

    A loop with the same bounds for all cells carries values that depend on the cell with the last dimension.
    Operations without a batched form, such as a loop whose trip count differs between cells, are executed
    cell by cell within a loop over the tile, or on a GPU by a thread for each cell; docs/models.md has
    the list.

    ```mlir
    lci.tick @V at … { … %logits = func.call @Model(%tokens, %w) … lci.install … }
    ```
    becomes
    ```mlir
    scf.for %first = %c0 to %cells step %c64 {
      scf.for … { … memref.store %token, %given[%k, %row] … }
      … linalg.generic … : tensor<256x64xf32>
      scf.for … { … memref.load %answered[%k, %row] … }
    }
    ```
  }];
  let options = [
    Option<"tile", "tile", "int64_t", /*default=*/"64",
           "Cells that are evaluated together.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks whose model was batched.">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def TileContractionsPass : Pass<"lci-tile-contractions", "::mlir::func::FuncOp"> {
  let summary = "Tile and vectorize contractions over many cells, with partial sums in registers.";
  let description = [{
    A `linalg.generic` on buffers that reduces for many cells, over which its last loop iterates, becomes loops over
    blocks of cells and outputs; within them the reductions keep their order, and the partial sums of a block are
    vectors that the loops carry. A transpose of numbers whose sides are multiples of 16 is tiled by blocks of 16 by
    16 in registers. Elementwise operations just before or after a sum, such as its initial value, a bias and a
    positive part, are fused with its loops where both use an array that one of them writes at the same element
    only, and values are forwarded in registers. Other operations are unchanged: loops that LLVM vectorizes. For a
    GPU the loops over blocks are parallel, each iteration a thread of a kernel, sums are fused as well, and
    transposes are left alone; `lci.row_threads` on such a loop requests blocks from `lci-tile-parallel-loops` whose
    warps have the same cells and different outputs. A following parallel loop of the same iteration space that reads
    of the first one's results only the vectors of the same iteration is fused into it: the best of some outputs is
    found where they are computed. Buffers that are no longer read are erased.

    ```mlir
    linalg.generic {… ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<32x16xf32>, memref<16x64xf32>) outs(%y : memref<32x64xf32>) { … math.fma … }
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c32 step %c4 {
      %sums:4 = scf.for %k = %c0 to %c16 step %c1 iter_args(…) -> (vector<64xf32>, …) { … math.fma … }
    ```
  }];
  let options = [
    Option<"cells", "cells", "int64_t", /*default=*/"-1",
           "Cells of a block; -1: as the registers of the target allow.">,
    Option<"outputs", "outputs", "int64_t", /*default=*/"-1",
           "Outputs of a block at most; -1: as the registers of the target allow.">
  ];
  let statistics = [Statistic<"numBlocked", "blocked", "Operations that were blocked.">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ContractionsToMMAPass : Pass<"lci-contractions-to-mma", "::mlir::func::FuncOp"> {
  let summary = "Compute matrix products of models by tensor cores, in TF32.";
  let description = [{
    A `linalg.generic` on buffers that adds the products of a matrix with the vectors of many cells becomes
    a parallel loop over warps and their threads. A warp has 32 cells, or 16, and the outputs of a layer, or
    64 of one that has more than 128; each of its threads holds four sums of each block of 16 by 8, to which
    `nvgpu.mma.sync` adds eight products at a time. The assignment of cells and outputs to blocks is free: it is
    chosen so that those of a thread are neighbours, four cells and sixteen outputs of 64, as in
    `lci-tile-contractions`. A following parallel loop that reads just these, such as one that finds the best of
    them, is fused into the loop that computes them; one that combines the results of the four threads with the
    same cells gets them by shuffles. The initial values of the sums and elementwise operations on them are
    computed on the fragments of threads, where each of them uses an array that another one writes at the same
    element only, as in `lci-tile-contractions`. If the vectors of the next product are the result, and both have
    128 outputs at most, both are one kernel, and nothing is stored to memory between them; buffers that are no
    longer read are erased.

    Numbers are rounded to TF32, which has eleven bits, to nearest with ties away from zero: vectors when they are
    loaded, weights by a preceding kernel, which packs them in the order in which threads load them, padded with
    zeros. The steps of a reduction are reordered, too: a thread provides two consecutive ones of eight or, of a
    preceding layer, those that it holds. Sums that are no matrix products are unchanged, with a remark.

    The sums differ from those of the interpreter. The error of each is at most
    `(2^-10 + 2^-22 + 9 * 2^-23 * ceil(n / 8)) * s`, where `n` numbers are added and `s` is the sum of their
    absolute values: the relative error of an input is `2^-11` at most, and each `mma.sync`, which adds nine
    numbers, loses at most `2^-23` of the largest for each of them.

    ```mlir
    linalg.generic {… ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<32x16xf32>, memref<16x64xf32>) outs(%y : memref<32x64xf32>) { … math.fma … }
    ```
    becomes
    ```mlir
    scf.parallel (%outputs, %blocks, %number) = … { … arith.truncf %w to_nearest_away : f32 to tf32 … memref.store … }
    scf.parallel (%tile, %thread) = (%c0, %c0) to (%c1, %c128) step (%c1, %c1) {
      %sums:8 = scf.for %k = %c0 to %c2 step %c1 iter_args(…) -> (vector<2x2xf32>, …) {
        … nvgpu.mma.sync (%cells, %weights, %sum) {mmaShape = [16, 8, 8], tf32Enabled} …
    ```
  }];
  let statistics = [
    Statistic<"numProducts", "products", "Products on tensor cores.">,
    Statistic<"numKernels", "kernels", "Kernels of these products.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def BufferizeModelsPass : Pass<"lci-bufferize-models", "::mlir::ModuleOp"> {
  let summary = "Bufferize the tensors of models, with few allocations.";
  let description = [{
    Runs upstream's one-shot bufferization, with the passes that it needs before and after it and
    `lci-copies-to-linalg`, on a module that still has tensors. Programs without models have none at this point
    and are skipped: running the passes in vain took a quarter of their compile time.

    Buffers are allocated outside of every loop and branch. For a GPU, whose launch plans allocate nothing while they
    run, they stay in the innermost one, at its begin: no iteration reads the contents of another one there, by which
    `lci-share-scratch` finds out how long they are needed.

    ```mlir
    %n = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
    becomes
    ```mlir
    linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%e : memref<4xf32>)
    ```
  }];
}

def CopiesToLinalgPass : Pass<"lci-copies-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "Convert copies of buffers to linalg operations.";
  let description = [{
    Bufferization leaves `memref.copy`, which upstream lowers to a call of its runtime library where a
    buffer is strided. `linalg.copy` becomes loops.

    ```mlir
    memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[2]>>
    ```
    becomes
    ```mlir
    linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32, strided<[2]>>)
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

#endif // LCI_TRANSFORMS_MODELS_PASSES_TD
