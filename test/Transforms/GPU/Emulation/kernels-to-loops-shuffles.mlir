// RUN: lmpm-opt %s --lci-kernels-to-loops --split-input-file --verify-diagnostics | FileCheck %s
// A shuffle from a later thread of the warp: all threads give their values, then each reads one; beyond the last
// thread of the warp it reads its own.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func private @down(
  // CHECK-SAME:    %[[BX:[^:]*]]: index, %{{[^:]*}}: index, %{{[^:]*}}: index, %[[M:[^:]*]]: memref<64xi32>)
  // CHECK:         scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:           %[[MINE:.*]] = memref.load %{{.*}} : memref<?x?x?xi32>
  // CHECK:           memref.store %[[MINE]], %[[GIVEN:.*]][%{{.*}}, %{{.*}}, %[[T]]] : memref<?x?x?xi32>
  // CHECK:         scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:           %[[LANE:.*]] = arith.remui %[[T]], %c32
  // CHECK:           %[[BY:.*]] = arith.index_castui %c3_i32
  // CHECK:           %[[FROM:.*]] = arith.addi %[[LANE]], %[[BY]] : index
  // CHECK:           %[[THERE:.*]] = arith.cmpi ult, %[[FROM]], %c32
  // CHECK:           %[[OTHER:.*]] = arith.addi %[[T]], %[[BY]] : index
  // CHECK:           %[[AT:.*]] = arith.select %[[THERE]], %[[OTHER]], %[[T]] : index
  // CHECK:           memref.load %[[GIVEN]][%{{.*}}, %{{.*}}, %[[AT]]] : memref<?x?x?xi32>
  // CHECK:         return
  gpu.module @kernels {
    gpu.func @down(%m: memref<64xi32>) kernel {
      %c3 = arith.constant 3 : i32
      %c32 = arith.constant 32 : i32
      %thread = gpu.thread_id x
      %v = memref.load %m[%thread] : memref<64xi32>
      %taken, %valid = gpu.shuffle down %v, %c3, %c32 : i32
      memref.store %taken, %m[%thread] : memref<64xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @others(%v: i32) kernel {
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      // expected-error @+1 {{'gpu.shuffle' op expected threads to take something from later ones of a whole warp, because other shuffles have no form on the host}}
      %taken, %valid = gpu.shuffle xor %v, %c1, %c32 : i32
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @part(%v: i32) kernel {
      %c1 = arith.constant 1 : i32
      %c16 = arith.constant 16 : i32
      // expected-error @+1 {{'gpu.shuffle' op expected threads to take something from later ones of a whole warp, because other shuffles have no form on the host}}
      %taken, %valid = gpu.shuffle down %v, %c1, %c16 : i32
      gpu.return
    }
  }
}

// -----

// Rows of a block are whole warps.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @row(%v: i32) kernel {
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      %taken, %valid = gpu.shuffle down %v, %c1, %c32 : i32
      gpu.return
    }
  }
  func.func @launch(%v: i32) {
    %c1 = arith.constant 1 : index
    %c48 = arith.constant 48 : index
    // expected-error @+1 {{'gpu.launch_func' op expected rows of whole warps, of 32 threads, because those of a warp work together}}
    gpu.launch_func @kernels::@row blocks in (%c1, %c1, %c1) threads in (%c48, %c1, %c1) args(%v : i32)
    return
  }
}
