// RUN: lmpm-opt %s --lci-merge-kernels | FileCheck %s
// Kernels of one name get numbers, and their launches follow; names have no dots in PTX.

// CHECK:       gpu.module @kernels {
// CHECK-NEXT:    memref.global "private" constant @table
// CHECK-NOT:     memref.global
// CHECK:         gpu.func @k() kernel
// CHECK:         gpu.func @[[SECOND:k_.*]]() kernel
// CHECK:         gpu.func @p_init() kernel
// CHECK-NOT:   gpu.module
// CHECK:       gpu.launch_func @kernels::@k blocks
// CHECK:       gpu.launch_func @kernels::@[[SECOND]] blocks
// CHECK:       gpu.launch_func @kernels::@p_init blocks
module attributes {gpu.container_module} {
  gpu.module @first {
    memref.global "private" constant @table : memref<2xi32> = dense<[3, 4]>
    gpu.func @k() kernel {
      gpu.return
    }
  }
  gpu.module @second {
    memref.global "private" constant @table : memref<2xi32> = dense<[3, 4]>
    gpu.func @k() kernel {
      gpu.return
    }
  }
  gpu.module @third {
    gpu.func @p.init() kernel {
      gpu.return
    }
  }
  func.func @host(%n: index) {
    gpu.launch_func @first::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @second::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    gpu.launch_func @third::@p.init blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
