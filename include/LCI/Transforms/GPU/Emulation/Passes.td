//===- Passes.td - Kernels on the host ---------------------*- tablegen -*-===//
//
// A machine without a GPU runs kernels, one thread after the other.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_GPU_EMULATION_PASSES_TD
#define LCI_TRANSFORMS_GPU_EMULATION_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelsToLoopsPass : Pass<"lci-kernels-to-loops", "::mlir::ModuleOp"> {
  let summary = "Run kernels on the host, one thread after the other.";
  let description = [{
    Each kernel becomes a function with a loop over its blocks and one over the threads of a block, and
    each launch a call of it: what a GPU would compute can be seen where there is none. Where threads meet
    at a barrier, one loop over them ends and another one begins; loops in which they meet stand outside
    of those, and of a branch without results in which they meet each stretch asks again who has taken it.
    The threads of a warp meet where they multiply together (`nvgpu.mma.sync` of TF32 numbers, 16 by 8 by 8,
    which are added one after the other here). What a thread keeps meanwhile is an element of an array,
    unless it follows from the thread's numbers alone; workgroup memory is the block's. Shuffles are
    refused, and so are branches with results in which threads meet and launches that nobody waits for.

    ```mlir
    gpu.launch_func @kernels::@k blocks in (%g, %c1, %c1) threads in (%c128, %c1, %c1) args(%a : …)
    gpu.module @kernels {
      gpu.func @k(%a: …) kernel { %t = gpu.thread_id x … }
    }
    ```
    becomes
    ```mlir
    func.call @k(%g, %c1, %c1, %c128, %c1, %c1, %a)
    func.func private @k(%gx: index, …, %bx: index, …, %a: …) {
      scf.for … { scf.for %t = %c0 to %bx step %c1 { … } }
    }
    ```
  }];
  let statistics = [Statistic<"numKernels", "kernels", "Kernels that became functions.">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // LCI_TRANSFORMS_GPU_EMULATION_PASSES_TD
