//===- Passes.td - Conversion of ticks to linalg -----------*- tablegen -*-===//
//
// Ticks, halos and copies on memrefs become linalg operations.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_TICKTOLINALG_PASSES_TD
#define LCI_CONVERSION_TICKTOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLCIToLinalgPass : Pass<"convert-lci-to-linalg"> {
  let summary = "Convert ticks on memrefs to one linalg operation each.";
  let description = [{
    Every `lci.tick` on memrefs becomes a `linalg.generic` over its box: windows become shifted
    views of the storage (one for each distinct window), gathers `memref.load`, indices
    `linalg.index`; a cell that does not change keeps its contents. Tallies are further outputs, and
    the loops of such a tick are reductions; for a GPU they stay parallel and count by
    atomic additions. `lci.agree` becomes a loop over the candidates with an explicit comparison,
    `lci.refresh_halo` copies of strips (for a GPU one parallel loop over all of its
    elements), `lci.varying` a constant. Any other operation of the dialect is an error; run
    `lci-expand-draws`, then `lci-expand-philox` and `lci-expand-math`, and `lci-bufferize-state`
    before.

    ```mlir
    func.func @shift(%a: memref<10xi8>, %b: memref<8xi8>, %t: i64) {
      lci.tick @A at %t, %t, %t inputs(%a : memref<10xi8>) target(%b : memref<8xi8>) class_stride 1 {
      ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi8>):
        %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<10xi8> -> i8
        %yes = arith.constant true
        lci.install %v if %yes : i8
      }
      return
    }
    ```
    becomes
    ```mlir
    #id = affine_map<(d0) -> (d0)>
    func.func @shift(%a: memref<10xi8>, %b: memref<8xi8>, %t: i64) {
      %view = memref.subview %a[0] [8] [1] : memref<10xi8> to memref<8xi8, strided<[1]>>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%view : memref<8xi8, strided<[1]>>) outs(%b : memref<8xi8>) {
      ^bb0(%in: i8, %out: i8):
        linalg.yield %in : i8
      }
      return
    }
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

#endif // LCI_CONVERSION_TICKTOLINALG_PASSES_TD
