//===- Passes.td - Conversion of draws to arithmetic -------*- tablegen -*-===//
//
// Draws become blocks of Philox; those blocks and elementary functions become arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_DRAWSTOARITH_PASSES_TD
#define LCI_CONVERSION_DRAWSTOARITH_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandMathPass : Pass<"lci-expand-math"> {
  let summary = "Expand elementary functions and floor division to arith and math operations.";
  let description = [{
    Replaces `lci.elementary`, `lci.elementary_binary`, `lci.floordiv` and `lci.floormod` on scalars,
    vectors and tensors of static shape by one fixed sequence of exact operations, the one the
    interpreter evaluates, hence with the same bits on every target. Uses `math.fma` and `math.sqrt`,
    never `math.exp` and its like: those, as models write them on f32, are replaced too. `math.absi` of
    a cell becomes the maximum of the integer and its negation, whose range upstream knows. On a
    tensor the sequence is the body of one `linalg.generic`. Do not run upstream's expansion of
    `math.fma` afterwards: it rounds twice.

    ```mlir
    func.func @root(%x: f32) -> f32 {
      %y = lci.elementary sqrt %x : f32
      return %y : f32
    }
    ```
    becomes
    ```mlir
    func.func @root(%x: f32) -> f32 {
      %root = math.sqrt %x : f32
      %y = …                             // %root, or 0x7fc00000 for every NaN
      return %y : f32
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ExpandDrawsPass : Pass<"lci-expand-draws", "::mlir::ModuleOp"> {
  let summary = "Expand draws inside ticks to blocks of Philox4x32-10.";
  let description = [{
    Replaces `lci.bernoulli`, `lci.uniform`, `lci.randint` and `lci.normal` inside `lci.tick`. The key
    of each stream is computed once, where its seed is known, by a function `lci.stream_key`, and
    passed to the tick as inputs; counters come from the cell's
    indices and the tick's clock. Nothing is stored. A threshold test looks at eight bits of the draw
    for every cell and at the other 24 only where those do not decide, with the same result.

    ```mlir
    %b = lci.bernoulli %p stream <0, 0>
    ```
    becomes
    ```mlir
    %less, %undecided = …            // two Philox blocks, bit %cell mod 32 of their eight words
    %b = scf.if %undecided -> (i1) { // a loop over six more blocks
    ```
  }];
  let options = [
    Option<"lazy", "lazy", "bool", /*default=*/"true",
           "Branch before the last 24 bits of a threshold draw instead of always computing them.">,
    Option<"eagerBlocks", "eager-blocks", "int64_t", /*default=*/"2",
           "Blocks of four bits before that branch, from 0 to 2.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def ExpandPhiloxPass : Pass<"lci-expand-philox"> {
  let summary = "Expand blocks of random words by the multiplications of a target.";
  let description = [{
    Ten rounds of two multiplications of 32 bits by 32 for each block of `lci.philox`; the rounds of
    all its blocks are interleaved. Vector units multiply the low halves of 64-bit lanes, so words stay
    there and no value crosses lanes; bits above 32 are masked, which code generation
    drops where a product follows. A thread of a GPU has 32-bit registers and an instruction for both
    halves of a product: for a GPU nothing is masked, and sums of the key wrap by themselves.
    Blocks outside of ticks and of linalg operations, as those of keys, are computed by the host, in
    lanes.

    ```mlir
    %w:4 = lci.philox %a, %b, %c, %d key %k0, %k1 : i64
    ```
    becomes, for a CPU, ten times
    ```mlir
    %p = arith.muli %a, %c3528531795_i64 : i64
    %q = arith.muli %c, %c3449720151_i64 : i64
    %x = arith.shrui %q, %c32 : i64
    … %x ^ %b ^ %k0, %q & 0xffffffff, (%p >> 32) ^ %d ^ %k1, %p & 0xffffffff
    ```
    and for a GPU
    ```mlir
    %low, %high = arith.mului_extended %a, %c-766435501_i32 : i32
    ```
  }];
  let statistics = [Statistic<"numBlocks", "blocks", "Blocks that are expanded.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def StripMineDrawsPass : Pass<"lci-strip-mine-draws"> {
  let summary = "Cut loops over cells where the cells' group of draws changes.";
  let description = [{
    Expanded draws compute for every cell a block of Philox that 32 neighbours share (4 for number
    draws). A loop that derives such a group from its induction variable becomes a loop over groups
    around a loop over a group's cells, in which the group is invariant; loop-invariant code motion
    then hoists Philox out of the inner loop. A loop whose iterations each compute a vector of a group
    or more is left alone. Results are the same, whatever the loop computes.

    ```mlir
    scf.for %i = %first to %last step %one {
      %cell = arith.index_cast %i : index to i64
      %group = arith.shrui %cell, %c5 : i64
      // Philox on %group; work on %i
    }
    ```
    becomes
    ```mlir
    scf.while (%i = %first) : (index) -> index {       // while %i < %last
      %group = …                                        // of %i
      scf.while (%j = %i) : (index) -> index {          // while %j < %last and its group is %group
        // Philox on %group; work on %j
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numLoops", "loops", "Number of loops cut.">];
}

#endif // LCI_CONVERSION_DRAWSTOARITH_PASSES_TD
