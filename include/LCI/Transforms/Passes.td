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
// Bound form to tick form
//===----------------------------------------------------------------------===//

def LowerRulesPass : Pass<"lci-lower-rules", "::mlir::ModuleOp"> {
  let summary = "Turn bound programs into functions of ticks.";
  let description = [{
    Replaces every bound `lci.program` by two functions: one that runs epochs from a first up to a
    last one, and `<name>.init`, which computes how the values start. Their interface is described
    in docs/architecture.md. Every phase of every ruled value becomes one `lci.tick` that holds the
    rule, its constraints and its agreement for one cell. Windows unroll; larger families become
    loops.

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
               "Parameters that are given although they have a formula.">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
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
    never `math.exp` and its like. Do not run upstream's expansion of `math.fma` afterwards: it
    rounds twice.

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
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ExpandDrawsPass : Pass<"lci-expand-draws"> {
  let summary = "Expand draws inside ticks to Philox4x32-10 in arith operations.";
  let description = [{
    Replaces `lci.bernoulli`, `lci.uniform`, `lci.randint` and `lci.normal` inside `lci.tick`. The key
    of each stream is computed once, before the tick, and handed in; counters come from the cell's
    indices and the tick's clock. Nothing is stored. A threshold test looks at eight bits of the draw
    for every cell and at the other 24 only where those do not decide, with the same result.

    ```mlir
    %b = lci.bernoulli %p stream <0, 0>
    ```
    becomes
    ```mlir
    %less, %undecided = …            // two Philox blocks, bit %cell mod 32 of their eight words
    %b = scf.if %undecided -> (i1) { // six more blocks
    ```
  }];
  let options = [
    Option<"lazy", "lazy", "bool", /*default=*/"true",
           "Branch before the last 24 bits of a threshold draw instead of always computing them.">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

#endif // LCI_TRANSFORMS_PASSES_TD
