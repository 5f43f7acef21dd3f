//===- Buffers.td - Passes on ticks with buffers ------------*- tablegen -*-===//
//
// From tensors to buffers with halos, and what follows on them; a part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_BUFFERS_TD
#define LCI_TRANSFORMS_BUFFERS_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Tick form on tensors to tick form on memrefs
//===----------------------------------------------------------------------===//

def MaterializeStatePass : Pass<"lci-materialize-state", "::mlir::ModuleOp"> {
  let summary = "Give every array of a function of ticks its buffers with halos.";
  let description = [{
    Tensor arguments become memrefs of their storage: the cells, and around them a halo as wide as
    the windows of the ticks reach. Argument attributes say the layout: `lci.extents`,
    `lci.halo_low`, `lci.halo_high`. Windows then read storage without any test of a border; other
    loads, gathers, read the cells alone. `lci.refresh_halo` follows each phase that wrote a value
    with a wrapped or clamped halo; halos beyond open borders are filled once, with zero.

    A phase is computed in place where nobody needs the state before it and its cells read only their
    own place. Otherwise the array has a second buffer, an argument of the role `scratch`, and the
    two take turns through loops, without a copy where the boxes of the phase hold all cells. On
    return the result is in the argument. Tensors that the function makes and returns become
    further arguments.

    A tick of which one switch settles every cell (a lock's where it is on, that of the only rule
    where it is off) becomes a branch on that switch: the tick where it does not, else nothing, or a
    copy of its box where the buffers take turns. If nothing else writes the array, the box is copied
    once, at the start.

    ```mlir
    func.func @shift(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %t: i64) -> tensor<8xi8> {
      %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi8>) target(%A : tensor<8xi8>)
          class_stride 1 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
        %v = lci.load %in[affine_map<(d0) -> (d0 - 1)>](%i) [#lci.boundary<wrap>]
            : tensor<8xi8> -> i8
        %yes = arith.constant true
        lci.install %v if %yes : i8
      } -> tensor<8xi8>
      return %n : tensor<8xi8>
    }
    ```
    becomes
    ```mlir
    func.func @shift(%A: memref<9xi8> {lci.halo_low = array<i64: 1>, …}, %t: i64,
                     %B: memref<9xi8> {lci.role = "scratch", …}) {
      lci.refresh_halo %A low [1] high [0] [#lci.boundary<wrap>] : memref<9xi8>
      %cells = memref.subview %B[1] [8] [1]
      lci.tick @A … inputs(%A : memref<9xi8>) target(%cells : …) {
        … lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] …
      }
      lci.refresh_halo %B low [1] high [0] [#lci.boundary<wrap>] : memref<9xi8>
      … the cells of %B are copied to %A …
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def ChooseLayoutPass : Pass<"lci-choose-layout", "::mlir::func::FuncOp"> {
  let summary = "Choose where the cells of each array lie.";
  let description = [{
    Tokens of at most four bits are laid out in planes, 64 cells of the last axis to a word, if
    everything that touches the array can be computed on words: windows, and small integers made of
    them. If phases take every s-th cell of the last axis, cells whose indices leave the same
    remainder lie together, so that a phase touches the cells of no other.

    The layout is an attribute of the buffer's type, as its memory space. Types change, and nothing
    else: the state that the caller knows stays as it is, is copied to a `scratch` buffer of the new
    layout where the function begins, and back where it ends. A function without a loop around its
    ticks is left alone, since the copies would cost more than they save.

    ```mlir
    func.func @p(%A: memref<64xi8> {lci.role = "state", lci.vocabulary = 2 : i64, …}, …) {
      scf.for … { lci.tick @A … target(%A : memref<64xi8>) … }
      return
    }
    ```
    becomes
    ```mlir
    func.func @p(%A: memref<64xi8> {lci.role = "state", …}, …,
                 %P: memref<64xi8, #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>>
                     {lci.role = "scratch", …}) {
      linalg.copy ins(%A : …) outs(%P : …)
      scf.for … { lci.tick @A … target(%P : …) … }
      linalg.copy ins(%P : …) outs(%A : …)
      return
    }
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "Say of each array of few tokens that is left alone why.">
  ];
  let statistics = [Statistic<"numSliced", "sliced", "Arrays that are laid out in planes.">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def BitslicePass : Pass<"lci-bitslice", "::mlir::func::FuncOp"> {
  let summary = "Compute arrays that are laid out in planes 64 cells at a time.";
  let description = [{
    Each buffer with a `#lci.layout` becomes buffers of 64-bit words, one for each bit of a token (and
    each part of a split row). A tick on them becomes linalg operations on words: what it reads
    beside a cell is a shift of two words, and its body, whose integers have known ranges, a circuit
    of and, or and xor. Sums of many small numbers are added with carries saved until the end. Words
    that a box fills in part are computed by operations of their own.

    Halos and copies become operations on words, too. It fails on what `lci-choose-layout` would not
    have chosen.

    ```mlir
    lci.tick @A … inputs(%P : memref<66xi8, #layout>) target(%Q : memref<64xi8, …>) … {
      …
      %a = lci.load %in[affine_map<(d0) -> (d0)>](%i) … -> i8
      %b = lci.load %in[affine_map<(d0) -> (d0 + 2)>](%i) … -> i8
      %c = arith.xori %a, %b : i8
      lci.install %c if %true : i8
    }
    ```
    becomes
    ```mlir
    linalg.generic … ins(%words_before, %words, %words_after : …) outs(%new : …) {
      … %a is made of the last bit of a word and 63 of the next, %b of 63 and one
      %c = arith.xori %a, %b : i64
      linalg.yield %c : i64
    }
    ```
  }];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that are computed on words.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def SplitColoursPass : Pass<"lci-split-colours", "::mlir::func::FuncOp"> {
  let summary = "Store the cells that one phase takes of a row side by side.";
  let description = [{
    The ticks of a lattice colouring take every second (third, fourth) cell of a row. If all ticks that
    touch an array do so, in the same steps, rows are stored in as many parts, each an array of its
    own: the cells of one colour, and their neighbours of one side, then lie side by side, and each
    vector that is loaded is used whole. A tick stays a tick, of the part that its cells lie in.

    An array is split if it is a state or an input without a halo, which only ticks touch, one of them
    in a loop; all that they read along the last axis must be split as well, through windows. Draws
    depend on the number of their cell: with them, and with sets of cells or scores, an array stays
    whole. Parts are further arguments of the role `scratch`; cells are copied where the function
    begins and ends.

    ```mlir
    lci.tick @U at %e, %p, %s inputs(%U : memref<8x8xf32>) target(%U : memref<8x8xf32>)
        box [2, 2] [3, 3] step [2, 2] class_stride 2 {
      %0 = lci.load %in[affine_map<(d0, d1) -> (d0, d1 - 1)>] (%i, %j) …
    ```
    becomes
    ```mlir
    lci.tick @U at %e, %p, %s inputs(%odd : memref<8x4xf32>) target(%even : memref<8x4xf32>)
        box [2, 1] [3, 3] step [2, 1] class_stride 2 {
      %0 = lci.load %in[affine_map<(d0, d1) -> (d0, d1 - 1)>] (%i, %j) …
    ```
  }];
  let statistics = [Statistic<"numSplit", "split", "Arrays that were split.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"
  ];
}

def OutlineTicksPass : Pass<"lci-outline-ticks", "::mlir::ModuleOp"> {
  let summary = "Move each tick on memrefs, and each halo, fill and copy, to a private function.";
  let description = [{
    The buffers of the tick become arguments that are known not to overlap. Where buffers take turns
    through a loop, nothing else says so, and the vectoriser would have to test it.

    A tick that asks a model takes its phase as an argument too, even a constant one, so that all
    phases of a rule have one function and one copy of the model.

    What fills a buffer before the first tick, what copies one back after the last, and loops that only
    move cells (between bytes and planes of bits) are moved too: a function that is left with calls
    alone is lowered in a time that grows with their number.

    ```mlir
    func.func @p(%A: memref<8xi8> {llvm.noalias}, %t: i64) {
      lci.tick @A at %t, %t, %t target(%A : memref<8xi8>) class_stride 1 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
        %one = arith.constant 1 : i8
        %yes = arith.constant true
        lci.install %one if %yes : i8
      }
      return
    }
    ```
    becomes
    ```mlir
    func.func private @p.A(%A: memref<8xi8> {llvm.noalias}, %t: i64) { lci.tick … return }
    func.func @p(%A: memref<8xi8> {llvm.noalias}, %t: i64) {
      call @p.A(%A, %t) : (memref<8xi8>, i64) -> ()
      return
    }
    ```
  }];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that were moved.">,
                    Statistic<"numHalos", "halos", "Halos that were moved.">,
                    Statistic<"numCopies", "copies", "Fills and copies back that were moved.">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def HoistScratchPass : Pass<"lci-hoist-scratch", "::mlir::ModuleOp"> {
  let summary = "Let callers allocate what private functions need for themselves.";
  let description = [{
    Buffers of constant size that a private function allocates in its first block become arguments
    that overlap with no other; each caller allocates them once, for all that it calls. A function
    that others may call keeps its buffers and frees them where it returns.

    ```mlir
    func.func private @tick() { %s = memref.alloc() : memref<64xf32> … memref.dealloc %s … }
    func.func @run() { scf.for … { call @tick() : () -> () } … }
    ```
    becomes
    ```mlir
    func.func private @tick(%s: memref<64xf32> {llvm.noalias}) { … }
    func.func @run() {
      %s = memref.alloc() : memref<64xf32>
      scf.for … { call @tick(%s) : (memref<64xf32>) -> () } … memref.dealloc %s …
    }
    ```
  }];
  let statistics = [Statistic<"numBuffers", "buffers", "Buffers that became arguments.">];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"];
}

def NarrowCountersPass : Pass<"lci-narrow-counters", "::mlir::func::FuncOp"> {
  let summary = "Count in eight bits over strips of the innermost loop.";
  let description = [{
    A loop that adds truth values to 64-bit counters in memory is cut into strips so short that their
    sums fit eight bits; the sum is carried by the strip and added to memory after it. The cells'
    type then decides how many of them a vector holds, not the counter's. Run it after
    `convert-linalg-to-loops`.

    ```mlir
    scf.for %i = %c0 to %c1024 step %c1 {
      …
      %old = memref.load %count[] : memref<i64>
      %one = arith.extui %changed : i1 to i64
      %new = arith.addi %old, %one : i64
      memref.store %new, %count[] : memref<i64>
    }
    ```
    becomes
    ```mlir
    scf.for %s = %c0 to %c1024 step %c128 {
      %end = arith.addi %s, %c128 : index
      %sum = scf.for %i = %s to %end step %c1 iter_args(%acc = %zero) -> (i8) { … }
      … %count[] is increased by %sum
    }
    ```
  }];
  let statistics = [Statistic<"numCounters", "counters", "Counters that became narrow.">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def VectorizeStridesPass : Pass<"lci-vectorize-strides", "::mlir::func::FuncOp"> {
  let summary = "Compute every other cell of a row by vectors of all of them.";
  let description = [{
    A colour of a lattice takes every second (fourth) cell of a row. LLVM gathers such cells by
    shuffles and scatters the results. Where the body of a `linalg.generic` is short, it is quicker to
    compute all cells of the row, whose neighbours lie side by side, and to store those of the colour
    by a mask: (stride − 1) × operations of the body must cost less than 4 for each strided input and
    24 for each strided output.

    Every operand with axes must be a view of constant extents and the same stride on the last axis,
    and the body elementwise; an operand without axes may be a counter, to which the body adds. What
    is left of a row after its last whole vector is loaded and stored by masks.

    ```mlir
    %in = memref.subview %a[0, 1] [8, 32] [1, 2] : memref<8x64xf32> to memref<8x32xf32, …>
    linalg.generic … ins(%in : …) outs(%out : …) { … }
    ```
    becomes
    ```mlir
    %row = memref.subview %a[0, 1] [8, 63] [1, 1] : memref<8x64xf32> to memref<8x63xf32, …>
    scf.for %i = … {
      scf.for %j = %c0 to %c48 step %c16 {
        %x = vector.load %row[%i, %j] : memref<8x63xf32, …>, vector<16xf32>
        …
        vector.maskedstore %rowout[%i, %j], %everyOther, %y : …
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
                        "Bits of a vector.">];
  let statistics = [Statistic<"numVectorized", "vectorized", "Operations that were vectorized.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def JamRowsPass : Pass<"lci-jam-rows", "::mlir::func::FuncOp"> {
  let summary = "Compute several rows at a time where their windows have much in common.";
  let description = [{
    What a cell computes from a row, its lower neighbour computes from the row above its own. Four
    rows at a time compute what they share once, and load it once. The pass counts the loads and
    operations of a `linalg.generic` on buffers as if four rows of the loop before the innermost were
    computed together, and does so where that saves 15 % of them. Rows that are left over stay alone.

    Operands with rows must be views of constant offsets and strides on that axis; no row may read or
    write what another one writes; an output without rows may be a counter, to which the body adds.

    ```mlir
    %above = memref.subview %a[0, 0] [8, 16] [1, 1] : …
    %below = memref.subview %a[2, 0] [8, 16] [1, 1] : …
    %out = memref.subview %b[1, 0] [8, 16] [1, 1] : …
    linalg.generic … ins(%above, %below : …) outs(%out : …) {
    ^bb0(%x: i64, %y: i64, %o: i64):
      %p = f(%x)
      %q = f(%y)
      linalg.yield g(%p, %q)
    ```
    becomes, for two rows,
    ```mlir
    %0 = memref.subview %a[0, 0] [4, 16] [2, 1] : …
    %2 = memref.subview %a[2, 0] [4, 16] [2, 1] : …
    %1 = memref.subview %a[1, 0] [4, 16] [2, 1] : …
    %3 = memref.subview %a[3, 0] [4, 16] [2, 1] : …
    … as many views of %b …
    linalg.generic … ins(%0, %2, %1, %3 : …) outs(%even, %odd : …) {
      f of each of them, once, where windows are longer
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"4", "Rows at a time; 1: none.">,
    Option<"minSaved", "min-saved", "int64_t", /*default=*/"15",
           "Loads and operations to save, in per cent, for rows to be computed together.">
  ];
  let statistics = [
    Statistic<"numJammed", "jammed", "Operations of which rows are computed together.">,
    Statistic<"numSaved", "saved", "Operations saved for each group of rows.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def LinalgToLoopsPass : Pass<"lci-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg operations on buffers into loops, of which LLVM unrolls the innermost.";
  let description = [{
    One loop nest for each operation, as upstream's `convert-linalg-to-loops` makes. Each loop but the
    innermost carries `llvm.loop_annotation`, so that LLVM does not unroll it: it would write a
    network's layers out completely. Loops that are part of what one cell computes (candidates,
    members of families) stand in the operations' bodies, and LLVM may unroll them.

    ```mlir
    linalg.copy ins(%a : memref<4x2xf32>) outs(%b : memref<4x2xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %x = memref.load %a[%i, %j] : memref<4x2xf32>
        memref.store %x, %b[%i, %j] : memref<4x2xf32>
      }
    } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let statistics = [Statistic<"numLoops", "loops", "Loops made.">];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def StripInterfacePass : Pass<"lci-strip-interface", "::mlir::ModuleOp"> {
  let summary = "Leave only attributes that LLVM IR has a place for.";
  let description = [{
    It has none for `lci.role` and its like; who calls the function reads them before. What a loop
    said about itself, which upstream's conversions leave beside its branch, becomes the branch's own.

    ```mlir
    func.func @p(%A: i64 {lci.role = "seed"}) {
      return
    }
    ```
    becomes
    ```mlir
    func.func @p(%A: i64) {
      return
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def ParallelizeScalarsPass : Pass<"lci-parallelize-scalars", "::mlir::func::FuncOp"> {
  let summary = "Give linalg operations without loops a parallel loop of one.";
  let description = [{
    A value of one cell, or an observer, is a linalg operation without loops, which would become code
    of the host although its buffers are the device's. In a parallel loop of one iteration it becomes
    a kernel of one thread. Do not canonicalize afterwards: it would take the loop away.

    ```mlir
    linalg.fill ins(%x : f32) outs(%m : memref<f32>)
    ```
    becomes
    ```mlir
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      linalg.fill ins(%x : f32) outs(%m : memref<f32>)
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileParallelLoopsPass : Pass<"lci-tile-parallel-loops", "::mlir::func::FuncOp"> {
  let summary = "Cut parallel loops into blocks of threads along their last axis.";
  let description = [{
    Each outermost `scf.parallel` becomes a loop over blocks around a loop over the threads of one
    block, which follow the last axis. `gpu-map-parallel-loops` with the policy `innermost-first`
    then puts that axis on x. Do not canonicalize in between: it would join the two loops again.

    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%c64, %c512) step (%c1, %c1) { … }
    ```
    becomes
    ```mlir
    scf.parallel (%b, %d) = (%c0, %c0) to (%c64, %c512) step (%c1, %c128) {
      scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %c128) step (%c1, %c1) { … }
    }
    ```
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"128", "Threads of a block.">
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"];
}

def MergeKernelsPass : Pass<"lci-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Put all kernels of a module into one gpu.module.";
  let description = [{
    Kernels that have one name get numbers, and their launches follow. What PTX does not allow in a
    name becomes `_`.

    ```mlir
    gpu.module @p_kernel { gpu.func @p_kernel() kernel { … } }
    gpu.module @p_kernel_0 { gpu.func @p_kernel() kernel { … } }
    ```
    becomes
    ```mlir
    gpu.module @kernels {
      gpu.func @p_kernel() kernel { … }
      gpu.func @p_kernel_0() kernel { … }
    }
    ```
  }];
  let statistics = [Statistic<"numKernels", "kernels", "Kernels that were moved.">];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

#endif // LCI_TRANSFORMS_BUFFERS_TD
