//===- Passes.td - Schedules of ticks and loops ------------*- tablegen -*-===//
//
// Tiling, fusion, unroll-and-jam and time tiling, for processors and GPUs.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SCHEDULE_PASSES_TD
#define LCI_TRANSFORMS_SCHEDULE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ParallelizeTicksPass : Pass<"lci-parallelize-ticks", "::mlir::func::FuncOp"> {
  let summary = "Cut ticks on buffers into parts, one for each thread.";
  let description = [{
    The cells of a tick on memrefs may be computed in any order. Its box is cut, along the first axis
    with enough rows, into as many parts as there are threads, or fewer if a part would have less to
    do than `grain`: the bytes of vector registers that its operations go through, about (operations
    of the body × cells × bits of a cell in its layout / 8; a model's question counts as 4096
    operations). Counters of a part are its own; what it counted is added at the end. The last axis
    stays whole in planes, whose words hold many cells, where cells are taken in steps, and where
    `lci-vectorize-cells` computes them; so a tick with no other axis does, too.

    ```mlir
    lci.tick @A … target(%A : memref<64x64xi8>) counts(%counts : memref<1xi64>) …
    ```
    becomes, for four threads,
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
    Option<"threads", "threads", "int64_t", /*default=*/"1", "Threads that share a tick.">,
    Option<"grain", "grain", "int64_t", /*default=*/"kThreadGrain",
           "The least that a part must have to do; 0: all ticks are cut.">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "Bits of a vector of `lci-vectorize-cells`.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that were cut.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def TimeTileTicksPass : Pass<"lci-time-tile-ticks", "::mlir::func::FuncOp"> {
  let summary = "Let a window of rows go over large arrays once for several epochs.";
  let description = [{
    In a loop over epochs every phase goes over all of its arrays. If they are larger than the cache,
    memory is what a program waits for. Here a window of rows moves over the arrays once for several
    epochs, and each phase of each epoch computes its rows of the window, as many rows behind the phase
    before it as their windows reach: two accesses to one row, of which one writes, keep their order.
    No cell is computed twice. Epochs that make no whole group stay in the loop behind.

    As many epochs are taken together as have their rows in `cache-bytes`; arrays that have no more than
    `smallest` bytes together are left alone. The loop must hold ticks of at least two axes and refreshes
    of halos, perhaps behind switches, in boxes of known rows, on arrays of their own. Anything else is
    an obstacle, which `remarks` names.

    Where buffers take turns, epochs go together until each is where it was (a turn). A halo is refreshed
    where its cells have changed. Around a torus the first rows need the last ones: there each stage also
    begins below those before it, by as many rows as they reach back, and the rows next to the seam that
    are left out follow, stage by stage, when the window is through.

    Several threads take the epochs of a window side by side, as many each, if there is a `grain` for
    each of them to do (`lci-parallelize-ticks` says of what): a loop `scf.forall` is around the one
    over `%t`. A part is a whole window more behind the one before it, so that none touches a row of
    another one's in the same turn.

    ```mlir
    scf.for %e = %first to %last step %c1 {
      lci.tick @A … box [0, 0] [9, 9] step [1, 1] …
      lci.tick @B …                                  // reads A one row below
    }
    ```
    becomes
    ```mlir
    scf.for %group = %first to %middle step %c4 {
      scf.for %window = %c0 to %c21 step %c8 {
        scf.for %t = %c0 to %c4 step %c1 {
          lci.tick @A at %group + %t … box [%begin, 0] [%count, 9] …
          lci.tick @B …                              // of a row less
    }}}
    scf.for %e = %middle to %last step %c1 { … as before … }
    ```
  }];
  let options = [
    Option<"cacheBytes", "cache-bytes", "int64_t", /*default=*/"1 << 20",
           "Bytes that rows in use may take.">,
    Option<"smallest", "smallest", "int64_t", /*default=*/"1 << 20",
           "Arrays of no more bytes are left alone.">,
    Option<"maxEpochs", "max-epochs", "int64_t", /*default=*/"16", "Epochs at most at a time.">,
    Option<"rows", "rows", "int64_t", /*default=*/"8", "Rows by which the window moves.">,
    Option<"threads", "threads", "int64_t", /*default=*/"1", "Threads that share a window.">,
    Option<"grain", "grain", "int64_t", /*default=*/"kThreadGrain",
           "The least that each of them must have to do.">,
    Option<"remarks", "remarks", "bool", /*default=*/"false", "Say why phases are not fused.">
  ];
  let statistics = [Statistic<"numFused", "fused", "Loops over epochs whose phases were fused.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FuseTicksPass : Pass<"lci-fuse-ticks", "::mlir::func::FuncOp"> {
  let summary = "Bring ticks together that go over the same cells and read the same.";
  let description = [{
    Of values that one phase computes, each has a tick of its own, behind the switch of its rule and
    before its halo. Where two of them have the same box and read one array, nothing between them asks
    for their order, and cells only read windows and compute, they are put into one `scf.execute_region`
    with their names, which `lci-outline-ticks` makes one function of, for the case that all switches
    are on; else they stand as before. What they share is loaded once then (`lci-fuse-nests`). Ticks
    on planes of bits are `linalg.generic` on words by now (`lci-bitslice`), with their names, and are
    brought together alike; those that draw, of which words are but a part, stay apart.

    Boxes of fewer than `least-cells` cells stay apart, and so do bodies of more than `most-operations`
    operations together: code for both cases takes longer to compile than it saves. Kernels are no
    functions of their own: without `regions` the ticks of a group just follow one another.

    ```mlir
    scf.if %a { lci.tick @U … inputs(%u, %v) target(%next) … }
    lci.refresh_halo %next …
    scf.if %b { lci.tick @V … inputs(%v, %u) target(%v) … }
    ```
    becomes
    ```mlir
    %all = arith.andi %a, %b : i1
    scf.if %all {
      scf.execute_region no_inline {
        lci.tick @U … inputs(%u, %v) target(%next) …
        lci.tick @V … inputs(%v, %u) target(%v) …
        scf.yield
      } {lci.name = "U.V"}
    } else {
      scf.if %a { lci.tick @U … }
      scf.if %b { lci.tick @V … }
    }
    lci.refresh_halo %next …
    ```
  }];
  let options = [
    Option<"leastCells", "least-cells", "int64_t", /*default=*/"4096",
           "Cells of a box, at least, where it is known; a word has as many as it has bits.">,
    Option<"mostOperations", "most-operations", "int64_t", /*default=*/"512",
           "Operations of all bodies of a group, at most.">,
    Option<"regions", "regions", "bool", /*default=*/"true",
           "Put each group into a region with a name, of which a function is made.">
  ];
  let statistics = [Statistic<"numGroups", "groups", "Groups of ticks that were brought together.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def FuseNestsPass : Pass<"lci-fuse-nests", "::mlir::func::FuncOp"> {
  let summary = "Let linalg operations over the same cells that share inputs be one.";
  let description = [{
    Two `linalg.generic` on buffers of a block whose loops have the same turns become one that loads
    once what both read. Their bodies follow one another at each element, so that nothing that the
    first one writes may be touched by the second one, and what the second one writes, the first one
    may read at the same element only; of one array, they may take lines that never meet, such as
    even and odd ones. What stands between must not mind that the first one moves down. Bodies compute,
    may add to numbers atomically that neither of them reads, and do nothing else.

    With `threads` each operation is a kernel, and only those whose loops are all parallel are joined: a
    reduction would take the other one's threads.

    ```mlir
    linalg.generic … ins(%u, %v : …) outs(%next : …) { %n = f(%x, %y) … }
    linalg.generic … ins(%u : …) outs(%v : …) { %m = g(%x, %old) … }
    ```
    becomes
    ```mlir
    linalg.generic … ins(%u, %v : …) outs(%next, %v : …) { %n = f(%x, %y) %m = g(%x, %old) … }
    ```
    Ticks of a phase are brought into one block by `lci-fuse-ticks`.
  }];
  let options = [
    Option<"threads", "threads", "bool", /*default=*/"false",
           "Join operations with parallel loops only, which become threads.">
  ];
  let statistics = [Statistic<"numJoined", "joined", "Operations that joined another one.">];
}

def FuseSiblingLoopsPass : Pass<"lci-fuse-sibling-loops", "::mlir::func::FuncOp"> {
  let summary = "Let loops of a cell that go over the same be one.";
  let description = [{
    Two `scf.for` of a block with the same bounds and step become one, if the second one does not
    depend on the first one and they have something in common: a buffer that both read, or a number,
    no index and no constant, that both compute with. What the second one is computed from moves up.
    Then what both compute is computed once, and of equal loops inside of the joined one, or of other
    equal operations with regions, the first stays alone. All of this happens in blocks that read
    memory and do nothing else to it, as the bodies of cells do.

    A report asks, of each constraint, who would have won without it: as many agreements as there are
    constraints, and one more, each of which looks at all candidates. They ask the same of each.

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
    Loops that stores or calls stand between stay as they are.
  }];
  let statistics = [
    Statistic<"numJoined", "joined", "Loops that joined another one.">,
    Statistic<"numDropped", "dropped", "Operations with regions that were equal to another one.">
  ];
}

def UnrollJamRowsPass : Pass<"lci-unroll-jam-rows", "::mlir::func::FuncOp"> {
  let summary = "Compute several rows at a time where their windows have much in common.";
  let description = [{
    What a cell computes from a row, its lower neighbour computes from the row above its own. Several
    rows at a time compute what they share once, and load it once. The pass counts the loads and
    operations of a `linalg.generic` on buffers as if eight rows of the loop before the innermost were
    computed together, and does so where that saves 15 % of them; or as if four were, or two, where
    twice as many would take more than 95 % of that, or where there are no four such groups of rows: code
    for more of them takes longer to compile than it saves. Rows that are left over stay alone.

    Operands with rows must be views of constant strides on that axis, whose offsets may begin at a
    row that is computed; no row may read or write what another one writes; an output without rows
    may be a counter, to which the body adds. What rows add to a number atomically, as in kernels,
    whether under a condition or not, they add at once.

    A load counts as `load-cost` operations. There must be no more than `most-accesses` loads and stores:
    beyond that LLVM makes no vectors, and a thread of a GPU has no registers. Nor must there be more than
    `most-operations`, loads among them: larger bodies take seconds to compile and are no faster. With
    `threads` what is made become kernels, and rows that are left over, if it is known how many, are
    threads of the same one:
    ```mlir
    scf.parallel (%i, %j) = (%c0, %c0) to (%groups_and_rest, %columns) step (%c1, %c1) {
      scf.if %in_group { … rows together … } else { … one row … }
    ```

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
    Option<"rows", "rows", "int64_t", /*default=*/"8", "Rows at a time, at most; 1: none.">,
    Option<"minSaved", "min-saved", "int64_t", /*default=*/"15",
           "Loads and operations to save, in per cent, for rows to be computed together.">,
    Option<"minMore", "min-more", "int64_t", /*default=*/"5",
           "What twice as many rows have to save of that, in per cent.">,
    Option<"minGroups", "min-groups", "int64_t", /*default=*/"4",
           "Groups that there must be, where it is known how many rows there are.">,
    Option<"loadCost", "load-cost", "int64_t", /*default=*/"1", "Operations that a load is worth.">,
    Option<"mostAccesses", "most-accesses", "int64_t", /*default=*/"240",
           "Loads and stores of a group, at most.">,
    Option<"mostOperations", "most-operations", "int64_t", /*default=*/"1024",
           "Loads and operations of a group, at most.">,
    Option<"threads", "threads", "bool", /*default=*/"false",
           "Let rows left over be threads of the same parallel loop.">
  ];
  let statistics = [
    Statistic<"numJammed", "jammed", "Operations of which rows are computed together.">,
    Statistic<"numSaved", "saved", "Operations saved for each group of rows.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def TimeTileKernelsPass : Pass<"lci-time-tile-kernels", "::mlir::func::FuncOp"> {
  let summary = "Compute several epochs in one launch, in tiles of workgroup memory.";
  let description = [{
    A loop over epochs whose two buffers change places, and in which one `linalg.generic` computes all
    cells of a torus, reads and writes memory as often as there are epochs. Where a cell takes few
    operations, that is what it costs. The pass puts a loop over groups of epochs before it, of which
    each is one launch: a block loads a tile and what lies around it, as far as a cell sees in that many
    epochs, and computes all of it in each; what is wrong at the sides comes nearer with each epoch, and
    is not stored. A thread has several rows of a column in registers, and writes them to workgroup
    memory for its neighbours. A tile is as wide as leaves the
    fewest threads for others alone, and has half of the threads where there would be too few tiles. Places
    are taken modulo the torus's sizes, so that no halo is read; behind
    the groups the halo is made once, and the epochs that are left over are the old loop's.

    ```mlir
    scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) {
      scf.if %on { linalg.generic ins(views of %a) outs(view of %b) { … } }
      halo of %b
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
    scf.if %any { halo of %g#0 }
    scf.for %e = %end to %last step %c1 iter_args(%a = %g#0, %b = %g#1) { as before }
    ```
    That is done if the buffers have two axes and known sizes and lie apart; if the operation, perhaps
    behind a switch that is an argument of the function, reads boxes of the one that lie beside the cells
    of the other, writes all of those and nothing else, but for atomic additions to numbers, which only
    a tile's own cells make; if what follows only copies cells of the second buffer to where the torus has
    them, and copies all that the operation reads, as before the loop for the first buffer (the pass
    carries these copies out, on places); and if behind the loop the result is copied to the first
    buffer where it is not there, and the second is no longer looked at. Other loops stay as they are.

    In a row of words of bits a cell depends on few bits of the word beside its own: the pass follows
    shifts and bitwise operations, and one word on each side is enough for 64 epochs of Life.
  }];
  let options = [
    Option<"epochs", "epochs", "int64_t", /*default=*/"8", "Epochs of a launch; 1: as many launches.">,
    Option<"rows", "rows", "int64_t", /*default=*/"8", "Rows of a thread.">,
    Option<"columns", "columns", "int64_t", /*default=*/"64",
           "Columns of a tile, at most, each of which is a thread's.">,
    Option<"threads", "threads", "int64_t", /*default=*/"512", "Threads of a block, at most.">,
    Option<"minInner", "min-inner", "int64_t", /*default=*/"60",
           "Cells of a tile that are not there for others alone, in per cent.">,
    Option<"minTiles", "min-tiles", "int64_t", /*default=*/"132",
           "Tiles that there must be: one for each multiprocessor of a large GPU.">,
    Option<"maxWork", "max-work", "int64_t", /*default=*/"128",
           "Operations of a body, at most: memory is what the others do not wait for.">
  ];
  let statistics = [
    Statistic<"numBlocked", "blocked", "Loops of which several epochs are one launch.">,
    Statistic<"numKept", "kept", "Loops that do something else than what can be.">,
    Statistic<"numSmall", "small", "Loops of which it would not pay.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // LCI_TRANSFORMS_SCHEDULE_PASSES_TD
