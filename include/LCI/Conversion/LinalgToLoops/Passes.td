//===- Passes.td - From linalg to loops --------------------*- tablegen -*-===//
//
// Linalg operations on memrefs become loops with what LLVM is told about them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_LINALGTOLOOPS_PASSES_TD
#define LCI_CONVERSION_LINALGTOLOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinalgToLoopsPass : Pass<"lci-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Turn linalg operations on buffers into loops, and say what LLVM shall not do to them.";
  let description = [{
    One loop nest for each operation, as upstream's `convert-linalg-to-loops` makes. Each loop but the
    innermost carries `llvm.loop_annotation`, so that LLVM does not unroll it: it would write a
    network's layers out completely. Loops that are part of what one cell computes (candidates,
    members of families) stand in the operations' bodies, and LLVM may unroll them.

    Where each turn touches other rows, as where the ends of rows are copied to their halos, all loops
    also say that LLVM shall make no vectors of them: it would gather each element from a row of its
    own and scatter it again. What computes more than four operations for each access is left to it.

    ```mlir
    linalg.copy ins(%a : memref<4x2xf32>) outs(%b : memref<4x2xf32>)
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %c0 to %c2 step %c1 {
        %x = memref.load %a[%i, %j] : memref<4x2xf32>
        memref.store %x, %b[%i, %j] : memref<4x2xf32>
      }
    } {llvm.loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let statistics = [
    Statistic<"numLoops", "loops", "Loops made.">,
    Statistic<"numScalar", "scalar", "Nests of which LLVM shall make no vectors.">
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // LCI_CONVERSION_LINALGTOLOOPS_PASSES_TD
