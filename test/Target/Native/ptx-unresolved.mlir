// RUN: not lmpm-translate --lci-to-ptx --chip=sm_90 %s 2>&1 | FileCheck %s
// What would call a library that is not there is refused, and no PTX is written that no driver could load.

// CHECK: error: expected kernels that have all they need, but they call '__nv_sinhf' of NVIDIA's device library, which was not found; CUDA_HOME names the toolkit that has it
// CHECK-NOT: .entry
func.func @p(%t: memref<512xf32>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%t : memref<512xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %n = arith.index_cast %i : index to i64
    %x = arith.sitofp %n : i64 to f32
    %y = math.sinh %x : f32
    %yes = arith.constant true
    lci.install %y if %yes : f32
  }
  return
}
