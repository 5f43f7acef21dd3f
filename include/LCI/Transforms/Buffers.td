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

    A cache takes addresses `alias-bytes` apart to the same few places, so windows on rows of numbers
    that are about as long, or a multiple of it, would push each other out of it: such rows get spare
    elements behind their halo, the fewest that keep all rows of a window a twelfth of `alias-bytes`
    apart.

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
  let options = [Option<"aliasBytes", "alias-bytes", "int64_t", /*default=*/"4096",
                        "Bytes between addresses that share a place in a cache; 0: no spare elements.">];
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

    An argument with `lci.arrangement` says itself what it wants (see the dialect): what asks for planes
    and cannot have them is an error.

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

def BitslicePass : Pass<"lci-bitslice", "::mlir::func::FuncOp"> {
  let summary = "Compute arrays that are laid out in planes 64 cells at a time.";
  let description = [{
    Each buffer with a `#lci.layout` becomes buffers of 64-bit words, one for each bit of a token (and
    each part of a split row). A tick on them becomes linalg operations on words: what it reads
    beside a cell is a shift of two words, and its body, whose integers have known ranges, a circuit
    of and, or and xor. Sums of many small numbers are added with carries saved until the end. Each
    candidate of an agreement, a constant, has a circuit of its own; scores that are small integers
    times a power of two are numbers of so many words. Words that a box fills in part are computed by
    operations of their own.

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
  let options = [
    Option<"threads", "threads", "bool", /*default=*/"false", "Let words be threads of kernels.">,
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512",
           "Bits of a vector: of 512, lists of words with undecided draws are made by vectors, and "
           "an operation of logic has three operands.">,
    Option<"eagerBlocks", "eager-blocks", "int64_t", /*default=*/"2",
           "Blocks of four bits of a threshold draw, from 0 to 2, that are looked at before a list "
           "is made of the words in which some are undecided.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that are computed on words.">];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def StripTicksPass : Pass<"lci-strip-ticks", "::mlir::func::FuncOp"> {
  let summary = "Cut ticks that draw on planes into strips of rows.";
  let description = [{
    On planes, the first eight bits decide most draws, and a list is made of the halves of words that hold others
    (`lci-bitslice`). A list of a large array would leave the cache before it is read. So a tick on
    planes that draws becomes a loop over strips, of as many rows as have `words` words, or of one;
    each strip has a list of its own, in the same memory.

    ```mlir
    lci.tick @A … box([0, 0] sizes [4096, 4096]) target(%t : memref<4096x4096xi8, #layout>) … {
      … lci.bernoulli …
    }
    ```
    becomes
    ```mlir
    scf.for %strip = %c0 to %c128 step %c1 {
      %first = arith.muli %strip, %c32 : index
      lci.tick @A … box([%first, 0] sizes [32, 4096]) target(%t : memref<4096x4096xi8, #layout>) … {
        … lci.bernoulli …
      }
    } {lci.strips}
    ```
  }];
  let options = [
    Option<"words", "words", "int64_t", /*default=*/"2048", "Words of a strip, about.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that became strips.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
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
    whole, and so it does if `lci.arrangement` asks for that; what asks for its colours apart and cannot
    have them is an error. Parts are further arguments of the role `scratch`; cells are copied where the function
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

def KeepStoragePass : Pass<"lci-keep-storage", "::mlir::func::FuncOp"> {
  let summary = "Let the caller say when arrays are brought into their layout and back.";
  let description = [{
    `lci-choose-layout` and `lci-split-colours` copy arrays into scratch arguments where a function
    begins, and back where it ends: of large arrays this takes as long as several epochs. A caller who
    runs epochs call after call need not have them at each. Here the copies depend on two further
    arguments of the role `enter` and `leave`, and the scratch arguments become `storage`, which the
    caller keeps from call to call. With both flags set a call is what it was before. Without `enter`
    it goes on from what the storage holds; without `leave` the array itself is out of date until a
    call, perhaps of no epochs, has it set.

    An array is kept if copies alone touch it, and ticks alone what they copy to, in between. Buffers
    that take turns are left alone: which of them holds the cells in the end depends on the epochs.

    ```mlir
    func.func @p(%U: memref<8x8xf32> {lci.role = "state", …}, %first: i64 {lci.role = "first"}, …,
                 %even: memref<8x4xf32> {lci.role = "scratch", …}, …) {
      linalg.copy ins(%evenOfU : …) outs(%even : …)
      scf.for … { lci.tick @U … target(%even : …) … }
      linalg.copy ins(%even : …) outs(%evenOfU : …)
    ```
    becomes
    ```mlir
    func.func @p(%U: memref<8x8xf32> {lci.role = "state", …}, %first: i64 {lci.role = "first"}, …,
                 %even: memref<8x4xf32> {lci.role = "storage", …}, …,
                 %enter: i1 {lci.role = "enter"}, %leave: i1 {lci.role = "leave"}) {
      scf.if %enter { linalg.copy ins(%evenOfU : …) outs(%even : …) }
      scf.for … { lci.tick @U … target(%even : …) … }
      scf.if %leave { linalg.copy ins(%even : …) outs(%evenOfU : …) }
    ```
  }];
  let statistics = [Statistic<"numKept", "kept", "Arrays that stay in their layout.">];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def FusePhasesPass : Pass<"lci-fuse-phases", "::mlir::func::FuncOp"> {
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

def OutlineTicksPass : Pass<"lci-outline-ticks", "::mlir::ModuleOp"> {
  let summary = "Move each tick on memrefs, and each halo, fill and copy, to a private function.";
  let description = [{
    The buffers of the tick become arguments that are known not to overlap. Where buffers take turns
    through a loop, nothing else says so, and the vectoriser would have to test it.

    A tick that asks a model takes its phase as an argument too, even a constant one, so that all
    phases of a rule have one function and one copy of the model. So is every `lci.varying` an
    argument.

    What fills a buffer before the first tick, what copies one to the other where a rule is switched
    off or back after the last tick, and loops that only move cells (between bytes and planes of bits)
    are moved too: a function that is left with calls alone is lowered in a time that grows with their
    number.

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

#endif // LCI_TRANSFORMS_BUFFERS_TD
