//===- Passes.td - Passes on lci programs and ticks --------------*- tablegen -*-===//
//
// Passes whose input and output are the same level or the next one of the ladder. Conversions to
// other dialects live in LCI/Conversion.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_PASSES_TD
#define LCI_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Program form to bound form
//===----------------------------------------------------------------------===//

def BindPass : Pass<"lci-bind", "::mlir::ModuleOp"> {
  let summary = "put numbers for sizes and functions for models (level 1 to 2)";
  let description = [{
    Replaces the sizes by numbers in every map, set and shape, inlines formulas, gives every ruled
    value a schedule, every collected family its length and every model its function. What does not
    fit is an error: a size without a number, a number that a shape does not divide, a model of
    another signature.

    Before:
    ```mlir
    lci.program @p sizes ["N"] {
      lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<open>] {
      }
    }
    ```
    After `lci-bind{sizes=N=8}`:
    ```mlir
    lci.program @p sizes ["N"] = [8] {
      lci.value @A f32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
      }
    }
    ```
  }];
  let options = [
    ListOption<"sizes", "sizes", "std::string", "Numbers of sizes, as NAME=VALUE.">,
    ListOption<"models", "models", "std::string", "Functions of models, as NAME=FUNCTION.">,
    ListOption<"absent", "absent", "std::string", "Values that hold nothing at any cell.">,
    ListOption<"rectangles", "rectangles", "std::string",
               "Regions that are given by bounds, not as masks.">,
    Option<"hardPriority", "hard-priority", "int64_t", /*default=*/"-1",
           "Priority from which a constraint cannot be outvoted; the program's own if negative.">,
    Option<"legalize", "legalize", "std::string", /*default=*/"\"\"",
           "What schedules that do not say so do with phases that are not independent: "
           "snapshot, recolor or strict.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::mlir::lci::LCIDialect"
  ];
}

//===----------------------------------------------------------------------===//
// What must be known of a bound program
//===----------------------------------------------------------------------===//

class CheckPass<string flag> : Pass<flag, "::mlir::ModuleOp">;

def CheckVisibilityPass : CheckPass<"lci-check-visibility"> {
  let summary = "refuse reads that no `visible` line allows";
  let description = [{
    For every read of a rule or a constraint, the cells it reads must be among those that the value's
    capabilities allow, exactly: with boundaries, extents and the conditions around the read. The
    error shows the first cell that reads too much and the line that is missing.

    ```
    error: rule 'R' reads A[x+1], which is not visible
    note: cell A[0] reads A[1]
    note: add: visible A[x] <- A[x+1]
    ```
  }];
}

def CheckCausalityPass : CheckPass<"lci-check-causality"> {
  let summary = "refuse visibility that leads to a later time where that is forbidden";
  let description = [{
    Decides `lci.reads_future` in `forbid` constraints: whether some chain of `visible` lines, through
    any values, leads from a cell to one that is later on the first axis. Steps that never go forward
    prove that there is none; else chains are composed as relations, then the cells explored one by
    one. The error shows the chain and a pair of cells. What cannot be decided is refused.
  }];
}

