//===- Passes.td - Emulation of kernels on the host --------*- tablegen -*-===//
//
// Runs kernels on a machine without a GPU, with sequential threads.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_GPU_EMULATION_PASSES_TD
#define LCI_TRANSFORMS_GPU_EMULATION_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelsToLoopsPass : Pass<"lci-kernels-to-loops", "::mlir::ModuleOp"> {
  let summary = "Run kernels on the host, with sequential threads.";
  let description = [{
    Each kernel becomes a function with a loop over its blocks and one over the threads of a block, and
    each launch a call of it, so that the results of kernels can be checked without a GPU. At a barrier,
    one loop over threads ends and another one begins. Loops that contain barriers are outside of those
    over threads; in a branch without results that contains barriers, each segment tests again which
    threads have taken it. `nvgpu.mma.sync` (of TF32 numbers, 16 by 8 by 8, which are added sequentially
    here) is a barrier of the threads of a warp. Values that are live across a barrier are elements of an
    array, one for each thread, unless they can be recomputed from the thread's ids alone; workgroup
    memory belongs to the block. Among shuffles only `down` over a whole warp is supported. Branches with
    results that contain barriers are rejected, and so are asynchronous launches.

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
