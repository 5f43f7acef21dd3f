// RUN: lmpm-opt %s --lci-kernels-to-loops --split-input-file --verify-diagnostics | FileCheck %s
// Kernels become functions of the host that run their threads one after the other.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @host(
  // CHECK:         call @fill(%c2, %c1, %c1, %c128, %c1, %c1, %{{.*}}, %{{.*}})
  // CHECK-NOT:     gpu.
  func.func @host(%m: memref<200xi8>, %v: i8) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@fill blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1)
        args(%m : memref<200xi8>, %v : i8)
    return
  }
  // CHECK-LABEL: func.func private @fill(
  // CHECK-SAME:    %[[GX:.*]]: index, %[[GY:.*]]: index, %[[GZ:.*]]: index, %[[BX:.*]]: index, %[[BY:.*]]: index, %[[BZ:.*]]: index, %[[M:.*]]: memref<200xi8>, %[[V:.*]]: i8)
  // CHECK:         scf.for %{{.*}} to %[[GZ]]
  // CHECK-NEXT:    scf.for %{{.*}} to %[[GY]]
  // CHECK-NEXT:    scf.for %[[BLOCK:.*]] = %{{.*}} to %[[GX]]
  // CHECK-NEXT:    scf.for %{{.*}} to %[[BZ]]
  // CHECK-NEXT:    scf.for %{{.*}} to %[[BY]]
  // CHECK-NEXT:    scf.for %[[THREAD:.*]] = %{{.*}} to %[[BX]]
  // CHECK-NEXT:      %[[FIRST:.*]] = arith.muli %[[BLOCK]], %[[BX]]
  // CHECK-NEXT:      %[[CELL:.*]] = arith.addi %[[FIRST]], %[[THREAD]]
  // CHECK:           memref.store %[[V]], %[[M]][%[[CELL]]]
  gpu.module @kernels {
    gpu.func @fill(%m: memref<200xi8>, %v: i8) kernel {
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %width = gpu.block_dim x
      %count = gpu.grid_dim x
      %first = arith.muli %block, %width : index
      %cell = arith.addi %first, %thread : index
      %all = arith.constant 200 : index
      %inside = arith.cmpi ult, %cell, %all : index
      scf.if %inside {
        memref.store %v, %m[%cell] : memref<200xi8>
      }
      gpu.return
    }
  }
}

// -----

// What threads of a warp multiply has no form here.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @sum(%v: i32) kernel {
      // expected-error @+1 {{'nvvm.redux.sync' op expected a kernel whose threads meet at barriers and products, but this has no form on the host}}
      %0 = nvvm.redux.sync add %v, %v : i32 -> i32
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // expected-error @+1 {{'gpu.func' op expected a body without branches}}
    gpu.func @branch() kernel {
      cf.br ^end
    ^end:
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @host(%bytes: i32) {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{'gpu.launch_func' op expected a kernel of this module that is waited for, without clusters or shared memory}}
    gpu.launch_func @kernels::@nothing blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %bytes
    return
  }
  gpu.module @kernels {
    gpu.func @nothing() kernel {
      gpu.return
    }
  }
}
