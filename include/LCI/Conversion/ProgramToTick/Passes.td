//===- Passes.td - Conversion of programs to ticks ---------*- tablegen -*-===//
//
// Bound programs become functions of ticks on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_PROGRAMTOTICK_PASSES_TD
#define LCI_CONVERSION_PROGRAMTOTICK_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerRulesPass : Pass<"lci-lower-rules", "::mlir::ModuleOp"> {
  let summary = "Convert bound programs to functions of ticks.";
  let description = [{
    Replaces every bound `lci.program` by functions: one that runs epochs from a first up to a last
    one, `<name>.init`, which computes the initial values, and, where it has observers,
    `<name>.observe`, which computes the observations. Their interface is described in
    docs/architecture.md. Every phase of every ruled value becomes one `lci.tick` that holds the
    rule, its constraints and its agreement for one cell. Windows unroll; larger families become
    loops. A lock that nothing can outvote settles the cells it applies to before everything else
    (`lci.install … unless`), except with full counters: whether it was decisive depends on the
    proposal. Results that upstream's operations leave undefined for some operands, in models and in
    rules that are written as IR, are made defined (docs/models.md).

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
           "Whether each cell keeps how it was committed: its stamp, score, replica and constraints.">,
    Option<"rejections", "rejections", "bool", /*default=*/"false",
           "Whether there is a function that finds the first rejected proposal of an epoch.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // LCI_CONVERSION_PROGRAMTOTICK_PASSES_TD
