//===- Passes.td - Schedules of ticks and loops ------------*- tablegen -*-===//
//
// Tiling, fusion, unroll-and-jam and time tiling, for processors and GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SCHEDULE_PASSES_TD
#define LCI_TRANSFORMS_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ParallelizeTicksPass : Pass<"lci-parallelize-ticks", "::mlir::func::FuncOp"> {
  let summary = "Partition ticks on buffers among threads.";
  let description = [{
    The cells of a tick on memrefs may be computed in any order. Its box is cut, along the first
    axis with enough rows, into as many chunks as the target has threads, or fewer if the work of a chunk
    would be less than `grain`. Work is estimated as the bytes of vector registers that the
    operations process (operations of the body × cells × bits of a cell in its layout / 8; a call of
    a model counts as 4096 operations). Each chunk has private counters, which are added to the
    shared ones at its end. The last axis is not cut in planes, whose words hold many cells, where
    the box has a stride on it, and where `lci-vectorize-cells` vectorizes it; a tick with no other
    axis stays whole then.

    ```mlir
    lci.tick @A … target(%A : memref<64x64xi8>) counts(%counts : memref<1xi64>) …
    ```
    becomes, for `#lci.cpu<threads = 4>`,
    ```mlir
    scf.forall (%part) in (4) {
      %first = arith.muli %part, %c16 : index
      %own = memref.alloca() : memref<1xi64>
      memref.store %zero, %own[%c0] : memref<1xi64>
      lci.tick @A … target(%A : memref<64x64xi8>) counts(%own : memref<1xi64>)
          box [%first, 0] [16, 64] step [1, 1] …
      %sum = memref.load %own[%c0] : memref<1xi64>
      memref.atomic_rmw addi %sum, %counts[%c0] : (i64, memref<1xi64>) -> i64
    }
    ```
  }];
  let options = [
    Option<"grain", "grain", "int64_t", /*default=*/"kThreadGrain",
           "The least work of a chunk; 0: all ticks are cut.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that were cut.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def TimeTileTicksPass : Pass<"lci-time-tile-ticks", "::mlir::func::FuncOp"> {
  let summary = "Time-tile epochs on large arrays by a moving tile of rows.";
  let description = [{
    In a loop over epochs every phase traverses all of its arrays. If they are larger than the
    cache, the program is bound by memory bandwidth. Here a tile of rows moves over the arrays
    once for several epochs, and each phase of each epoch computes its rows of the tile, skewed
    behind the phase before it by the radius of the stencils: two accesses to one row, of which one
    writes, keep their order. No cell is computed twice. Epochs beyond the last whole group remain
    in the original loop.

    A group has as many epochs as have their rows in `cache-bytes`; arrays of no more than
    `min-bytes` bytes together are left alone. The loop must contain ticks of at least two axes and
    refreshes of halos, possibly behind switches, in boxes with known rows, on arrays that do not
    alias. Anything else prevents time tiling, and `remarks` reports it.

    With ping-pong buffers, groups consist of whole periods, after which each buffer is back in its
    place. A halo is refreshed where its cells have changed. Around a torus the first rows depend on
    the last ones: there each stage also begins below the stages before it, by the radius of its
    reads. The rows next to the seam that are left out follow, stage by stage, after the last
    tile.

    Several threads compute epochs of a tile in parallel, equally many each, if each has work of
    at least `grain` (measured as by `lci-parallelize-ticks`): an `scf.forall` encloses the loop
    over `%t`. Each chunk lags the one before it by a whole tile more, so that none accesses a row
    of another one in the same iteration.

    ```mlir
    scf.for %e = %first to %last step %c1 {
      lci.tick @A … box [0, 0] [9, 9] step [1, 1] …
      lci.tick @B …                                  // reads A one row below
    }
    ```
    becomes
    ```mlir
    scf.for %group = %first to %middle step %c4 {
      scf.for %tile = %c0 to %c21 step %c8 {
        scf.for %t = %c0 to %c4 step %c1 {
          lci.tick @A at %group + %t … box [%begin, 0] [%count, 9] …
          lci.tick @B …                              // of a row less
    }}}
    scf.for %e = %middle to %last step %c1 { … as before … }
    ```
  }];
  let options = [
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"1 << 20",
           "Bytes of the cache for the rows in use.">,
    Option<"minBytes", "min-bytes", "int64_t", /*default=*/"1 << 20",
           "Arrays of no more bytes are left alone.">,
    Option<"maxEpochs", "max-epochs", "int64_t", /*default=*/"16", "Epochs at most at a time.">,
    Option<"rows", "rows", "int64_t", /*default=*/"8", "Rows of the tile.">,
    Option<"grain", "grain", "int64_t", /*default=*/"kThreadGrain",
           "The least work of each thread that shares a tile.">,
    Option<"remarks", "remarks", "bool", /*default=*/"false", "Say why phases are not fused.">
  ];
  let statistics = [Statistic<"numFused", "fused", "Loops over epochs whose phases were fused.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FuseTicksPass : Pass<"lci-fuse-ticks", "::mlir::func::FuncOp"> {
  let summary = "Fuse ticks over the same cells that share windows.";
  let description = [{
    Each value computed in a phase has a separate tick, behind the switch of its rule and before its
    halo. Two of them become one tick with both targets, which loads common windows once, if they
    have the same box and share a window, if no operation between them depends on their order, and
    if their cells only read windows and compute. What the second one writes, the first one may read
    in its own cell. The tick bears both names, and is executed if all switches are on; otherwise
    the ticks run as before. Ticks on words (`lci-bitslice`) are fused alike, and count as many
    cells as they hold; those that draw, after which lists of words follow, are not.

    Boxes of fewer than `min-cells` cells are not fused, nor are bodies of more than
    `max-operations` operations together: code for both cases takes longer to compile than it
    saves.

    ```mlir
    scf.if %a { lci.tick @U … inputs(%u, %v) target(%next) … }
    lci.refresh_halo %next …
    scf.if %b { lci.tick @V … inputs(%v, %u) target(%v) … }
    ```
    becomes
    ```mlir
    %all = arith.andi %a, %b : i1
    scf.if %all {
      lci.tick @U.V … inputs(%u, %v) target(%next, %v) …
    } else {
      scf.if %a { lci.tick @U … }
      scf.if %b { lci.tick @V … }
    }
    lci.refresh_halo %next …
    ```
  }];
  let options = [
    Option<"minCells", "min-cells", "int64_t", /*default=*/"4096",
           "Cells of a box, at least, where it is known; a word has as many as it has bits.">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"512",
           "Operations of all bodies of a group, at most.">
  ];
  let statistics = [Statistic<"numGroups", "groups", "Ticks that were made of several.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FuseNestsPass : Pass<"lci-fuse-nests", "::mlir::func::FuncOp"> {
  let summary = "Fuse linalg operations over the same cells that share inputs.";
  let description = [{
    Two `linalg.generic` on buffers in a block, whose loops have the same trip counts, are fused;
    the result loads common inputs once. Their bodies run consecutively at each element. So the
    second operation must not access anything that the first one writes, and the first one may read
    what the second one writes at the same element only; in one array, they may access lines that
    never meet, such as even and odd ones. The operations between must be independent of the first
    one, which moves down. Bodies are pure, but for atomic additions to numbers that neither of them
    reads.

    For a GPU each operation becomes a kernel, and only operations with parallel loops alone are
    fused: a reduction would occupy the other one's threads.

    ```mlir
    linalg.generic … ins(%u, %v : …) outs(%next : …) { %n = f(%x, %y) … }
    linalg.generic … ins(%u : …) outs(%v : …) { %m = g(%x, %old) … }
    ```
    becomes
    ```mlir
    linalg.generic … ins(%u, %v : …) outs(%next, %v : …) { %n = f(%x, %y) %m = g(%x, %old) … }
    ```
    Ticks of a phase are moved into one block by `lci-fuse-ticks`.
  }];
  let statistics = [Statistic<"numJoined", "joined", "Operations fused into another one.">];
}

def FuseSiblingLoopsPass : Pass<"lci-fuse-sibling-loops", "::mlir::func::FuncOp"> {
  let summary = "Fuse loops within a cell's computation that have equal bounds.";
  let description = [{
    Two `scf.for` of a block with the same bounds and step are fused if the second one does not
    depend on the first one and they share an input: a buffer that both read, or a number, neither
    index nor constant, that both compute with. The operands of the second one move up. Then common
    subexpressions are computed once, and of equal loops within the fused one, or of other equal
    operations with regions, only the first remains. This is done in blocks that have no effects but
    reads of memory, as the bodies of cells.

    A report determines, for each constraint, the winner without it: one agreement per constraint,
    and one more, each of which iterates over all candidates and evaluates the same of them.

    ```mlir
    %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      …
    }
    %most = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      …
    }
    ```
    becomes
    ```mlir
    %both:2 = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %zero, %s = %zero) -> (i64, i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      …
    }
    ```
    Loops with stores or calls between them are not fused.
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "Loops fused into another one.">,
    Statistic<"numDropped", "dropped", "Operations with regions that were equal to another one.">
  ];
}

def UnrollJamRowsPass : Pass<"lci-unroll-jam-rows", "::mlir::func::FuncOp"> {
  let summary = "Unroll and jam rows whose stencils overlap.";
  let description = [{
    A cell and its lower neighbour read overlapping rows. A tick of several rows, whose targets are
    views of one array that begin a row apart, loads and computes common values once. The pass counts
    the loads and operations of eight rows of the axis before the last, and jams eight if that saves
    15 % of them, and if some loads are common. It takes four, or two, where twice as many would take
    more than 95 % of their cost, or where there are fewer than four groups of that many rows: code
    for more rows takes longer to compile than it saves. Remaining rows are computed one by one.

    Cells only read windows and compute. No cell of a tick reads what another one writes, so any
    rows may be one iteration. Cells that keep what they hold, or that are in no set, install it. For
    a GPU what the rows count is added up, so that a thread adds to memory once.

    A load counts as `load-cost` operations. There must be no more than `max-accesses` loads and
    stores: beyond that LLVM does not vectorize, and a thread of a GPU runs out of registers. Nor
    must there be more than `max-operations`, loads among them: larger bodies take seconds to
    compile and are no faster. Where cells lie apart on the last axis, CPUs compute vectors of whole
    rows instead (`lci-vectorize-strides`).

    ```mlir
    lci.tick @A … inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) … {
      %x = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>] (%i, %j) …
      %y = lci.load %in[affine_map<(d0, d1) -> (d0 + 1, d1)>] (%i, %j) …
      lci.install g(f(%x), f(%y)) if %true : i64
    }
    ```
    becomes, for two rows,
    ```mlir
    %even = memref.subview %b[0, 0] [7, 16] [1, 1] : …
    %odd = memref.subview %b[1, 0] [7, 16] [1, 1] : …
    lci.tick @A … target(%even, %odd : …) box [0, 0] [4, 16] step [2, 1] … {
      … %x, %y, and %z of the row below
      lci.install g(f(%x), f(%y)), g(f(%y), f(%z)) if %true : i64, i64
    }
    ```
  }];
  let options = [
    Option<"rows", "rows", "int64_t", /*default=*/"8",
           "Rows per iteration, or else a power of two below; 1: no change.">,
    Option<"minSaved", "min-saved", "int64_t", /*default=*/"15",
           "Loads and operations that jamming must save, in per cent.">,
    Option<"minMore", "min-more", "int64_t", /*default=*/"5",
           "What twice as many rows must save in addition, in per cent.">,
    Option<"minGroups", "min-groups", "int64_t", /*default=*/"4",
           "Groups of rows, at least, if the number of rows is known.">,
    Option<"loadCost", "load-cost", "int64_t", /*default=*/"1", "Cost of a load, in operations.">,
    Option<"maxAccesses", "max-accesses", "int64_t", /*default=*/"240",
           "Loads and stores of a group, at most.">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"1024",
           "Loads and operations of a group, at most.">
  ];
  let statistics = [
    Statistic<"numJammed", "jammed", "Ticks whose rows were jammed.">,
    Statistic<"numSaved", "saved", "Operations saved for each group of rows.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

def TimeTileKernelsPass : Pass<"lci-time-tile-kernels", "::mlir::func::FuncOp"> {
  let summary = "Time-tile epochs of a kernel in workgroup memory.";
  let description = [{
    A loop over epochs with ping-pong buffers, in which one tick computes all cells of a torus, reads
    and writes all memory once per epoch. Where a cell takes few operations, memory is the cost. The pass inserts a loop over groups of epochs before it, whose iterations are one
    launch each. A block loads a tile with a border as wide as the stencil's radius over that many
    epochs, and computes all of it in each epoch. Wrong values at the sides spread inwards with each
    epoch and are not stored. A thread keeps several rows of a column in registers, and writes them
    to workgroup memory for its neighbours. The width of a tile minimizes the threads that compute
    borders only; a tile has half of the threads where there would be too few tiles. Indices are
    taken modulo the torus's sizes, so that no halo is read. After the groups the halo is made once,
    and the old loop computes the remaining epochs.

    ```mlir
    scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) {
      scf.if %on { lci.tick inputs(%a) target(%cells_of_b) { … } }
      lci.refresh_halo %b [wrap, wrap]
      scf.yield %b, %a
    }
    ```
    becomes
    ```mlir
    %g:2 = scf.for %e = %first to %end step %c8 iter_args(%a = %A, %b = %B) {
      gpu.launch … workgroup(%tile : memref<128x32xi64, #gpu.address_space<workgroup>>) {
        … loads from %a …
        scf.for %t = %c0 to %c8 step %c1 iter_args(%cells…, %counted…) {
          … stores to %tile …
          gpu.barrier
          … loads from %tile, the body for each row …
          gpu.barrier
        }
        scf.if %inside { … stores to %b, an atomic addition for each counter … }
      }
      scf.yield %b, %a
    }
    scf.if %any { lci.refresh_halo %g#0 [wrap, wrap] }
    scf.for %e = %end to %last step %c1 iter_args(%a = %g#0, %b = %g#1) { as before }
    ```
    The loop must satisfy these conditions: the buffers have two axes and known sizes and do not
    alias. The tick, possibly behind a switch that is an argument of the function, reads windows of
    one buffer and writes all cells of the other; its counters are no part of either, and are
    incremented for the cells inside of a tile. After it the halo of the second buffer is
    refreshed, and wraps on each axis where the tick reads it; the same holds before the loop for the
    first buffer. After the loop the result is copied to the first buffer unless it is there, and
    the second one is unused. Other loops are left alone.

    In a row of words of bits a cell depends on few bits of the words beside it: the pass traces
    shifts and bitwise operations, and one word on each side is enough for 64 epochs of Life.
  }];
  let options = [
    Option<"epochs", "epochs", "int64_t", /*default=*/"8", "Epochs of a launch; 1: no change.">,
    Option<"rows", "rows", "int64_t", /*default=*/"8", "Rows of a thread.">,
    Option<"columns", "columns", "int64_t", /*default=*/"64",
           "Columns of a tile, at most, one for each thread.">,
    Option<"threads", "threads", "int64_t", /*default=*/"512", "Threads of a block, at most.">,
    Option<"minInterior", "min-interior", "int64_t", /*default=*/"60",
           "Inner cells of a tile, at least, in per cent.">,
    Option<"minTiles", "min-tiles", "int64_t", /*default=*/"-1",
           "Tiles, at least; -1: one for each multiprocessor of the target.">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"128",
           "Operations of a body, at most: larger ones are not bound by memory.">
  ];
  let statistics = [
    Statistic<"numBlocked", "blocked", "Loops that were time-tiled.">,
    Statistic<"numKept", "kept", "Loops of another form.">,
    Statistic<"numSmall", "small", "Loops for which it would not pay.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // LCI_TRANSFORMS_SCHEDULE_PASSES_TD
