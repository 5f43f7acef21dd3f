//===- Passes.td - Conversion of math to NVVM --------------*- tablegen -*-===//
//
// Exact math operations become LLVM intrinsics.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_CONVERSION_MATHTONVVM_PASSES_TD
#define LCI_CONVERSION_MATHTONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLCIMathToNVVMPass : Pass<"convert-lci-math-to-nvvm"> {
  let summary = "Convert exact math operations to intrinsics, without NVIDIA's device library.";
  let description = [{
    `math.fma`, `math.sqrt`, `math.absf`, `math.copysign`, `math.floor`, `math.ceil`, `math.trunc` and
    `math.roundeven` on f32 and f64, and on vectors of rank 1 of them, become calls of LLVM
    intrinsics, because PTX has correctly rounded instructions for these. Run it
    before `convert-gpu-to-nvvm`, which makes them calls of `__nv_fma` and its like, unresolved
    where libdevice is not linked. The product of two 64-bit integers that have no more than 32
    significant bits, as those of random draws, becomes the instruction `mul.wide.u32`; `lci.lookup`
    on integers of 32 or 64 bits becomes `lop3`. An f32 that is rounded to `tf32`, ties away from
    zero, and extended again has half of the last of its eleven significant bits added. It keeps the
    bits below those eleven, which products in TF32 ignore.

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
