//===- Loops.td - Passes on loops and kernels ----------------*- tablegen -*-===//
//
// What becomes of linalg operations on buffers; a part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_LOOPS_TD
#define LCI_TRANSFORMS_LOOPS_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Loops of a processor
//===----------------------------------------------------------------------===//

def CountByLanesPass : Pass<"lci-count-by-lanes", "::mlir::func::FuncOp"> {
  let summary = "Count each place of short rows by itself, and add the counts up behind all rows.";
  let description = [{
    A counter that a row of words adds to is a vector once LLVM has made vectors of the row, whose
    elements are summed up where the row ends. In rows of few words that takes a good part of the time.
    So each place of a row gets a counter of its own, as wide as a word, and all places are added up
    once. Rows of more than `max-places` words, and cells that are narrower than their counter (see
    `lci-narrow-counters`), stay as they are. Run it before `lci-linalg-to-loops`.

    ```mlir
    linalg.generic {indexing_maps = [#ij, #ij, affine_map<(i, j) -> ()>], …}
        ins(%old : memref<512x16xi64>) outs(%new, %count : memref<512x16xi64>, memref<i64>) { … }
    ```
    becomes
    ```mlir
    linalg.fill ins(%zero : i64) outs(%places : memref<16xi64>)
    linalg.generic {indexing_maps = [#ij, #ij, affine_map<(i, j) -> (j)>], …}
        ins(%old : memref<512x16xi64>) outs(%new, %places : memref<512x16xi64>, memref<16xi64>) { … }
    … %count is increased by the sum of %places
    ```
  }];
  let options = [
    Option<"maxPlaces", "max-places", "int64_t", "32",
      "Words of a row, at most: the sum of four vectors takes little of the time of four.">
  ];
  let statistics = [Statistic<"numCounters", "counters", "Counters that each place of a row has now.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"
  ];
}

