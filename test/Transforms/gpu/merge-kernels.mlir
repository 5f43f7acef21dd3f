// RUN: lmpm-opt %s --lci-merge-kernels | FileCheck %s
// Kernels of one name get numbers, and their launches follow.

// CHECK:       gpu.module @kernels {
// CHECK-NEXT:    gpu.func @k() kernel
// CHECK:         gpu.func @[[SECOND:k_.*]]() kernel
// CHECK-NOT:   gpu.module
// CHECK:       gpu.launch_func @kernels::@k blocks
// CHECK:       gpu.launch_func @kernels::@[[SECOND]] blocks
module attributes {gpu.container_module} {
  gpu.module @first {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @host(%n: index) {
    gpu.launch_func @first::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @second::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
