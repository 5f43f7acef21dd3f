//===- Passes.td - Passes for GPUs alone -------------------*- tablegen -*-===//
//
// From parallel loops on memrefs to kernels.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_GPU_PASSES_TD
#define LCI_TRANSFORMS_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistInvariantBuffersPass : Pass<"lci-hoist-invariant-buffers", "::mlir::func::FuncOp"> {
  let summary = "Hoist the computation of invariant tables out of loops.";
  let description = [{
    Loops that fill a buffer allocated by the function, that compute and read other buffers and have no
    other effect, move out of loops and branches in which nothing writes the buffers that they read, with the
    allocation of theirs. A
    table in a branch that is not taken is then computed in vain, which is not observable. Two equal ones
    with no writes to their sources in between become one, if nothing else writes either buffer.

    ```mlir
    scf.for %epoch = … {
      scf.for %i = … { … memref.load %odds[%j] … memref.store %bit, %first[%i, %j] }
      linalg.generic … ins(%first …) …
      scf.for %i = … { … memref.load %odds[%j] … memref.store %bit, %second[%i, %j] }
      linalg.generic … ins(%second …) …
    }
    ```
    becomes, if nothing in the loop writes `%odds`,
    ```mlir
    scf.for %i = … { … memref.load %odds[%j] … memref.store %bit, %first[%i, %j] }
    scf.for %epoch = … {
      linalg.generic … ins(%first …) …
      linalg.generic … ins(%first …) …
    }
    ```
  }];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Tables that were hoisted.">,
    Statistic<"numShared", "shared", "Tables that were equal to others.">
  ];
}

