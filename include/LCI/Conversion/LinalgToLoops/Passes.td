//===- Passes.td - Conversion of linalg to loops -----------*- tablegen -*-===//
//
// Linalg operations on memrefs become loops with hints for LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_LINALGTOLOOPS_PASSES_TD
#define LCI_CONVERSION_LINALGTOLOOPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinalgToLoopsPass : Pass<"lci-linalg-to-loops", "::mlir::func::FuncOp"> {
  let summary = "Convert linalg operations on buffers to loops that carry hints for LLVM.";
  let description = [{
    One loop nest for each operation, as upstream's `convert-linalg-to-loops` makes. Each loop but the
    innermost carries `llvm.loop_annotation`, so that LLVM does not unroll it: it would fully unroll
    a network's layers. Loops inside the computation of one cell (over candidates or
    members of families) lie in the operations' bodies, and LLVM may unroll them.

    Where consecutive iterations access different rows, as where the ends of rows are copied to their
    halos, all loops also say that LLVM must not vectorize them: it would gather each element from a
    separate row and scatter it again. Nests with more than four operations for each access are left
    to LLVM.

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
