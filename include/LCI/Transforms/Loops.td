//===- Loops.td - Passes on loops of a processor -------------*- tablegen -*-===//
//
// What becomes of linalg operations on buffers; a part of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_LOOPS_TD
#define LCI_TRANSFORMS_LOOPS_TD

include "mlir/Pass/PassBase.td"

def CountByLanesPass : Pass<"lci-count-by-lanes", "::mlir::func::FuncOp"> {
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

def VectorizeRestsPass : Pass<"lci-vectorize-rests", "::mlir::func::FuncOp"> {
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

def LinalgToLoopsPass : Pass<"lci-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg operations on buffers into loops, and say what LLVM shall not do to them.";
  let description = [{
    One loop nest for each operation, as upstream's `convert-linalg-to-loops` makes. Each loop but the
    innermost carries `llvm.loop_annotation`, so that LLVM does not unroll it: it would write a
    network's layers out completely. Loops that are part of what one cell computes (candidates,
    members of families) stand in the operations' bodies, and LLVM may unroll them.

    Where each turn touches other rows, as where the ends of rows are copied to their halos, all loops
    also say that LLVM shall make no vectors of them: it would gather each element from a row of its
    own and scatter it again. What computes more than four operations for each access is left to it.

    ```mlir
    linalg.copy ins(%a : memref<4x2xf32>) outs(%b : memref<4x2xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %x = memref.load %a[%i, %j] : memref<4x2xf32>
        memref.store %x, %b[%i, %j] : memref<4x2xf32>
      }
    } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let statistics = [
    Statistic<"numLoops", "loops", "Loops made.">,
    Statistic<"numScalar", "scalar", "Nests of which LLVM shall make no vectors.">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def StripInterfacePass : Pass<"lci-strip-interface", "::mlir::ModuleOp"> {
  let summary = "Leave only attributes that LLVM IR has a place for.";
  let description = [{
    It has none for `lci.role` and its like; who calls the function reads them before. What a loop
    said about itself, which upstream's conversions leave beside its branch, becomes the branch's own.
    Functions with a body that are private become internal.

    ```mlir
    func.func @p(%A: i64 {lci.role = "seed"}) {
      return
    }
    ```
    becomes
    ```mlir
    func.func @p(%A: i64) {
      return
    }
    ```
  }];
}

#endif // LCI_TRANSFORMS_LOOPS_TD
