//===- Passes.td - Passes that hold pipelines together ------*- tablegen -*===//

#ifndef LCI_PIPELINES_PASSES_TD
#define LCI_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckLevelPass : Pass<"lci-check-level", "::mlir::ModuleOp"> {
  let summary = "refuse IR of another level of the ladder";
  let description = [{
    Stands at the beginning of each pipeline, which would leave IR of another level as it is. At
    level 2 programs are bound, and no function holds ticks yet; at level 3 no program is left.

    ```
    error: expected ticks, but got program 'p'
    note: run lci-bind, lci-check-pipeline and lci-lower-rules first
    ```

    With `before` it asks what that pass asks for (`PassLevels.def`): a module that holds other levels
    alone is refused, a mixed one is not, nor one that holds none. `lmpm-opt` has it stand before
    each pass of this project.

    ```
    error: expected ticks on tensors for 'lci-split-domain', but got ticks on buffers
    ```
  }];
  let options = [
    Option<"level", "level", "int64_t", /*default=*/"3", "The level that is expected: 2 or 3.">,
    Option<"before", "before", "std::string", /*default=*/"\"\"",
           "The pass whose levels are expected instead.">
  ];
  let dependentDialects = ["::mlir::lci::LCIDialect"]; // which knows the identifiers of messages
}

def MergeFunctionsPass : Pass<"lci-merge-functions", "::mlir::ModuleOp"> {
  let summary = "keep one of several equal private functions";
  let description = [{
    What calls a private function calls the first one that is equal to it instead, until no two are
    equal. Upstream's `duplicate-function-elimination` also erases public functions, which others
    call by their names.

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

#endif // LCI_PIPELINES_PASSES_TD
