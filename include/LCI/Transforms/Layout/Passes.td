//===- Passes.td - Layouts of arrays -----------------------*- tablegen -*-===//
//
// Layouts of arrays: bit planes, and separate storage of colours.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_LAYOUT_PASSES_TD
#define LCI_TRANSFORMS_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def AssignLayoutsPass : Pass<"lci-assign-layouts", "::mlir::func::FuncOp"> {
  let summary = "Choose the layout of each array.";
  let description = [{
    Tokens of at most four bits are laid out in planes, 64 cells of the last axis to a word, if all
    uses of the array can be computed on words: reads through stencils, and small integers computed
    from them. If phases have a stride of s on the last axis, cells whose indices are congruent
    modulo s are stored together, so that a phase accesses no cells of another one.

    The attribute `lci.arrangement` of an argument requests a layout (see the dialect); a request
    for planes that cannot be met is an error.

    The layout is an attribute of the buffer's type, as its memory space. Only types change. The
    caller's state keeps its layout: it is copied to a `scratch` buffer of the new layout at the
    start of the function, and back at its end. A function without a loop around its ticks is left
    alone, since the copies would cost more than they save.

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
           "Report why an array of few tokens is not laid out in planes.">
  ];
  let statistics = [Statistic<"numSliced", "sliced", "Arrays that are laid out in planes.">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def BitslicePass : Pass<"lci-bitslice", "::mlir::func::FuncOp"> {
  let summary = "Compute arrays that are laid out in planes 64 cells at a time.";
  let description = [{
    Each buffer with a `#lci.layout` becomes buffers of 64-bit words, one for each bit of a token
    (and each part of a split row). A tick on them becomes a tick on words, with a target for each
    plane: a read of a neighbouring cell is a shift of two words, and the body, whose integers have
    known ranges, is a circuit of and, or and xor. Sums of many small numbers are carry-save additions. Each candidate
    of an agreement, a constant, has a separate circuit; scores that are small integers times a
    power of two are bit-sliced integers. Words that a box covers in part are computed by separate
    ticks.

    Halos and copies become operations on words, too. With vectors of 512 bits lists of undecided
    draws are built by vectors, and there, and on GPUs, whose threads compute a word each, bitwise
    operations have three operands. The pass fails on input that `lci-assign-layouts` would not have
    chosen.

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
    lci.tick @A … inputs(%words : memref<3xi64>) target(%new : memref<1xi64, …>) … packed 64 {
      … %a is made of the last bit of a word and 63 of the next, %b of 63 and one
      %c = arith.xori %a, %b : i64
      lci.install %c if %true : i64
    }
    ```
  }];
  let options = [
    Option<"eagerBlocks", "eager-blocks", "int64_t", /*default=*/"2",
           "Blocks of four bits of a threshold draw, from 0 to 2, compared before the words "
           "with undecided draws are listed.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that are computed on words.">];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def StripMineTicksPass : Pass<"lci-strip-mine-ticks", "::mlir::func::FuncOp"> {
  let summary = "Strip-mine ticks with draws on planes.";
  let description = [{
    On planes, the first eight bits decide most draws, and the halves of words with undecided ones
    are listed (`lci-bitslice`). The list of a large array would leave the cache before it is read.
    So a tick on planes with draws becomes a loop over strips, of as many rows as have `words`
    words, or of one; each strip has a separate list, in the same memory.

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
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that were strip-mined.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def SplitColoursPass : Pass<"lci-split-colours", "::mlir::func::FuncOp"> {
  let summary = "Store the colours of rows in separate arrays.";
  let description = [{
    The ticks of a lattice colouring have a stride of two (three, four) on the last axis. If all
    ticks that access an array have the same stride, its rows are stored in as many parts, each a
    separate array: the cells of one colour, and their neighbours on one side, are contiguous then,
    and loaded vectors are used completely. A tick stays a tick, on the part that contains its
    cells.

    An array is split if it is a state or an input without a halo, used by ticks alone, one of them
    in a loop; all arrays that they read along the last axis must be split as well, through
    stencils. Draws depend on the index of their cell: with them, and with sets of cells or scores,
    an array is not split, nor if `lci.arrangement` requests another layout. A request for separate
    colours that cannot be met is an error. Parts are additional arguments of the role `scratch`;
    cells are copied at the start and at the end of the function.

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
