//===- Passes.td - Passes on programs ----------------------*- tablegen -*-===//
//
// From the program form to the bound form, and proofs on it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_PROGRAM_PASSES_TD
#define LCI_TRANSFORMS_PROGRAM_PASSES_TD

include "mlir/Pass/PassBase.td"

class CheckPass<string flag> : Pass<flag, "::mlir::ModuleOp">;

def BindPass : Pass<"lci-bind", "::mlir::ModuleOp"> {
  let summary = "bind sizes to constants and models to functions (level 1 to 2)";
  let description = [{
    Replaces the sizes by constants in every map, set and shape, inlines formulas, gives every ruled
    value a schedule, every collected family its length and every model its function. Bindings that
    do not fit are errors: a size without a number, a number that a shape does not divide, a model
    of another signature.

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
    ListOption<"sizes", "sizes", "std::string", "Values of sizes, as NAME=VALUE.">,
    ListOption<"models", "models", "std::string", "Functions of models, as NAME=FUNCTION.">,
    ListOption<"absent", "absent", "std::string", "Values that hold nothing at any cell.">,
    ListOption<"rectangles", "rectangles", "std::string",
               "Regions that are given by bounds, not as masks.">,
    Option<"hardPriority", "hard-priority", "int64_t", /*default=*/"-1",
           "Priority from which a constraint cannot be outvoted; the program's own if negative.">,
    Option<"legalize", "legalize", "std::string", /*default=*/"\"\"",
           "Default of schedules for phases that are not independent: "
           "snapshot, recolor or strict.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect", "::mlir::lci::LCIDialect"
  ];
}

def CheckVisibilityPass : CheckPass<"lci-check-visibility"> {
  let summary = "reject reads that no `visible` line allows";
  let description = [{
    The cells that a rule or a constraint reads must be among those that the value's capabilities
    allow, exactly: with boundaries, extents and the conditions around the read. The error shows the
    first cell with a forbidden read and the missing line.

    ```
    error: rule 'R' reads A[x+1], which is not visible
    note: cell A[0] reads A[1]
    note: add: visible A[x] <- A[x+1]
    ```
  }];
}

def CheckCausalityPass : CheckPass<"lci-check-causality"> {
  let summary = "reject programs whose visibility leads to a forbidden later time";
  let description = [{
    Decides `lci.reads_future` in `forbid` constraints: whether a chain of `visible` lines, through
    any values, leads from a cell to a later one on the first axis. Steps that never go forward
    prove that there is none; otherwise chains are composed as relations, then the cells explored
    one by one. The error shows the chain and a pair of cells. An undecided constraint is rejected.
  }];
}

def LegalizeSchedulePass : CheckPass<"lci-legalize-schedule"> {
  let summary = "recolour schedules so that cells that read each other have different phases";
  let description = [{
    A schedule with `legalize "recolor"`, a phase of which has two cells that read each other,
    becomes `recolor`, whose phases are independent; a remark shows the first such pair and the
    number of phases. A value whose cells cannot be coloured is rejected.

    ```mlir
    lci.schedule @A using red_black legalize "recolor"
    ```
    becomes, where `@A` reads its eight neighbours,
    ```mlir
    lci.schedule @A using recolor legalize "recolor"
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true", "Report changes.">
  ];
  let statistics = [Statistic<"numRecoloured", "recoloured", "Schedules that became 'recolor'.">];
}

def CheckSchedulePass : CheckPass<"lci-check-schedule"> {
  let summary = "report phases that are not independent, or reject them";
  let description = [{
    A phase is independent when no active cell reads another. Otherwise the value is updated from a
    snapshot; a remark shows the first such pair. `legalize "strict"` rejects it instead; for
    `legalize "recolor"` run `lci-legalize-schedule` before. With the policies `sample` and
    `metropolis` it is a warning: the sampler is not the sequential one then.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Report proofs and failed proofs.">
  ];
}

def CheckConstraintsPass : CheckPass<"lci-check-constraints"> {
  let summary = "report hard constraints that commits can break";
  let description = [{
    A constraint is evaluated for a cell that commits, with what other cells held before the tick. A
    hard one can still be broken: by two commits of one tick, by one that changes what another cell's
    constraint reads, or by a cell whose own former content it reads. Each is a warning with the
    commits as witness, found by search, and a way to mend it. Other constraints that tie cells of one
    phase are named in remarks.

    For example, where cells must differ from both neighbours, and all of them are decided at once:

    ```
    warning: constraint 'Differ' is hard, but commits of one tick can break it together: in phase 0, A[0] reads A[1], and both are decided
    note: rule 'R' commits 0 at A[0], which held 2, and rule 'R' commits 0 at A[1], which held 1, each checked against what the other cell held before
    note: 'schedule A[*] using recolor' decides them in different phases
    ```
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Report constraints that tie cells of one phase.">
  ];
}

def CheckPresencePass : CheckPass<"lci-check-presence"> {
  let summary = "prove that required cells are present";
  let description = [{
    Every `lci.unwrap` is proved from the extents, boundaries and conditions around it, and replaced
    by its operand. A token without an initial value is present only if its value's input has no
    absent cell; the value then gets the attribute `lci.required`, which names the read, and the
    driver requires the input. An unproved read is rejected, with an absent cell as witness.
  }];
}

def InferRangesPass : CheckPass<"lci-infer-ranges"> {
  let summary = "prove that integers fit and proposals stay inside vocabularies";
  let description = [{
    Bounds every integer by the ranges of tokens, indices, sizes and parameters, in 128 bits. An
    intermediate result that may exceed 64 bits, a divisor that may be zero, and a proposal that is
    always outside of its vocabulary (also in one branch of an `if`) are errors. Proposals that may
    be outside are rejected and counted while the program runs; a remark names them.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Report proposals that may leave their vocabulary.">
  ];
}

def SimplifyConstraintsPass : CheckPass<"lci-simplify-constraints"> {
  let summary = "fold constraints that are decided";
  let description = [{
    `lci.reads_future` becomes the constant that the check of causality found, and so does the
    predicate of a constraint that holds for every candidate of every cell, whatever is read. Such a
    constraint remains, with a body that yields a constant: it costs nothing, but is enabled,
    disabled and counted like any other. A constraint that holds for no candidate of any cell is
    rejected, and so are two hard ones that no candidate of some cell satisfies together.

    A lock (`forbid change(V[…])`) that cannot be outvoted makes proposals unnecessary for cells
    that hold something. A remark reports these locks, and those that may be outvoted;
    `lci-lower-rules` repeats the analysis.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", /*default=*/"true",
           "Report decided constraints and locks.">
  ];
}

#endif // LCI_TRANSFORMS_PROGRAM_PASSES_TD