def LegalizeSchedulePass : CheckPass<"lci-legalize-schedule"> {
  let summary = "give cells that read each other different phases where the schedule asks for it";
  let description = [{
    A schedule with `legalize "recolor"` of which a phase has two cells that read each other becomes
    `recolor`, whose phases are independent; a remark shows the first such pair and how many phases
    there are. A value whose cells cannot be coloured is refused.

    ```mlir
    lci.schedule @A using red_black legalize "recolor"
    ```
    becomes, where `@A` reads its eight neighbours,
    ```mlir
    lci.schedule @A using recolor legalize "recolor"
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true", "Say what was changed.">
  ];
  let statistics = [Statistic<"numRecoloured", "recoloured", "Schedules that became 'recolor'.">];
}

def CheckSchedulePass : CheckPass<"lci-check-schedule"> {
  let summary = "tell which phases are not independent, or refuse them";
  let description = [{
    A phase is independent when no active cell reads another. Where one does, the value is updated
    from a snapshot; a remark shows the first such pair. `legalize "strict"` refuses instead; for
    `legalize "recolor"` run `lci-legalize-schedule` before. With the policies `sample` and
    `metropolis` it is a warning: the sampler is then not the sequential one.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say what was proved and what was not.">
  ];
}

def CheckPresencePass : CheckPass<"lci-check-presence"> {
  let summary = "prove that what must be there is there";
  let description = [{
    Every `lci.unwrap` is proved from the extents, boundaries and conditions around it, and replaced
    by its operand. A token that nothing initialises is there only if its value's input has no
    absent cell; the value then gets the attribute `lci.required`, which names the read, and the
    driver requires the input. What is not proved is refused, with a cell where nothing is.
  }];
}

def InferRangesPass : CheckPass<"lci-infer-ranges"> {
  let summary = "prove that integers fit and proposals stay inside vocabularies";
  let description = [{
    Bounds every integer from the ranges of tokens, indices, sizes and parameters, in 128 bits. An
    intermediate that may leave 64 bits, a divisor that may be zero, and a proposal that is outside
    its vocabulary (also in one branch of an `if`) are errors. Proposals that may leave it are
    rejected and counted while the program runs; a remark says which.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say which proposals may leave their vocabulary.">
  ];
}

def SimplifyConstraintsPass : CheckPass<"lci-simplify-constraints"> {
  let summary = "turn constraints that are decided into constants";
  let description = [{
    `lci.reads_future` becomes the constant that the check of causality found, and so does the
    predicate of a constraint that holds for every candidate of every cell, whatever is read. Such a
    constraint stays, with a body that yields a constant: it is no longer computed, but enabled,
    disabled and counted like any other. A constraint that holds for no candidate of any cell is
    refused, and so are two hard ones of which no candidate of some cell satisfies both.

    A lock (`forbid change(V[…])`) that nothing can outvote needs no proposal where a cell holds
    something. A remark says which locks do so, and which may be outvoted; `lci-lower-rules` asks
    again.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Say what was decided, and what locks.">
  ];
}

//===----------------------------------------------------------------------===//
// Bound form to tick form
//===----------------------------------------------------------------------===//

def LowerRulesPass : Pass<"lci-lower-rules", "::mlir::ModuleOp"> {
  let summary = "Turn bound programs into functions of ticks.";
  let description = [{
    Replaces every bound `lci.program` by functions: one that runs epochs from a first up to a last
    one, `<name>.init`, which computes how the values start, and, where it has observers,
    `<name>.observe`, which computes what they see. Their interface is described in
    docs/architecture.md. Every phase of every ruled value becomes one `lci.tick` that holds the
    rule, its constraints and its agreement for one cell. Windows unroll; larger families become
    loops. A lock that nothing can outvote settles the cells it speaks of before everything else
    (`lci.install … unless`), except with full counters: whether it was decisive takes the proposal
    to know. What upstream's operations leave open for some operands, in models and in rules that
    are written as IR, is settled (docs/models.md).

    ```mlir
    lci.program @p sizes [] = [] {
      lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (8)>
        boundary [#lci.boundary<wrap>] {
      }
      lci.rule @Shift on @A {
      ^bb0(%i: index):
        %v, %p = lci.read @A[affine_map<(d0) -> (d0 - 1)>](%i) : i64
        lci.emit %v : i64
      }
      lci.commit @A using accept {
      }
    }
    ```
    becomes
    ```mlir
    func.func @p(%A: tensor<8xi64>, %Shift: i1, %first: i64, %last: i64, %seed: i64,
                 %counts: tensor<0xi64>) -> (tensor<8xi64>, tensor<0xi64>) {
      … scf.for %e = %first to %last … lci.tick @A at %e, …
    ```
  }];
  let options = [
    Option<"counters", "counters", "::mlir::lci::Counting",
           /*default=*/"::mlir::lci::Counting::None", "What a run counts.",
           [{::llvm::cl::values(
             clEnumValN(::mlir::lci::Counting::None, "none", "Nothing."),
             clEnumValN(::mlir::lci::Counting::Changed, "changed", "Cells that changed."),
             clEnumValN(::mlir::lci::Counting::Full, "full",
                        "Also rejected proposals and what constraints decided."))}]>,
    ListOption<"given", "given", "std::string",
               "Parameters that are given although they have a formula.">,
    Option<"steps", "steps", "bool", /*default=*/"false",
           "Whether the caller says which phases of its epochs to run.">,
    Option<"records", "records", "bool", /*default=*/"false",
           "Whether each cell keeps how it was committed: its stamp, score, replica and constraints.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

def ExpandMathPass : Pass<"lci-expand-math"> {
  let summary = "Expand elementary functions and floor division to arith and math operations.";
  let description = [{
    Replaces `lci.elementary`, `lci.elementary_binary`, `lci.floordiv` and `lci.floormod` on scalars,
    vectors and tensors of static shape by one fixed sequence of exact operations, the one the
    interpreter evaluates, hence with the same bits on every target. Uses `math.fma` and `math.sqrt`,
    never `math.exp` and its like: those, as models write them on f32, are replaced too. `math.absi` of
    a cell becomes the larger of a number and its opposite, whose range upstream knows. On a tensor
    the sequence stands in one `linalg.generic`. Do not run upstream's expansion of `math.fma`
    afterwards: it rounds twice.

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

//===----------------------------------------------------------------------===//
// Representation of the tick form
//===----------------------------------------------------------------------===//

def FixArgumentsPass : Pass<"lci-fix-arguments", "::mlir::func::FuncOp"> {
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

include "LCI/Transforms/Draws.td"
include "LCI/Transforms/Models.td"
include "LCI/Transforms/Buffers.td"
include "LCI/Transforms/Vectors.td"
include "LCI/Transforms/Nests.td"
include "LCI/Transforms/Loops.td"
include "LCI/Transforms/Kernels.td"

#endif // LCI_TRANSFORMS_PASSES_TD
