//===- Passes.td - From math to NVVM -----------------------*- tablegen -*-===//
//
// Exact math operations become intrinsics.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_MATHTONVVM_PASSES_TD
#define LCI_CONVERSION_MATHTONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // LCI_CONVERSION_MATHTONVVM_PASSES_TD
