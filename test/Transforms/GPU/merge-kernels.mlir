// RUN: lmpm-opt %s --lci-merge-kernels | FileCheck %s
// Kernels of one name get numbers, and their launches follow; names have no dots in PTX. Kernels
// that do the same are one; those whose constants, operands or attributes differ are not.

// CHECK:       gpu.module @kernels {
// CHECK-NEXT:    memref.global "private" constant @table
// CHECK-NOT:     memref.global
// CHECK:         gpu.func @k(%{{.*}}: memref<4xi32>, %{{.*}}: memref<4xi32>) kernel
// CHECK:         gpu.func @[[THREE:k_.*]](%{{.*}}: memref<4xi32>, %{{.*}}: memref<4xi32>) kernel
// CHECK:         gpu.func @[[SECOND:k_.*]](%{{.*}}: memref<4xi32>, %{{.*}}: memref<4xi32>) kernel
// CHECK:         gpu.func @[[APART:k_.*]](%{{.*}}: memref<4xi32> {llvm.noalias}, %{{.*}}: memref<4xi32>) kernel
// CHECK:         gpu.func @p_init() kernel
// CHECK-NOT:   gpu.func
// CHECK-NOT:   gpu.module
// CHECK:       gpu.launch_func @kernels::@k blocks {{.*}} args(%[[A:.*]] : memref<4xi32>, %[[B:.*]] : memref<4xi32>)
// CHECK:       gpu.launch_func @kernels::@k blocks {{.*}} args(%[[B]] : memref<4xi32>, %[[A]] : memref<4xi32>)
// CHECK:       gpu.launch_func @kernels::@[[THREE]] blocks
// CHECK:       gpu.launch_func @kernels::@[[SECOND]] blocks
// CHECK:       gpu.launch_func @kernels::@[[APART]] blocks
// CHECK:       gpu.launch_func @kernels::@p_init blocks
module attributes {gpu.container_module} {
  gpu.module @first {
    memref.global "private" constant @table : memref<2xi32> = dense<[3, 4]>
    gpu.func @k(%a: memref<4xi32>, %b: memref<4xi32>) kernel {
      %two = arith.constant 2 : index
      %x = memref.load %a[%two] : memref<4xi32>
      memref.store %x, %b[%two] : memref<4xi32>
      gpu.return
    }
  }
  gpu.module @same {
    memref.global "private" constant @table : memref<2xi32> = dense<[3, 4]>
    gpu.func @k.again(%from: memref<4xi32>, %to: memref<4xi32>) kernel {
      %two = arith.constant 2 : index
      %x = memref.load %from[%two] : memref<4xi32>
      memref.store %x, %to[%two] : memref<4xi32>
      gpu.return
    }
  }
  gpu.module @constant {
    gpu.func @k(%a: memref<4xi32>, %b: memref<4xi32>) kernel {
      %three = arith.constant 3 : index
      %x = memref.load %a[%three] : memref<4xi32>
      memref.store %x, %b[%three] : memref<4xi32>
      gpu.return
    }
  }
  gpu.module @operand {
    gpu.func @k(%a: memref<4xi32>, %b: memref<4xi32>) kernel {
      %two = arith.constant 2 : index
      %x = memref.load %b[%two] : memref<4xi32>
      memref.store %x, %b[%two] : memref<4xi32>
      gpu.return
    }
  }
  gpu.module @attribute {
    gpu.func @k(%a: memref<4xi32> {llvm.noalias}, %b: memref<4xi32>) kernel {
      %two = arith.constant 2 : index
      %x = memref.load %a[%two] : memref<4xi32>
      memref.store %x, %b[%two] : memref<4xi32>
      gpu.return
    }
  }
  gpu.module @last {
    gpu.func @p.init() kernel {
      gpu.return
    }
  }
  func.func @host(%n: index, %a: memref<4xi32>, %b: memref<4xi32>) {
    gpu.launch_func @first::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xi32>, %b : memref<4xi32>)
    gpu.launch_func @same::@k.again blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%b : memref<4xi32>, %a : memref<4xi32>)
    gpu.launch_func @constant::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xi32>, %b : memref<4xi32>)
    gpu.launch_func @operand::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xi32>, %b : memref<4xi32>)
    gpu.launch_func @attribute::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xi32>, %b : memref<4xi32>)
    gpu.launch_func @last::@p.init blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
