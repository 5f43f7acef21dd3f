//===- Passes.td - Passes on ticks -------------------------*- tablegen -*-===//
//
// Passes on ticks on tensors: constant arguments, boxes, narrow integers,
// tables.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_TICK_PASSES_TD
#define LCI_TRANSFORMS_TICK_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachCPUTargetPass : Pass<"lci-attach-cpu-target", "::mlir::ModuleOp"> {
  let summary = "Set the CPU that a module is compiled for.";
  let description = [{
    Sets the attribute `lci.target`, which passes read where their code depends on the machine. What no
    option says is as the module's target has it, if that is a CPU, else as in `#lci.cpu`.

    ```mlir
    module {
    }
    ```
    becomes, with `vector-bits=256 vector-registers=16`,
    ```mlir
    module attributes {lci.target = #lci.cpu<vector_bits = 256, vector_registers = 16>} {
    }
    ```
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", /*default=*/"-1",
           "Bits of a vector register; -1: as the module says.">,
    Option<"vectorRegisters", "vector-registers", "int64_t", /*default=*/"-1",
           "How many there are; -1: as the module says.">,
    Option<"threads", "threads", "int64_t", /*default=*/"-1",
           "Threads that share a tick; -1: as the module says.">
  ];
  let dependentDialects = ["::mlir::lci::LCIDialect"];
}

