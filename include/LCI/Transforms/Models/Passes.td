//===- Passes.td - Networks that cells ask -----------------*- tablegen -*-===//
//
// From models of one cell to products over tiles of cells.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_MODELS_PASSES_TD
#define LCI_TRANSFORMS_MODELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineNetworksPass : Pass<"lci-outline-networks", "::mlir::ModuleOp"> {
  let summary = "Turn products of matrices and vectors in ticks into models.";
  let description = [{
    A matrix times a vector at the top of a tick's body, with what is done element by element between
    it and the products before it, becomes a function of one cell, which `lci-batch-models` evaluates
    for a tile of cells. What one product gives the next one is handed from call to call. A product
    that is smaller than asked for, that stands in a region of the body, or whose tick has hardly any
    cells becomes loops of fused multiply-adds in the tick itself. Afterwards no `lci.matvec` is left
    in ticks.

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
    Option<"smallest", "smallest", "int64_t", /*default=*/"64",
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
  let summary = "Ask a model about a whole tile of cells at once.";
  let description = [{
    A tick on memrefs that calls a per-cell function becomes a loop over tiles of its cells: gather
    what the function is given, evaluate it with a last dimension for the cells, finish each cell.
    What does not depend on the cell is evaluated once per tile; a matrix-vector product becomes a
    matrix product; reductions keep their order and hence their bits. Answers (logits) exist for one
    tile only, in buffers that are allocated once per call of the function. Where not all cells are
    up, or some are settled, the tiles are filled with those the model must be asked about.

    With `threads` the loops over the cells of a tile are parallel and counters are atomic: the form of
    which kernels are made. An agreement on an answer is then made in two steps: threads find the best of
    sixteen tokens each, for `thread-cells` neighbours, and the cell's thread the best of those. Candidates are in a strict
    weak order in which the first of equals stays, so that parts in their order give the same token. With
    `group` threads find the best of so many of these parts in between, which `lci-contractions-to-mma` lets the
    threads of a warp do.

    A loop with the same bounds for all cells carries what depends on the cell with that last dimension. What has
    no batched form, as a loop that each cell ends for itself, is computed cell by cell within a loop over the tile,
    or with `threads` by a thread for each cell; docs/models.md has the list.

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
           "Cells that are evaluated together.">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "Bits of a vector: a tile's agreements go by four of them.">,
    Option<"threads", "threads", "bool", /*default=*/"false",
           "Let the cells of a tile be threads of kernels.">,
    Option<"threadCells", "thread-cells", "int64_t", /*default=*/"4",
           "Neighbours for which a thread compares tokens: as many as it has sums of.">,
    Option<"group", "group", "int64_t", /*default=*/"1",
           "Parts of the tokens of which threads find the best once more.">
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
  let summary = "Compute sums over many cells with partial sums in vector registers.";
  let description = [{
    A `linalg.generic` on buffers that reduces for many cells, which its last loop runs over, becomes
    loops over blocks of cells and outputs; within them the reductions run in their order, and the
    partial sums of a block are vectors that the loops carry. A transpose of numbers whose sides are
    multiples of 16 goes by blocks of 16 by 16 in registers. What is done element by element just
    before or behind a sum, as its start, a bias and a positive part are, shares its loops where both
    use what one of them writes at the same element only, and is handed on in registers. Everything
    else stays as it is: loops of which LLVM makes vectors itself. With `threads` the loops over blocks
    are parallel, each iteration a thread of a kernel, sums share loops as well, and transposes are left
    alone; `lci.row_threads` on such a loop asks `lci-tile-parallel-loops` for blocks whose warps take the
    same cells and other outputs. A parallel loop behind such a one that has the same turns, and reads of
    what the first one writes the vectors of its own turn only, becomes a part of it: the best of some
    outputs is found where they are computed. Buffers that nobody reads any more are taken away.

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
    Option<"cells", "cells", "int64_t", /*default=*/"64", "Cells of a block.">,
    Option<"outputs", "outputs", "int64_t", /*default=*/"6", "Outputs of a block at most.">,
    Option<"threads", "threads", "bool", /*default=*/"false", "Let blocks be threads of kernels.">
  ];
  let statistics = [Statistic<"numBlocked", "blocked", "Operations that were blocked.">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ContractionsToMMAPass : Pass<"lci-contractions-to-mma", "::mlir::func::FuncOp"> {
  let summary = "Compute products of models by tensor cores, in TF32.";
  let description = [{
    A `linalg.generic` on buffers that adds the products of a matrix with the vectors of many cells becomes
    a parallel loop over warps and their threads. A warp has 32 cells, or 16, and the outputs of a layer, or
    64 of one that has more than 128; each of its threads holds four sums of each block of 16 by 8, to which
    `nvgpu.mma.sync` adds eight products at a time. Which cells and outputs a block has is free: they are
    chosen so that those of a thread are neighbours, four cells and sixteen outputs of 64, as of one of
    `lci-tile-contractions`. A parallel loop behind that looks at just these for something, such as the best of
    them, does so where they are computed; one that looks at what four threads with the same cells have found
    takes it from them by shuffles. What the sums begin with and what is made of them element
    by element is computed on what the threads hold, where each of them uses what another one writes at the
    same element only, as for `lci-tile-contractions`. If the vectors of the next product are what came of it,
    and both have 128 outputs at most, both are one kernel, and nothing lies in memory between them; buffers
    that nobody reads any more are taken away.

    Numbers are rounded to TF32, eleven bits, the nearest, of two the larger one: vectors when they are
    loaded, weights by a kernel before, which lays them out as threads load them, with zeros beyond the ends.
    Steps of a reduction come in any order, too: a thread gives two that lie side by side of eight or, of a
    layer before, those that it holds. What is no product of a matrix stays as it is, with a remark.

    The sums are no longer those of the interpreter. Each is off by at most
    `(2^-10 + 2^-22 + 9 * 2^-23 * ceil(n / 8)) * s`, where `n` numbers are added and `s` is the sum of what
    is added without signs: an input is off by a factor of `2^-11` at most, and each of the `mma.sync`, which
    adds nine numbers, loses at most `2^-23` of the largest for each of them.

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
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"128",
           "Threads of a block, a multiple of 32.">
  ];
  let statistics = [
    Statistic<"numProducts", "products", "Products by tensor cores.">,
    Statistic<"numKernels", "kernels", "Kernels that they share.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::nvgpu::NVGPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def BufferizeModelsPass : Pass<"lci-bufferize-models", "::mlir::ModuleOp"> {
  let summary = "Turn what models leave as tensors into buffers outside of every loop.";
  let description = [{
    Runs upstream's one-shot bufferization, with what it needs before and after and
    `lci-copies-to-linalg`, on a module that still has tensors. Programs without models have none any
    more and are left alone: looking for nothing took a quarter of their time.

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
  let summary = "Turn copies of buffers into linalg operations.";
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
