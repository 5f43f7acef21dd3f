//===- Passes.td - Passes for processors alone -------------*- tablegen -*-===//
//
// Vectors of cells, and counters.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_CPU_PASSES_TD
#define LCI_TRANSFORMS_CPU_PASSES_TD

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

def PermuteLanesPass : Pass<"lci-permute-lanes", "::mlir::func::FuncOp"> {
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

def PrivatizeCountersPass : Pass<"lci-privatize-counters", "::mlir::func::FuncOp"> {
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

def MaskRemaindersPass : Pass<"lci-mask-remainders", "::mlir::func::FuncOp"> {
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

#endif // LCI_TRANSFORMS_CPU_PASSES_TD