def ExposeThreadsPass : Pass<"lci-expose-threads", "::mlir::func::FuncOp"> {
  let summary = "Give every linalg operation an outer parallel loop.";
  let description = [{
    Kernels are made of the outer parallel loops of linalg operations on buffers. Where a reduction is outside of
    one, as in batched models, the loops are interchanged; reductions keep their order. A value of one cell, an
    observer, or a sum over weights has no parallel loop, and would become code of the host although its
    buffers are in device memory: in a loop of one iteration it becomes a kernel of one thread. Do not canonicalize
    afterwards: it would remove that loop.

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
  let statistics = [Statistic<"numExchanged", "exchanged", "Operations whose loops were interchanged.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect"
  ];
}

def PrivatizeScratchPass : Pass<"lci-privatize-scratch", "::mlir::func::FuncOp"> {
  let summary = "Give each thread private buffers and sequential loops.";
  let description = [{
    An allocation inside of an `scf.parallel` becomes private memory of the thread, reserved at the beginning of
    the loop's body; linalg operations there become loops. A buffer of dynamic size is an error.

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
  let statistics = [Statistic<"numBuffers", "buffers", "Buffers that became private to threads.">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def TileParallelLoopsPass : Pass<"lci-tile-parallel-loops", "::mlir::func::FuncOp"> {
  let summary = "Tile parallel loops into blocks of threads along their last axis.";
  let description = [{
    Each outermost `scf.parallel` becomes a loop over blocks around a loop over the threads of a block. The threads
    follow the last axis and, where that is short or an attribute `lci.row_threads` limits their number on it, the
    one before. A grid has three axes: of more, the first ones are collapsed, and all of them are if the
    grid's other axes have no room for their blocks. `gpu-map-parallel-loops` with the policy `innermost-first`
    then maps the last axis to x. Do not canonicalize in between: it would merge the two loops again.

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
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect"];
}

def FuseLaunchesPass : Pass<"lci-fuse-launches", "::mlir::func::FuncOp"> {
  let summary = "Fuse independent launches into one kernel.";
  let description = [{
    A launch takes a GPU two microseconds, however little it does. Of consecutive launches, with only pure
    operations between them, those are independent that access other memory, or other rows, columns or boxes
    of it, or the same without writing to it (atomic integer additions aside). The pass assigns rounds: each
    launch gets the first round after those of all launches that it depends on. Those of one round become one
    launch. Its first blocks are the largest one's, at the same indices; on the last axis of that grid the blocks
    of the others follow, and find their indices by division. The threads of a smaller block are the first ones
    of a larger one.

    ```mlir
    gpu.launch blocks(%bx, %by, %bz) in (%c1, %c8, %c1) threads(%x, %y, %z) in (%c1, %c128, %c1) { A(%by, %y) }
    gpu.launch blocks(%bx, %by, %bz) in (%c2, %c1, %c1) threads(%x, %y, %z) in (%c1, %c128, %c1) { B(%bx, %y) }
    ```
    becomes
    ```mlir
    gpu.launch blocks(%bx, %by, %bz) in (%c1, %c10, %c1) threads(%x, %y, %z) in (%c1, %c128, %c1) {
      %first = arith.cmpi ult, %by, %c8
      scf.if %first { A(%by, %y) } else {
        %number = arith.subi %by, %c8
        B(%number, %y)
      }
    }
    ```
    All threads of a kernel have as many registers as those that need the most, and launches that take much
    longer than their overhead gain nothing. So unless all blocks together are few, all but the largest launch
    must have little work, and no more than twice as much for each thread as that one. Launches of dynamic size
    are not fused, and neither are those with barriers or workgroup memory.
  }];
  let options = [
    Option<"maxWork", "max-work", "int64_t", /*default=*/"1048576",
           "The most operations, of a thread times the blocks, of a launch that gains: an H200 takes four "
           "microseconds for so many.">
  ];
  let statistics = [Statistic<"numJoined", "joined", "Launches that were fused.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def MergeKernelsPass : Pass<"lci-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "Put all kernels of a module into one gpu.module.";
  let description = [{
    Kernels of the same name get numbers, and their launches are updated. Of kernels that are equal except for
    their operands, one is kept. Characters that PTX does not allow in names become `_`.

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
    Statistic<"numEqual", "equal", "Kernels that were equal to an earlier one.">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def PadConstantsPass : Pass<"lci-pad-constants", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Widen the elements of constant arrays to their size in memory.";
  let description = [{
    A constant array of integers of, say, 48 bits becomes one of 64 bits with the same values: loads step over
    elements by their size in memory, and LLVM's printer of PTX leaves no bytes between them.

    ```mlir
    gpu.module @kernels {
      llvm.mlir.global private constant @table(dense<[2, 5]> : tensor<2xi48>) : !llvm.array<2 x i48>
    }
    ```
    becomes
    ```mlir
    gpu.module @kernels {
      llvm.mlir.global private constant @table(dense<[2, 5]> : tensor<2xi64>) : !llvm.array<2 x i64>
    }
    ```
  }];
  let statistics = [Statistic<"numPadded", "padded", "Constants whose elements were widened.">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MapToLUT3Pass : Pass<"lci-map-to-lut3"> {
  let summary = "Cover boolean circuits with look-ups of three bits.";
  let description = [{
    Boolean operations on integers of 32 and 64 bits become `lci.lookup`, each of which is any function of three
    values, and as few of them as the pass finds; functions of two values stay single operations. Functions of
    up to six values are decomposed into look-ups of other values than those of the circuit, where that takes
    fewer. The or of two shifted words, which brings in bits of a neighbour, is one instruction already and is
    left alone.

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

def PredicateKernelsPass : Pass<"lci-predicate-kernels", "::mlir::func::FuncOp"> {
  let summary = "Move branches on device data into kernels.";
  let description = [{
    The host launches kernels without waiting for them, so it cannot branch on their results. Where the condition
    of a branch around launches reads an element of a buffer that is written, or compares floating-point numbers,
    which launch plans do not compute, each of the kernels evaluates it instead: threads for which it does not
    hold end at once. A kernel in the branch must not write what the condition reads.

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
  let statistics = [Statistic<"numDistributed", "kernels", "Kernels that evaluate a branch.">];
}

def SinkIntoKernelsPass : Pass<"lci-sink-into-kernels", "::mlir::func::FuncOp"> {
  let summary = "Move scalar computations of the host into kernels.";
  let description = [{
    The host's side of a program becomes a launch plan, which computes integers and reads no buffer. Each
    `gpu.launch` gets a copy of its other operands' computation: floating-point arithmetic, and elements of
    buffers that are not written after the load. Integers stay with the host, which computes them once for all
    threads. Discardable attributes that name a symbol are dropped in kernels, since outlining would copy the
    symbol.

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
  let summary = "Tell kernels which of their buffers do not alias.";
  let description = [{
    A buffer that a kernel takes is aligned to 16 bytes, as all device memory is. If at each launch it is of
    another allocation, or another `llvm.noalias` argument, than the other buffers, it is `llvm.noalias`, and
    `llvm.readonly` if the kernel only loads from it. LLVM then merges adjacent accesses, and PTX reads through
    the cache of constant data (`ld.global.nc`).

    ```mlir
    gpu.func @p(%x: memref<64xf32>, %y: memref<64xf32>) kernel { … }
    ```
    becomes
    ```mlir
    gpu.func @p(%x: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
                %y: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias}) kernel { … }
    ```
  }];
  let statistics = [Statistic<"numNoAlias", "noalias", "Arguments that do not alias any other.">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AggregateCountersPass : Pass<"lci-aggregate-counters", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Aggregate the atomic additions of a block's threads.";
  let description = [{
    A counter is one address, on which the atomic additions of all threads serialize. Where a kernel adds one, or
    an extended i1, to an element, under branches alone, the block's barrier counts its threads instead, and one
    of them adds the sum, if it is not zero. Other small numbers, such as population counts of words, are summed
    by `gpu.all_reduce`, and so is the total of several additions to one element. Additions in loops or of more
    than a million are left alone, and so are those of kernels with nested loops.

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
  let statistics = [Statistic<"numCounters", "counters", "Additions that were aggregated per block.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def ReduceByWarpsPass : Pass<"lci-reduce-by-warps", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower sums over the threads of a block to warp instructions.";
  let description = [{
    A sum of integers of 32 bits, which is uniform in a kernel of known block size, is one `gpu.subgroup_reduce` of
    each warp (`redux.sync` in PTX), and one more over the sums of the warps, which they have stored to workgroup memory, with one
    barrier in between. Others, such as those in loops, are left to upstream's lowering.

    ```mlir
    %sum = gpu.all_reduce add %mine uniform {} : (i32) -> i32
    ```
    becomes
    ```mlir
    %of_warp = gpu.subgroup_reduce add %mine uniform : (i32) -> i32
    scf.if %first_of_warp { memref.store %of_warp, %sums[%warp] : memref<4xi32, #gpu.address_space<workgroup>> }
    gpu.barrier
    %of_lane = memref.load %sums[%lane_or_last] : memref<4xi32, #gpu.address_space<workgroup>>
    %or_zero = arith.select %is_warp, %of_lane, %zero : i32
    %sum = gpu.subgroup_reduce add %or_zero uniform : (i32) -> i32
    ```
  }];
  let statistics = [Statistic<"numSums", "sums", "Sums that were lowered to warp instructions.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def AttachNVVMTargetPass : Pass<"lci-attach-nvvm-target", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Attach the module's GPU to its kernels, as NVVM's target.";
  let description = [{
    The `targets` of a `gpu.module` become one `#nvvm.target`, with the chip and the features of `lci.target` of
    the module around it. Without features the version of PTX is the first that knows the chip.

    ```mlir
    module attributes {lci.target = #lci.gpu<chip = "sm_90">} {
      gpu.module @kernels {
      }
    }
    ```
    becomes
    ```mlir
    gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">] {
    }
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def SetMinBlocksPerSMPass : Pass<"lci-set-min-blocks-per-sm", "::mlir::ModuleOp"> {
  let summary = "Lift the register limit of kernels with few blocks.";
  let description = [{
    Blocks that are resident on a multiprocessor share its registers. If a kernel is only launched with grids of few
    blocks, at most two for each multiprocessor of the target, one of them may use more: `nvvm.minctasm = 1` (as `__launch_bounds__(threads, 1)`, `.minnctapersm` of
    PTX) lifts the limit that ptxas sets otherwise. Kernels with a dynamic number of blocks are unchanged.

    ```mlir
    gpu.launch_func @kernels::@k blocks in (%c19, %c1, %c1) threads in (%c128, %c1, %c1) …
    gpu.func @k(…) kernel { … }
    ```
    becomes
    ```mlir
    gpu.func @k(…) kernel attributes {nvvm.minctasm = 1 : i32} { … }
    ```
  }];
  let statistics = [Statistic<"numKernels", "kernels", "Kernels of few blocks.">];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

def ShareScratchPass : Pass<"lci-share-scratch", "::mlir::func::FuncOp"> {
  let summary = "Let scratch buffers with disjoint lives share memory.";
  let description = [{
    The buffers of known size that a host function allocates become views of one allocation, the arena, which begin at
    multiples of 256 bytes. A buffer lives from before its first use to its last one, and as long as each loop around a
    use that its allocation is not in: a buffer that is allocated in a loop is not needed by the next iteration. Buffers
    whose lives meet stay disjoint, so two operands of one launch do; all others may share bytes. The largest buffers
    choose their places first, each the lowest one that is free.

    A view stands where the life begins: from there on the contents are undefined. It is no longer visible which
    buffers are distinct, so passes that need to know come before. A buffer that leaves its block, or whose address is
    taken, is left as it is.

    ```mlir
    %a = memref.alloc() : memref<256xf32>
    %b = memref.alloc() : memref<256xf32>
    %c = memref.alloc() : memref<128xf32>
    gpu.launch_func @kernels::@first … args(%a : memref<256xf32>)
    gpu.launch_func @kernels::@second … args(%a : memref<256xf32>, %b : memref<256xf32>)
    gpu.launch_func @kernels::@third … args(%b : memref<256xf32>, %c : memref<128xf32>)
    ```
    becomes
    ```mlir
    %arena = memref.alloc() {alignment = 256 : i64} : memref<2048xi8>
    %a = memref.view %arena[%c0][] : memref<2048xi8> to memref<256xf32>
    gpu.launch_func @kernels::@first … args(%a : memref<256xf32>)
    %b = memref.view %arena[%c1024][] : memref<2048xi8> to memref<256xf32>
    gpu.launch_func @kernels::@second … args(%a : memref<256xf32>, %b : memref<256xf32>)
    %c = memref.view %arena[%c0][] : memref<2048xi8> to memref<128xf32>
    gpu.launch_func @kernels::@third … args(%b : memref<256xf32>, %c : memref<128xf32>)
    ```
  }];
  let statistics = [Statistic<"numBuffers", "buffers", "Buffers that became views of the arena.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

#endif // LCI_TRANSFORMS_GPU_PASSES_TD
