//===- Passes.td - Passes on programs ----------------------*- tablegen -*-===//
//
// From the program form to the bound form, and what is proved of it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_PROGRAM_PASSES_TD
#define LCI_TRANSFORMS_PROGRAM_PASSES_TD

include "mlir/Pass/PassBase.td"

class CheckPass<string flag> : Pass<flag, "::mlir::ModuleOp">;

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

#endif // LCI_TRANSFORMS_PROGRAM_PASSES_TD
