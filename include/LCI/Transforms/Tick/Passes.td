//===- Passes.td - Passes on ticks -------------------------*- tablegen -*-===//
//
// What becomes of ticks on tensors: constants, boxes, few bits, tables.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_TICK_PASSES_TD
#define LCI_TRANSFORMS_TICK_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpecializeArgumentsPass : Pass<"lci-specialize-arguments", "::mlir::func::FuncOp"> {
  let summary = "Put numbers for arguments of which a run is known to give these.";
  let description = [{
    What the attribute `lci.fixed` says of an argument is put in wherever the argument is used. The
    argument stays, without the attribute: who calls the function passes the same as before. The
    number must be of the argument's type.

    ```mlir
    func.func @program(%beta: f32 {lci.fixed = 0.5 : f32, lci.name = "beta", lci.role = "param"}) -> f32 {
      return %beta : f32
    }
    ```
    becomes
    ```mlir
    func.func @program(%beta: f32 {lci.name = "beta", lci.role = "param"}) -> f32 {
      %cst = arith.constant 0.5 : f32
      return %cst : f32
    }
    ```
  }];
  let statistics = [Statistic<"numFixed", "fixed", "Arguments whose number was put in.">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitDomainPass : Pass<"lci-split-domain", "::mlir::func::FuncOp"> {
  let summary = "Cut the cells of ticks into strided boxes in which index tests are constant.";
  let description = [{
    A colouring (`cells` with remainders, at a constant phase) becomes strided boxes, one for each
    combination of remainders. Then the indices that the body compares with constants (borders,
    guards, locked rectangles) cut the boxes further, and the comparisons fold. All boxes read the
    state before the tick; their targets form a chain. A set that is no colouring stays on the tick,
    and so does any set if the body calls a model, of which each box would be another copy. A body
    that loops is cut into colours only.

    ```mlir
    %n = lci.tick @A at %e, %c0, %s inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>)
        cells affine_set<(i)[p] : ((i - p) mod 2 == 0)> class_stride 2 { … }
    ```
    becomes, if the body asks whether `i - 1 >= 0`,
    ```mlir
    %0 = lci.tick @A at … target(%a : …) box [0] [1] step [2] class_stride 2 { … }
    %n = lci.tick @A at … target(%0 : …) box [2] [3] step [2] class_stride 2 { … }
    ```
  }];
  let options = [
    Option<"maxBoxes", "max-boxes", "int64_t", /*default=*/"64",
           "Cut no further where a tick would fall into more boxes than this.">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"2048",
           "Nor where the bodies of its boxes would have more operations than this.">
  ];
  let statistics = [
    Statistic<"numBoxes", "boxes", "Boxes that ticks were cut into.">,
    Statistic<"numFolded", "folded-tests", "Index tests that became constant.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NarrowStoragePass : Pass<"lci-narrow-storage", "::mlir::func::FuncOp"> {
  let summary = "Store tokens in as few bytes as their vocabulary needs.";
  let description = [{
    Changes the element type of every tensor that holds tokens to i8, i16, i32 or i64, whichever is
    the smallest that holds the vocabulary (attribute `lci.vocabulary` of the function's arguments
    and results) and, where a token may be absent, the token after the last, which stands for that.
    Bodies go on computing in i64; a truncation to the exact number of bits tells range analysis
    (`lci-narrow-arithmetic`) how large a token may be.

    ```mlir
    %v = lci.load %a[#map](%i) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
    ```
    becomes, for two tokens,
    ```mlir
    %b = lci.load %a[#map](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %t = arith.trunci %b : i8 to i1
    %v = arith.extui %t : i1 to i64
    ```
  }];
  let statistics = [Statistic<"numNarrowed", "narrowed", "Values stored in a narrower type.">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TabulatePass : Pass<"lci-tabulate", "::mlir::func::FuncOp"> {
  let summary = "Look up what few integers decide, instead of computing it in every cell.";
  let description = [{
    Follows the values of a tick's body back to the integers that decide them, by the ranges of
    integers. An expression that few values decide is evaluated for all of them: where everything
    else in it is constant, now; else before the tick, as far out as what it is computed from allows
    (once per epoch for what follows a parameter that follows the epoch). The body looks it up
    (`lci.table`), by one index for each integer. What is the same for all cells is computed once,
    before the tick. Results are the same to the bit.

    Floats made from integers of at most 24 bits are subtracted and compared as these, which gives the
    same; a comparison of two whose difference is there anyway is one of the difference with zero, which
    then decides alone. `lci.bernoulli` becomes `lci.draw_below` a threshold, so that a table holds thresholds, not
    probabilities.

    An expression is taken if what nothing else needs of it costs `min-saved` more than the look-up,
    in operations of a vector of f32: a function 40 (`pow` and `atan2` 100), a threshold 20, a
    division 8, a load 3, a look-up 3 and one more for each index, anything else 1. So a sum, a
    comparison or a shift stays. A table that is not constant is made if there are `min-look-ups`
    cells for each entry and each time that it is computed.

    ```mlir
    %n = lci.tick @S at %e, %p, %s inputs(%a, %beta : tensor<8x8xi8>, f32) … {
      … %sum = …                                // of four cells, hence from 0 to 4
      %field = arith.sitofp %sum : i64 to f32
      %x = arith.mulf %beta, %field : f32
      %chance = lci.elementary sigmoid %x : f32
      %b = lci.bernoulli %chance stream <3, 0>
    ```
    becomes
    ```mlir
    %table = tensor.generate {                  // where %beta is known
    ^bb0(%i: index):
      … %t = lci.threshold %chance
      tensor.yield %t : i64
    } : tensor<5xi64>
    %n = lci.tick @S at %e, %p, %s inputs(%a, %beta, %table : …) … {
      … %t = lci.table %thresholds[%sum] : tensor<5xi64>[i64]
      %b = lci.draw_below %t stream <3, 0>
    ```
  }];
  let options = [
    Option<"maxEntries", "max-entries", "int64_t", /*default=*/"4096",
           "The largest table; it should stay in the cache nearest to the core.">,
    Option<"minSaved", "min-saved", "int64_t", /*default=*/"16",
           "What a look-up must cost less, in operations.">,
    Option<"minLookUps", "min-look-ups", "int64_t", /*default=*/"4",
           "How often each entry of a table must be looked up for each time that it is computed.">
  ];
  let statistics = [
    Statistic<"numTables", "tables", "Expressions that are looked up.">,
    Statistic<"numConstant", "constant-tables", "Those whose entries are known now.">,
    Statistic<"numEntries", "entries", "Entries of all tables.">,
    Statistic<"numScalars", "scalars", "Expressions that are the same for all cells.">,
    Statistic<"numSaved", "saved-operations", "Operations that a cell costs less, of all ticks.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::lci::LCIDialect", "::mlir::tensor::TensorDialect"
  ];
}

def NarrowArithmeticPass : Pass<"lci-narrow-arithmetic"> {
  let summary = "Compute with integers in few bits where their ranges allow.";
  let description = [{
    Integers are mathematical; bodies compute in 64 bits, which always suffice. Where operands and
    results are known to fit 8, 16 or 32 bits, operations are done in those: more cells in a vector.

    The rewrites are those of upstream's `arith-int-range-narrowing`, which by themselves keep signed
    comparisons of operands that fit a width only without sign, and shift by more than the width.
    First, what is never negative loses its sign; then the rewrites see only operations that give the
    same in fewer bits.

    ```mlir
    %sum = arith.addi %a, %b : i64        // each 0 or 100
    %more = arith.cmpi sgt, %sum, %c100 : i64
    ```
    becomes
    ```mlir
    %sum = arith.addi %a8, %b8 : i8
    %more = arith.cmpi ugt, %sum, %c100_i8 : i8
    ```
  }];
  let statistics = [
    Statistic<"numUnsigned", "unsigned", "Signed operations on numbers that are never negative.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // LCI_TRANSFORMS_TICK_PASSES_TD
