//===- Passes.td - Conversions between lci and other dialects ----*- tablegen -*-===//

#ifndef LCI_CONVERSION_PASSES_TD
#define LCI_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLCIToLinalgPass : Pass<"convert-lci-to-linalg"> {
  let summary = "Convert ticks on memrefs to one linalg operation each.";
  let description = [{
    Every `lci.tick` on memrefs becomes a `linalg.generic` over its box: windows become shifted
    views of the storage (one for each distinct window), gathers `memref.load`, indices
    `linalg.index`; a cell that does not change keeps what it holds. Tallies are further outputs, and
    the loops of such a tick are reductions; with `atomic-counters` they stay parallel and count by
    atomic additions. `lci.agree` becomes a loop over the candidates with an explicit comparison,
    `lci.refresh_halo` copies of strips (with `atomic-counters` one parallel loop over all of its
    elements), `lci.varying` a constant. Any other operation of the dialect is an error; run
    `lci-expand-draws`, `lci-expand-math` and `lci-materialize-state` before.

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
  let options = [
    Option<"atomicCounters", "atomic-counters", "bool", /*default=*/"false",
           "Count by atomic additions, so that the loops of a tick stay parallel.">
  ];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect", "math::MathDialect",
                           "memref::MemRefDialect", "scf::SCFDialect"];
}

def ConvertLCIMathToNVVMPass : Pass<"convert-lci-math-to-nvvm"> {
  let summary = "Convert exact math operations to intrinsics, without NVIDIA's device library.";
  let description = [{
    `math.fma`, `math.sqrt`, `math.absf`, `math.copysign`, `math.floor`, `math.ceil`, `math.trunc` and
    `math.roundeven` on f32 and f64, and on vectors of one axis of them, become calls of LLVM
    intrinsics, which PTX has correctly rounded instructions for. Run it
    before `convert-gpu-to-nvvm`, which makes them calls of `__nv_fma` and its like, unresolved
    where libdevice is not linked. The product of two integers of 64 bits that have no more than 32, as
    those of random draws, becomes the instruction `mul.wide.u32`, `lci.lookup` on integers of 32 or 64 bits
    `lop3`. A number that is rounded to `tf32`, of two to the larger one, and extended again has half of its
    last bit of eleven added, and keeps the bits behind, at which products in TF32 do not look.

    ```mlir
    func.func @f(%x: f64) -> f64 {
      %y = math.sqrt %x : f64
      return %y : f64
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: f64) -> f64 {
      %y = llvm.call_intrinsic "llvm.sqrt.f64"(%x) : (f64) -> f64
      return %y : f64
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"
  ];
}

#endif // LCI_CONVERSION_PASSES_TD