def AttachGPUTargetPass : Pass<"lci-attach-gpu-target", "::mlir::ModuleOp"> {
  let summary = "Set the GPU that a module is compiled for.";
  let description = [{
    Sets the attribute `lci.target`, which passes read where their code depends on the machine. What no
    option says is as the module's target has it, if that is a GPU, else as in `#lci.gpu`.

    ```mlir
    module {
    }
    ```
    becomes, with `chip=sm_90`,
    ```mlir
    module attributes {lci.target = #lci.gpu<chip = "sm_90">} {
    }
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "The architecture, as sm_90; empty: as the module says.">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "The version of PTX, as +ptx80; empty: as the module says.">,
    Option<"blockThreads", "block-threads", "int64_t", /*default=*/"-1",
           "Threads of a block; -1: as the module says.">,
    Option<"multiprocessors", "multiprocessors", "int64_t", /*default=*/"-1",
           "Multiprocessors of the GPU; -1: as the module says.">,
    Option<"tf32", "tf32", "bool", /*default=*/"false",
           "Multiply matrices of models by tensor cores, also if the module does not say so.">
  ];
  let dependentDialects = ["::mlir::lci::LCIDialect"];
}

def SpecializeArgumentsPass : Pass<"lci-specialize-arguments", "::mlir::func::FuncOp"> {
  let summary = "Replace arguments by constants that are known at compile time.";
  let description = [{
    Replaces the uses of an argument by the constant in its attribute `lci.fixed`. The argument
    remains, without the attribute: callers pass the same operands as before. The constant must have
    the argument's type.

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
  let statistics = [Statistic<"numFixed", "fixed", "Arguments that were replaced by constants.">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitDomainPass : Pass<"lci-split-domain", "::mlir::func::FuncOp"> {
  let summary = "Split ticks into strided boxes in which index comparisons are constant.";
  let description = [{
    A colouring (`cells` with remainders, at a constant phase) becomes strided boxes, one for each
    combination of remainders. Then the boxes are split at the indices that the body compares with
    constants (borders, guards, locked rectangles), and the comparisons fold. All boxes read the
    state before the tick; their targets form a chain. A set that is no colouring remains on the
    tick, as does any set if the body calls a model, since each box would be another copy of it. A
    tick whose body has loops is split by colours only.

    ```mlir
    %n = lci.tick @A at %e, %c0, %s inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>)
        cells affine_set<(i)[p] : ((i - p) mod 2 == 0)> class_stride 2 { … }
    ```
    becomes, if the body compares `i - 1 >= 0`,
    ```mlir
    %0 = lci.tick @A at … target(%a : …) box [0] [1] step [2] class_stride 2 { … }
    %n = lci.tick @A at … target(%0 : …) box [2] [3] step [2] class_stride 2 { … }
    ```
  }];
  let options = [
    Option<"maxBoxes", "max-boxes", "int64_t", /*default=*/"64",
           "The most boxes of a tick.">,
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"2048",
           "The most operations of the bodies of its boxes.">
  ];
  let statistics = [
    Statistic<"numBoxes", "boxes", "Boxes that ticks were split into.">,
    Statistic<"numFolded", "folded-tests", "Index tests that became constant.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NarrowStoragePass : Pass<"lci-narrow-storage", "::mlir::func::FuncOp"> {
  let summary = "Store tokens in the smallest integer type for their vocabulary.";
  let description = [{
    Changes the element type of every tensor that holds tokens to the smallest of i8, i16, i32 and
    i64 that holds the vocabulary (attribute `lci.vocabulary` of the function's arguments and
    results) and, where a token may be absent, the token after the last, which represents that.
    Bodies still compute in i64; a truncation to the exact number of bits tells range analysis
    (`lci-narrow-arithmetic`) the range of a token.

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
  let summary = "Replace expressions that depend on few integer values by table look-ups.";
  let description = [{
    Traces the values of a tick's body back to the integers that determine them, by integer range
    analysis. An expression that few combinations of values determine is evaluated for all of them:
    at compile time if its other operands are constant; else before the tick, as far out as its
    operands allow (once per epoch for what depends on a parameter that changes with the epoch). The
    body looks it up (`lci.table`), by one index for each integer. Expressions that are equal for
    all cells are computed once, before the tick. Results are the same to the bit.

    Subtractions and comparisons of floats that were cast from integers of at most 24 bits are done
    on the integers, which gives the same; if the difference of two such floats exists anyway, their
    comparison becomes one of the difference with zero, so that the difference alone determines it.
    `lci.bernoulli` becomes `lci.draw_below` a threshold, so that a table contains thresholds, not
    probabilities.

    An expression is tabulated if the operations that no other expression uses cost `min-saved` more
    than the look-up, in operations of a vector of f32: a function 40 (`pow` and `atan2` 100), a
    threshold 20, a division 8, a load 3, a look-up 3 and one more for each index, anything else 1.
    So a single sum, comparison or shift is not. A table that is not constant is made if there are
    `min-look-ups` cells for each entry and each time that it is computed.

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
           "The largest table; it should fit into the L1 cache.">,
    Option<"minSaved", "min-saved", "int64_t", /*default=*/"16",
           "The least saving of a look-up, in operations.">,
    Option<"minLookUps", "min-look-ups", "int64_t", /*default=*/"4",
           "The least look-ups of an entry for each time that it is computed.">
  ];
  let statistics = [
    Statistic<"numTables", "tables", "Expressions in tables.">,
    Statistic<"numConstant", "constant-tables", "Tables that are constant.">,
    Statistic<"numEntries", "entries", "Entries of all tables.">,
    Statistic<"numScalars", "scalars", "Expressions that are equal for all cells.">,
    Statistic<"numSaved", "saved-operations", "Operations saved per cell, of all ticks.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::lci::LCIDialect", "::mlir::tensor::TensorDialect"
  ];
}

def NarrowArithmeticPass : Pass<"lci-narrow-arithmetic"> {
  let summary = "Narrow integer arithmetic by value ranges.";
  let description = [{
    Integers are mathematical; bodies compute in 64 bits, which always suffice. Operations whose
    operands and results are known to fit 8, 16 or 32 bits are narrowed, so that a vector holds more
    cells.

    The rewrites are those of upstream's `arith-int-range-narrowing`, which by themselves keep
    signed comparisons of operands that fit a width only as unsigned integers, and shift by more
    than the width. So non-negative operations become unsigned first; then the rewrites are applied
    only to operations whose results are the same in fewer bits.

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
    Statistic<"numUnsigned", "unsigned", "Signed operations on non-negative numbers.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // LCI_TRANSFORMS_TICK_PASSES_TD
