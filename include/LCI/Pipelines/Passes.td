//===- Passes.td - Passes that connect pipelines -----------*- tablegen -*-===//

#ifndef LCI_PIPELINES_PASSES_TD
#define LCI_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckLevelPass : Pass<"lci-check-level", "::mlir::ModuleOp"> {
  let summary = "reject IR of another level of the ladder";
  let description = [{
    The first pass of each pipeline, which would leave IR of another level unchanged. At
    level 2 programs are bound, and no function holds ticks yet; at level 3 no program is left, and with
    `buffers` no tick on tensors; at level 4 no tick at all, and at level 5 there are kernels.

    ```
    error: expected ticks, but got program 'p'
    note: run lci-bind, lci-check-pipeline and lci-lower-rules first
    ```

    With `before` it checks for the levels of that pass (`PassLevels.def`): a module that holds only
    other levels is rejected, a mixed one is not, nor one that holds none. `lmpm-opt` inserts it
    before each pass of this project.

    ```
    error: expected ticks on tensors for 'lci-split-domain', but got ticks on buffers
    ```
  }];
  let options = [
    Option<"level", "level", "int64_t", /*default=*/"3", "The level that is expected, from 2 to 5.">,
    Option<"before", "before", "std::string", /*default=*/"\"\"",
           "The pass whose levels are expected instead.">,
    Option<"buffers", "buffers", "bool", /*default=*/"false", "Whether level 3 is that on buffers.">
  ];
  let dependentDialects = ["::mlir::lci::LCIDialect"]; // for the error ids of messages
}

def MergeFunctionsPass : Pass<"lci-merge-functions", "::mlir::ModuleOp"> {
  let summary = "keep one of several equal private functions";
  let description = [{
    Calls of a private function are redirected to the first one that is equal to it, until no two are
    equal. Upstream's `duplicate-function-elimination` also erases public functions, which are called
    by name from outside.

    ```mlir
    func.func private @a.tick() { … }
    func.func private @b.tick() { … }  // the same
    func.func @b() { call @b.tick() : () -> () … }
    ```
    becomes
    ```mlir
    func.func private @a.tick() { … }
    func.func @b() { call @a.tick() : () -> () … }
    ```
  }];
  let statistics = [Statistic<"numMerged", "merged", "Functions that another one stands for.">];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def SearchPass : Pass<"lci-search", "::mlir::ModuleOp"> {
  let summary = "lower by the schedule that a model of its cost finds best";
  let description = [{
    A schedule is a module of transform IR whose `transform.tune.knob`s and
    `transform.tune.alternatives` have several options. Candidates are lowered one after the other, and
    what their code costs is counted: instructions by the vectors that they fill, bytes by the cache in
    which the data of a loop stays, launches. The module becomes that of the cheapest one. Nothing is
    run: `lmpm-tune` measures, and this pass is its first step.

    ```mlir
    %depth = transform.tune.knob<"fused-epochs"> = 16 from options = [1, 4, 16] -> !transform.param<i64>
    %lowered = transform.apply_registered_pass "lci-to-linalg-pipeline"
        with options = { "fused-epochs" = %depth } to %module : …
    ```
    lowers as `lci-to-linalg-pipeline{fused-epochs=4}`, if that is what the model finds.

    The same bits come out of every candidate, and the same candidate out of every search with the same
    seed. The default is candidate 0, and stays unless another one is cheaper.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "The file of a schedule; empty: the one that --lci-print-schedule prints for the target.">,
    Option<"candidates", "candidates", "int64_t", /*default=*/"96", "Candidates at most.">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0", "Decides which, where there are more.">,
    Option<"epochs", "epochs", "int64_t", /*default=*/"16", "Epochs of which the cost is counted.">,
    Option<"list", "list", "bool", /*default=*/"false", "Say by remarks what each candidate costs.">
  ];
  let dependentDialects = ["::mlir::transform::TransformDialect", "::mlir::smt::SMTDialect"];
}

#endif // LCI_PIPELINES_PASSES_TD
