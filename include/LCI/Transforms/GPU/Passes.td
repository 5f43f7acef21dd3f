//===- Passes.td - Passes for GPUs alone -------------------*- tablegen -*-===//
//
// What becomes of parallel loops on memrefs on the way to kernels.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_GPU_PASSES_TD
#define LCI_TRANSFORMS_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def HoistInvariantBuffersPass : Pass<"lci-hoist-invariant-buffers", "::mlir::func::FuncOp"> {
  let summary = "Compute tables once that do not change.";
  let description = [{
    Loops that fill a buffer of the function's own, compute and read other buffers, and do nothing else,
    move out of loops and branches in which nothing writes what they read; a table that is not needed is
    computed then, too, which nobody sees. Two that do the same, with nothing between them that writes what
    they read, are one, if nothing else writes to either buffer.

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
    Statistic<"numHoisted", "hoisted", "Tables that are computed further outside.">,
    Statistic<"numShared", "shared", "Tables that others are, too.">
  ];
}

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

def FuseLaunchesPass : Pass<"lci-fuse-launches", "::mlir::func::FuncOp"> {
  let summary = "Make one kernel of launches that do not wait for each other.";
  let description = [{
    A launch takes a GPU two microseconds, however little it does. Of launches that follow one another, with
    only computations between them, those that touch other memory, or other rows, columns or boxes of it, or
    the same without writing to it (additions to whole numbers aside), are independent. The pass finds
    rounds: a launch is in the first one in which it waits for no other of its round. Those of one round
    become one launch. Its first blocks are the largest one's, at their places; on the last axis that they
    have, the blocks of the others follow, and find their places by division. A smaller block is the
    first threads of a larger one.

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
    All threads of a kernel have as many registers as those that need the most, and what takes much longer than
    a launch gains nothing. So unless all blocks together are few, all but the largest launch must have little
    to do, and no more than twice as much for each thread as that one. Launches whose sizes are no
    constants stay alone, as do those whose threads meet or share memory.
  }];
  let options = [
    Option<"fewBlocks", "few-blocks", "int64_t", /*default=*/"264",
           "Blocks that find place at once, whatever registers they need: two for each multiprocessor of an "
           "H200.">,
    Option<"mostWork", "most-work", "int64_t", /*default=*/"1048576",
           "Operations, of a thread of each block together, of a launch that gains: an H200 takes four "
           "microseconds for so many.">
  ];
  let statistics = [Statistic<"numJoined", "joined", "Launches that are parts of others now.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
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

def MapToLUT3Pass : Pass<"lci-map-to-lut3"> {
  let summary = "Cover boolean circuits with look-ups of three bits.";
  let description = [{
    Boolean operations on integers of 32 and 64 bits become `lci.lookup`, each of which is any function
    of three values, and as few of them as the pass finds; what is a function of two stays an operation
    of its own. Functions of up to six values are decomposed into look-ups of other values than those of
    the circuit, where that takes fewer. The or of two shifted words, by which bits of a neighbour come in, is an instruction
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

def PredicateKernelsPass : Pass<"lci-predicate-kernels", "::mlir::func::FuncOp"> {
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

def AggregateCountersPass : Pass<"lci-aggregate-counters", "::mlir::gpu::GPUModuleOp"> {
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

def ReduceByWarpsPass : Pass<"lci-reduce-by-warps", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Sum up what the threads of a block have by instructions of warps.";
  let description = [{
    A sum of integers of 32 bits, which all threads of a kernel of known block size get to, is one
    `nvvm.redux.sync` of each warp, and one more of what the warps have put side by side in workgroup memory;
    between them the block meets once. Others, such as those in loops, stay upstream's.

    ```mlir
    %sum = gpu.all_reduce add %mine uniform {} : (i32) -> i32
    ```
    becomes
    ```mlir
    %of_warp = nvvm.redux.sync add %mine, %all : i32 -> i32
    scf.if %first_of_warp { memref.store %of_warp, %sums[%warp] : memref<4xi32, #gpu.address_space<workgroup>> }
    gpu.barrier
    %of_lane = memref.load %sums[%lane_or_last] : memref<4xi32, #gpu.address_space<workgroup>>
    %or_zero = arith.select %is_warp, %of_lane, %zero : i32
    %sum = nvvm.redux.sync add %or_zero, %all : i32 -> i32
    ```
  }];
  let statistics = [Statistic<"numSums", "sums", "Sums that warps make.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def SetMinBlocksPerSMPass : Pass<"lci-set-min-blocks-per-sm", "::mlir::ModuleOp"> {
  let summary = "Let kernels of few blocks have as many registers as they like.";
  let description = [{
    A kernel that is always launched with so few blocks that a multiprocessor has no more than a few of them
    need not leave registers to others: `nvvm.minctasm` says that one block at a time is enough. Where it is
    not known how many blocks there are, nothing is said.

    ```mlir
    gpu.launch_func @kernels::@k blocks in (%c19, %c1, %c1) threads in (%c128, %c1, %c1) …
    gpu.func @k(…) kernel { … }
    ```
    becomes
    ```mlir
    gpu.func @k(…) kernel attributes {nvvm.minctasm = 1 : i32} { … }
    ```
  }];
  let options = [
    Option<"fewBlocks", "few-blocks", "int64_t", /*default=*/"264",
           "Blocks that are few: two for each multiprocessor of an H200.">
  ];
  let statistics = [Statistic<"numKernels", "kernels", "Kernels of few blocks.">];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
}

#endif // LCI_TRANSFORMS_GPU_PASSES_TD
