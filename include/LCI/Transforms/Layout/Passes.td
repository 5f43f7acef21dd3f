//===- Passes.td - Layouts of arrays -----------------------*- tablegen -*-===//
//
// Where cells lie: planes of bits, colours side by side.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_LAYOUT_PASSES_TD
#define LCI_TRANSFORMS_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignLayoutsPass : Pass<"lci-assign-layouts", "::mlir::func::FuncOp"> {
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

    Halos and copies become operations on words, too. It fails on what `lci-assign-layouts` would not
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

def StripMineTicksPass : Pass<"lci-strip-mine-ticks", "::mlir::func::FuncOp"> {
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

#endif // LCI_TRANSFORMS_LAYOUT_PASSES_TD