def NarrowCountersPass : Pass<"lci-narrow-counters", "::mlir::func::FuncOp"> {
  let summary = "Count in as few bits as cells have over strips of the innermost loop.";
  let description = [{
    A loop that adds truth values to 64-bit counters in memory is cut into strips so short that their
    sums fit as many bits as the cells that the loop writes, from 8 to 32; the sum is carried by the
    strip and added to memory after it. The cells'
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

def VectorizeRestsPass : Pass<"lci-vectorize-rests", "::mlir::func::FuncOp"> {
  let summary = "Compute the ends of rows by vectors, the last one under a mask.";
  let description = [{
    Of the cells of a row LLVM computes as many by vectors as are whole pairs of these, and the others by
    smaller vectors and one by one: of 511 numbers 31, which take a quarter of the time. This pass
    leaves it the whole pairs of an elementwise `linalg.generic` and computes what is left of each row
    by a vector and one under a mask, or by the latter alone.

    A vector that does not lie in one line of the cache is loaded and stored by two accesses. Where a
    row is stored to some way into a vector of its buffer, as the inner cells of a grid are, the cells
    before the next vector come under a mask, too, and the others lie in one line each.

    Every operand with axes must have them in the order of the loops, of constant extent on the last one
    and its cells side by side there; one without axes may be a counter, to which the body adds. A value
    of the body must not take more than four registers. Machines without masks for elements of that
    size (AVX2 has none for less than 32 bits) keep the loop as it is.

    ```mlir
    linalg.generic … ins(%in : memref<8x35xf32, …>) outs(%out : memref<8x35xf32, …>) { … }
    ```
    becomes
    ```mlir
    %rest = memref.subview %in[0, 32] [8, 3] [1, 1] : …
    scf.for %i = … {
      %x = vector.maskedload %rest[%i, %c0], %firstThree, %zeros : … into vector<16xf32>
      …
      vector.maskedstore %restOut[%i, %c0], %firstThree, %y : …
    }
    %whole = memref.subview %in[0, 0] [8, 32] [1, 1] : …
    linalg.generic … ins(%whole : …) outs(%wholeOut : …) { … }
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
                        "Bits of a vector.">];
  let statistics = [Statistic<"numRests", "rests", "Operations whose rows begin or end in a masked vector.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def VectorizeStridesPass : Pass<"lci-vectorize-strides", "::mlir::func::FuncOp"> {
  let summary = "Compute every other cell of a row by vectors of all of them.";
  let description = [{
    A colour of a lattice takes every second (fourth) cell of a row. LLVM gathers such cells by
    shuffles and scatters the results. Where the body of a `linalg.generic` is short, it is quicker to
    compute all cells of the row, whose neighbours lie side by side, and to store those of the colour
    by a mask: (stride − 1) × operations of the body must cost less than 4 for each strided input and
    24 for each strided output.

    Every operand with axes must be a view of the same constant extent and stride on the last axis,
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

def LinalgToLoopsPass : Pass<"lci-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg operations on buffers into loops, and say what LLVM shall not do to them.";
  let description = [{
    One loop nest for each operation, as upstream's `convert-linalg-to-loops` makes. Each loop but the
    innermost carries `llvm.loop_annotation`, so that LLVM does not unroll it: it would write a
    network's layers out completely. Loops that are part of what one cell computes (candidates,
    members of families) stand in the operations' bodies, and LLVM may unroll them.

    Where each turn touches other rows, as where the ends of rows are copied to their halos, all loops
    also say that LLVM shall make no vectors of them: it would gather each element from a row of its
    own and scatter it again. What computes more than four operations for each access is left to it.

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
  let statistics = [
    Statistic<"numLoops", "loops", "Loops made.">,
    Statistic<"numScalar", "scalar", "Nests of which LLVM shall make no vectors.">
  ];
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
    Functions with a body that are private become internal.

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

def ExposeThreadsPass : Pass<"lci-expose-threads", "::mlir::func::FuncOp"> {
  let summary = "Bring the parallel loops of linalg operations outside, and give one to those without.";
  let description = [{
    Kernels are made of the outer parallel loops of linalg operations on buffers. Where a reduction runs outside
    of one, as in batched models, the loops are exchanged; reductions keep their order. A value of one cell, an
    observer, or a sum over weights has no parallel loop, and would become code of the host although its
    buffers are the device's: in a loop of one iteration it becomes a kernel of one thread. Do not canonicalize
    afterwards: it would take that loop away.

    ```mlir
    linalg.generic {iterator_types = ["reduction", "parallel"]} …
    linalg.fill ins(%x : f32) outs(%m : memref<f32>)
    ```
    becomes
    ```mlir
    linalg.generic {iterator_types = ["parallel", "reduction"]} …
    scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
      linalg.fill ins(%x : f32) outs(%m : memref<f32>)
    }
    ```
  }];
  let statistics = [Statistic<"numExchanged", "exchanged", "Operations whose loops were exchanged.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"
  ];
}

def PrivatizeScratchPass : Pass<"lci-privatize-scratch", "::mlir::func::FuncOp"> {
  let summary = "Give each thread its own buffers, and loops of its own.";
  let description = [{
    What is allocated inside of a `scf.parallel` becomes memory of the thread, reserved where the loop's body
    begins; linalg operations there become loops. A buffer whose size is not known is an error.

    ```mlir
    scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
      %near = memref.alloc() : memref<8xi64>
      linalg.fill ins(%none : i64) outs(%near : memref<8xi64>)
    }
    ```
    becomes
    ```mlir
    scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
      %near = memref.alloca() : memref<8xi64>
      scf.for %k = %c0 to %c8 step %c1 { memref.store %none, %near[%k] : memref<8xi64> }
    }
    ```
  }];
  let statistics = [Statistic<"numBuffers", "buffers", "Buffers that each thread has.">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def TileParallelLoopsPass : Pass<"lci-tile-parallel-loops", "::mlir::func::FuncOp"> {
  let summary = "Cut parallel loops into blocks of threads along their last axis.";
  let description = [{
    Each outermost `scf.parallel` becomes a loop over blocks around a loop over the threads of one
    block, which follow the last axis and, where that is short or an attribute `lci.row_threads` lets
    fewer do so, the one before. A grid has three axes; where
    there are more, the first ones become one, and all of them do if a grid's other axes have no room for their
    blocks. `gpu-map-parallel-loops` with the policy `innermost-first`
    then puts the last axis on x. Do not canonicalize in between: it would join the two loops again.

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
    Kernels that have one name get numbers, and their launches follow. Of kernels that do the same,
    on other operands, one is left. What PTX does not allow in a name becomes `_`.

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
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that were moved.">,
    Statistic<"numEqual", "equal", "Kernels that one before them stands for.">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def MapLookupsPass : Pass<"lci-map-lookups"> {
  let summary = "Cover boolean circuits with look-ups of three bits.";
  let description = [{
    Boolean operations on integers of 32 and 64 bits become `lci.lookup`, each of which is any function
    of three values, and as few of them as the pass finds; what is a function of two stays an operation
    of its own. The or of two shifted words, by which bits of a neighbour come in, is an instruction
    already and not looked into.

    ```mlir
    %half = arith.xori %a, %b : i64
    %x = arith.andi %half, %c : i64
    %same = arith.xori %half, %ones : i64
    %y = arith.andi %same, %a : i64
    %carry = arith.ori %x, %y : i64
    ```
    becomes
    ```mlir
    %carry = lci.lookup %a, %b, %c in 232 : i64
    ```
  }];
  let statistics = [Statistic<"numLookups", "lookups", "Look-ups that were made.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::lci::LCIDialect"];
}

def DistributeBranchesPass : Pass<"lci-distribute-branches", "::mlir::func::FuncOp"> {
  let summary = "Let kernels take the branches that the host cannot.";
  let description = [{
    The host launches kernels without waiting for them, so it cannot branch on what they write. Where a
    branch around launches asks for an element of a buffer that is written, or compares numbers, which
    launch plans do not compute, each of the kernels takes it instead: its threads ask, and end if there is nothing for them to do. A kernel behind the branch must not
    write what it asks for.

    ```mlir
    %many = memref.load %number[%c0] : memref<1xi64>
    %any = arith.cmpi ult, %first, %many : i64
    scf.if %any {
      gpu.launch blocks(…) threads(…) { … }
    }
    ```
    becomes
    ```mlir
    gpu.launch blocks(…) threads(…) {
      %many = memref.load %number[%c0] : memref<1xi64>
      %any = arith.cmpi ult, %first, %many : i64
      scf.if %any { … }
    }
    ```
  }];
  let statistics = [Statistic<"numDistributed", "kernels", "Kernels that take a branch.">];
}

def SinkIntoKernelsPass : Pass<"lci-sink-into-kernels", "::mlir::func::FuncOp"> {
  let summary = "Let kernels compute numbers that the host would compute for them.";
  let description = [{
    The host's side of a program becomes a launch plan, which computes integers and reads no buffer. Each
    `gpu.launch` gets a copy of what it uses besides: arithmetic on numbers, and elements of buffers to which
    nothing writes behind the load. Integers stay with the host, which computes them once for all threads.
    Discardable attributes that name a symbol are dropped in kernels, since outlining would copy what they
    name.

    ```mlir
    %x = arith.sitofp %epoch : i64 to f32
    %y = arith.mulf %x, %rate : f32
    gpu.launch blocks(…) threads(…) { use(%y) }
    ```
    becomes
    ```mlir
    gpu.launch blocks(…) threads(…) {
      %x = arith.sitofp %epoch : i64 to f32
      %y = arith.mulf %x, %rate : f32
      use(%y)
    }
    ```
  }];
  let statistics = [Statistic<"numSunk", "operations", "Operations copied into kernels.">];
}

def DescribeArgumentsPass : Pass<"lci-describe-arguments", "::mlir::ModuleOp"> {
  let summary = "Tell kernels which of their buffers lie apart.";
  let description = [{
    A buffer that a kernel takes is aligned to 16 bytes, as all memory of devices is. If at each launch it comes
    from another allocation, or another `llvm.noalias` argument, than the other buffers, it is `llvm.noalias`,
    and `llvm.readonly` if the kernel only loads from it. LLVM then joins neighbouring accesses, and PTX reads
    through the cache of constant data (`ld.global.nc`).

    ```mlir
    gpu.func @p(%x: memref<64xf32>, %y: memref<64xf32>) kernel { … }
    ```
    becomes
    ```mlir
    gpu.func @p(%x: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                %y: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias}) kernel { … }
    ```
  }];
  let statistics = [Statistic<"numApart", "apart", "Arguments that lie apart from all others.">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def KernelsToLoopsPass : Pass<"lci-kernels-to-loops", "::mlir::ModuleOp"> {
  let summary = "Run kernels on the host, one thread after the other.";
  let description = [{
    Each kernel becomes a function with a loop over its blocks and one over the threads of a block, and
    each launch a call of it: what a GPU would compute can be seen where there is none. Where threads meet
    at a barrier, one loop over them ends and another one begins; loops in which they meet stand outside
    of those, and of a branch without results in which they meet each stretch asks again who has taken it.
    The threads of a warp meet where they multiply together (`nvgpu.mma.sync` of TF32 numbers, 16 by 8 by 8,
    which are added one after the other here). What a thread keeps meanwhile is an element of an array,
    unless it follows from the thread's numbers alone; workgroup memory is the block's. Shuffles are
    refused, and so are branches with results in which threads meet and launches that nobody waits for.

    ```mlir
    gpu.launch_func @kernels::@k blocks in (%g, %c1, %c1) threads in (%c128, %c1, %c1) args(%a : …)
    gpu.module @kernels {
      gpu.func @k(%a: …) kernel { %t = gpu.thread_id x … }
    }
    ```
    becomes
    ```mlir
    func.call @k(%g, %c1, %c1, %c128, %c1, %c1, %a)
    func.func private @k(%gx: index, …, %bx: index, …, %a: …) {
      scf.for … { scf.for %t = %c0 to %bx step %c1 { … } }
    }
    ```
  }];
  let statistics = [Statistic<"numKernels", "kernels", "Kernels that became functions.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def CountByBlocksPass : Pass<"lci-count-by-blocks", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let the threads of a block count together.";
  let description = [{
    A counter is one address, at which the atomic additions of all threads wait for one another. Where a
    kernel adds one, or a truth value, to an element, under branches alone, the threads of a block are
    counted by its barrier instead, and one of them adds what came out, if anything did. Other small numbers,
    such as how many bits of a word are set, are summed up by `gpu.all_reduce`, and so is what several
    additions to one element come to. What stands in a loop, or may be more than a million, stays, and so does what threads with loops in loops add.

    ```mlir
    scf.if %inside {
      …
      %one = arith.extui %changed : i1 to i64
      memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<1xi64>) -> i64
    }
    ```
    becomes
    ```mlir
    %counted = scf.if %inside -> i1 { … scf.yield %changed : i1 } else { scf.yield %false : i1 }
    %many = nvvm.barrier #nvvm.reduction<popc> %counted_i32 -> i32
    scf.if %first_and_any { memref.atomic_rmw addi %many_i64, %counts[%c0] : (i64, memref<1xi64>) -> i64 }
    ```
  }];
  let statistics = [Statistic<"numCounters", "counters", "Additions that blocks make together.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // LCI_TRANSFORMS_LOOPS_TD
