// RUN: lmpm-opt %s --lci-lower-rules --lci-to-nvvm-pipeline=chip=sm_90 | FileCheck %s
// Kernels in the nvvm dialect, for the requested chip; their launches are not lowered yet.

// CHECK: func.func @p(%{{.*}}: memref
// CHECK: gpu.launch_func
// CHECK: gpu.module @{{.*}} [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">]
// CHECK: llvm.func @{{.*}} attributes {gpu.kernel, {{.*}}nvvm.kernel
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK-NOT: memref
// CHECK: llvm.store
lci.program @p sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (200)> shape affine_map<() -> (4096)>
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
