//===- Vectors.td - Passes that write vectors of cells ------*- tablegen -*-===//
//
// Rows of cells by vectors, and vectors by registers; a part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_VECTORS_TD
#define LCI_TRANSFORMS_VECTORS_TD

include "mlir/Pass/PassBase.td"

def VectorizeCellsPass : Pass<"lci-vectorize-cells", "::mlir::ModuleOp"> {
  let summary = "Compute ticks that draw or compare candidates by vectors of cells.";
  let description = [{
    Loops over candidates and draws keep LLVM from making vectors of a row. Here each lane of a vector
    is a cell of the row: loops over candidates are written out, every operation of the body becomes
    one on vectors, and what is the same for all cells stays a number. The random bits of the lanes are
    drawn before anything else, 32 cells at a time, and stay in registers: vectors of fewer cells take
    them in turn. A draw whose probability is a quotient is decided without it (`quickShareLimit` in
    LCI/Numerics/Draws.h, or `shareLimit` where a lane needs it).

    Ticks on buffers with constant rows whose body is made of windows, look-ups in tables, draws
    without numbers, loops with constant bounds and elementwise operations qualify, if there is a
    loop or a draw among these and what is written out for a vector stays below `max-operations`
    machine operations; a vector then has as many lanes as that allows. Other ticks, and ticks outside
    of loops, are left to those who lower them cell by cell.

    ```mlir
    lci.tick @A … inputs(%in : memref<66x66xi8>) target(%out : …) box [0, 0] [64, 64] step [1, 1] {
      %v = lci.load %in[…](%i, %j) … : memref<66x66xi8> -> i8
      %b = lci.bernoulli %p stream <0, 0>
      …
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %c0 to %c64 step %c64 {
        %v = vector.load %in[…] : memref<66x66xi8>, vector<64xi8>
        … eight blocks of Philox side by side, twice …
        %draw = vector.shuffle %bits, %more … : vector<32xi32>, vector<32xi32>
        …
        vector.store %new, %out[…]
    ```
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512", "Bits of a vector.">,
    Option<"once", "once", "bool", /*default=*/"false",
           "Also ticks outside of loops, such as those that draw the first state.">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"4096",
           "Machine operations that may be written out for a vector of cells.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that were vectorized.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def InterleaveLanesPass : Pass<"lci-interleave-lanes", "::mlir::func::FuncOp"> {
  let summary = "Take vectors of bytes apart by shifts of words.";
  let description = [{
    A vector of bytes holds as many cells as four of numbers. To extend it in the order of the cells,
    lanes cross registers, and so do random bits and truths when numbers become bytes again. Here the
    numbers of 32 bits or more lie in the order of words: first the cells whose bytes are the lowest
    ones of words of four bytes, then the second ones, and so on. They are shifted out of the words
    and back, and random bits are shuffled so in the first place.

    That is done for all vectors of so many lanes in a block, if every operation on their numbers
    computes lane by lane, or looks up, and if extensions save more than truths and choices that
    change their order cost. Numbers that lie in memory keep the order that they have there.

    ```mlir
    %n = arith.extui %bytes : vector<64xi8> to vector<64xi32>
    %more = arith.cmpf ogt, %f, %drawn : vector<64xf32>
    %new = arith.select %more, %one, %zero : vector<64xi1>, vector<64xi8>
    ```
    becomes
    ```mlir
    %words = vector.bitcast %bytes : vector<64xi8> to vector<16xi32>
    %lowest = … the lowest byte of each word, cells 0, 4, 8, …
    %n0 = vector.insert_strided_slice %lowest, … : vector<16xi32> into vector<64xi32>
    …
    %more = arith.cmpf ogt, %f, %drawn : vector<64xf32>
    %chosen = arith.select %more, %one32, %zero32 : vector<64xi1>, vector<64xi32>
    … quarters of %chosen, shifted and put together …
    %new = vector.bitcast %together : vector<16xi32> to vector<64xi8>
    ```
  }];
  let options =
      [Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512", "Bits of a vector.">];
  let statistics = [Statistic<"numScopes", "scopes", "Blocks whose numbers were put in this order.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def SplitVectorsPass : Pass<"lci-split-vectors", "::mlir::func::FuncOp"> {
  let summary = "Compute numbers that fill several registers one register after the other.";
  let description = [{
    A vector of as many numbers as a register has bytes fills four registers. Elementwise operations on
    numbers of 32 bits or more become operations on as many lanes as a register has of 32 bits
    (upstream's unrolling of vectors), and so does what is computed of their truths. Each of them, and
    each call that computes lane by lane, is moved to where its result is needed first: what the first
    register goes through comes before the second one.

    ```mlir
    %y = arith.addf %x, %c : vector<64xf32>
    %z = arith.mulf %y, %y : vector<64xf32>
    ```
    becomes
    ```mlir
    %x0 = vector.extract_strided_slice %x {offsets = [0], …} : vector<64xf32> to vector<16xf32>
    %y0 = arith.addf %x0, %c0 : vector<16xf32>
    %z0 = arith.mulf %y0, %y0 : vector<16xf32>
    %first = vector.insert_strided_slice %z0, %zeros {offsets = [0], …} : vector<16xf32> into vector<64xf32>
    %x1 = vector.extract_strided_slice %x {offsets = [16], …} : vector<64xf32> to vector<16xf32>
    …
    ```
  }];
  let options =
      [Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"512", "Bits of a vector.">];
  let statistics = [Statistic<"numOperations", "operations", "Operations that were split.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

#endif // LCI_TRANSFORMS_VECTORS_TD
