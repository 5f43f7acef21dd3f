//===- Passes.td - Passes for processors alone -------------*- tablegen -*-===//
//
// Vectorization of cells, and counters.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_CPU_PASSES_TD
#define LCI_TRANSFORMS_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def VectorizeCellsPass : Pass<"lci-vectorize-cells", "::mlir::ModuleOp"> {
  let summary = "Vectorize ticks that draw or compare candidates, one cell per lane.";
  let description = [{
    Loops over candidates and draws keep LLVM from vectorizing a row. Here each lane of a vector is a
    cell of the row: loops over candidates are unrolled, every operation of the body becomes one on
    vectors, and values that are uniform over the cells stay scalar. The random bits of the lanes are
    drawn before anything else, 32 cells at a time, and stay in registers: vectors of fewer cells use
    them one after the other. A draw whose probability is a quotient is decided without the division
    (`quickShareLimit` in LCI/Numerics/Draws.h, or `shareLimit` where a lane needs it).

    Ticks on buffers with constant rows qualify whose body consists of stencils, table look-ups, draws
    without numbers, loops with constant bounds and elementwise operations, if there is a loop or a
    draw among these and the unrolled body of a vector stays below `max-operations` machine operations;
    a vector then has as many lanes as that allows. Other ticks, and ticks outside of loops, are left
    to the passes that lower them cell by cell.

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
    Option<"once", "once", "bool", /*default=*/"false",
           "Also ticks outside of loops, such as those that draw the first state.">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"4096",
           "Machine operations that may be unrolled for a vector of cells.">
  ];
  let statistics = [Statistic<"numTicks", "ticks", "Ticks that were vectorized.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def PermuteLanesPass : Pass<"lci-permute-lanes", "::mlir::func::FuncOp"> {
  let summary = "Unpack vectors of bytes by shifts of words, with lanes permuted.";
  let description = [{
    A vector of bytes holds as many cells as four vectors of numbers. To extend it in the order of the
    cells, lanes cross registers, and so do random bits and masks when numbers become bytes again.
    Here vectors of 32 bits or more per lane have the order of words: first the cells whose bytes are
    the lowest ones of words of four bytes, then the second ones, and so on. They are shifted out of
    the words and back, and random bits are shuffled into this order in the first place.

    That is done for all vectors of a number of lanes in a block, if every operation on their numbers
    computes lane by lane, or looks up, and if extensions save more than the masks and selections that
    change their order cost. Numbers in memory keep their order.

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
  let statistics = [Statistic<"numScopes", "scopes", "Blocks whose numbers were permuted.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def SplitVectorsPass : Pass<"lci-split-vectors", "::mlir::func::FuncOp"> {
  let summary = "Split vectors that span several registers and schedule them register by register.";
  let description = [{
    A vector of as many numbers as a register has bytes fills four registers. Elementwise operations on
    numbers of 32 bits or more become operations on as many lanes as a register has of 32 bits
    (upstream's unrolling of vectors), and so do logic operations on masks that come from them. Each of
    them, and each call that computes lane by lane, is moved to its first user: the chain of operations
    on the first register precedes that on the second one.

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
  let statistics = [Statistic<"numOperations", "operations", "Operations that were split.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def ParallelToOpenMPPass : Pass<"lci-parallel-to-openmp", "::mlir::ModuleOp"> {
  let summary = "Run parallel loops by the threads of the target.";
  let description = [{
    Converts each `scf.parallel` by upstream's `convert-scf-to-openmp`, for as many threads as `lci.target` of the
    module has. For one thread, loops are unchanged: later conversions run them one iteration after the other.

    ```mlir
    scf.parallel (%part) = (%c0) to (%c4) step (%c1) { func.call @tick(%part) : (index) -> () }
    ```
    becomes, for `#lci.cpu<threads = 4>`,
    ```mlir
    omp.parallel num_threads(%four : i32) { omp.wsloop { omp.loop_nest (%part) : index = (%c0) to (%c4) … } }
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect", "::mlir::omp::OpenMPDialect"
  ];
}

def PrivatizeCountersPass : Pass<"lci-privatize-counters", "::mlir::func::FuncOp"> {
  let summary = "Count each column of short rows separately, and sum the counters after all rows.";
  let description = [{
    A counter that a row of words adds to is a vector once LLVM has vectorized the row, whose elements
    are reduced where the row ends. In rows of few words that takes a good part of the time. So each
    column of a row gets a separate counter, as wide as a word, and all columns are summed once. Rows of
    more than `max-row-words` words, and cells that are narrower than their counter (see
    `lci-narrow-counters`), are unchanged. Run it before `lci-linalg-to-loops`.

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
    Option<"maxRowWords", "max-row-words", "int64_t", "32",
      "Words of a row, at most: the sum of four vectors takes little of the time of four.">
  ];
  let statistics = [Statistic<"numCounters", "counters", "Counters that each column of a row has now.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"
  ];
}

def NarrowCountersPass : Pass<"lci-narrow-counters", "::mlir::func::FuncOp"> {
  let summary = "Count in as few bits as cells have, over strips of the innermost loop.";
  let description = [{
    A loop that adds i1 values to 64-bit counters in memory is strip-mined, into strips so short that
    their sums fit as many bits as the cells that the loop writes, from 8 to 32; the strip carries the
    sum, which is added to memory after it. The type of the cells then decides the vectorization
    factor, not that of the counter. Run it after `lci-linalg-to-loops`.

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
    LLVM vectorizes as many cells of a row as fill pairs of vectors, and computes the remainder by
    smaller vectors and one by one: of 511 numbers 31, which take a quarter of the time. This pass
    leaves the pairs of an elementwise `linalg.generic` to LLVM and computes the remainder of each row
    by a vector and one under a mask, or by the latter alone.

    A vector that crosses a cache line is loaded and stored by two accesses. Where a row is stored at an
    offset into a vector of its buffer, as the inner cells of a grid are, the cells before the next
    vector are computed under a mask, too, and the others are aligned.

    Every operand with axes must have them in the order of the loops, of constant extent and unit stride
    on the last one; one without axes may be a counter, to which the body adds. A value of the body must
    not take more than four registers. Machines without masks for elements of that size (AVX2 has none
    for less than 32 bits) keep the loop unchanged.

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
  let statistics = [Statistic<"numRests", "rests", "Operations whose rows begin or end in a masked vector.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def VectorizeStridesPass : Pass<"lci-vectorize-strides", "::mlir::func::FuncOp"> {
  let summary = "Vectorize a stride of cells by vectors of all cells and masked stores.";
  let description = [{
    A colour of a lattice has every second (fourth) cell of a row. LLVM gathers such cells by shuffles
    and scatters the results. Where the body of a `linalg.generic` is short, it is quicker to compute
    all cells of the row, which are contiguous, and to store those of the colour by a mask: (stride − 1)
    × operations of the body must cost less than 4 for each strided input and 24 for each strided
    output.

    Every operand with axes must be a view of the same constant extent and stride on the last axis,
    and the body elementwise; an operand without axes may be a counter, to which the body adds. The
    remainder of a row after its last whole vector is loaded and stored by masks.

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
  let statistics = [Statistic<"numVectorized", "vectorized", "Operations that were vectorized.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // LCI_TRANSFORMS_CPU_PASSES_TD
