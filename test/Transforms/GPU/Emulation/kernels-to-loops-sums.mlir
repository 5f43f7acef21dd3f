// RUN: lmpm-opt %s --lci-kernels-to-loops --split-input-file --verify-diagnostics | FileCheck %s
// What the threads of a block sum up, or how many of them count themselves, they add one after the other; then all of
// them know it.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func private @both(
  // CHECK-SAME:    %[[BX:[^:]*]]: index, %[[BY:[^:]*]]: index, %[[BZ:[^:]*]]: index, %[[M:[^:]*]]: memref<64xi32>)
  // CHECK-DAG:     memref.alloc() : memref<32xi32>
  // CHECK-DAG:     memref.alloc() : memref<32xi32>
  // CHECK:         scf.for %[[G:.*]] = %{{.*}} to %c1{{.*}} step
  // CHECK:           memref.store %c0_i32{{.*}}, %[[FIRST:.*]][%[[G]]] : memref<32xi32>
  // CHECK:         scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:           %[[BEFORE:.*]] = memref.load %[[FIRST]][%c0{{.*}}] : memref<32xi32>
  // CHECK:           %[[AFTER:.*]] = arith.addi %[[BEFORE]], %{{.*}} : i32
  // CHECK:           memref.store %[[AFTER]], %[[FIRST]][%c0{{.*}}] : memref<32xi32>
  // CHECK:         memref.store %c0_i32{{.*}}, %[[SECOND:.*]][%{{.*}}] : memref<32xi32>
  // CHECK:         scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:           %[[IS:.*]] = arith.cmpi ne, %{{.*}}, %c0_i32{{.*}} : i32
  // CHECK:           %[[ONE:.*]] = arith.extui %[[IS]] : i1 to i32
  // CHECK:           %[[BEFORE:.*]] = memref.load %[[SECOND]][%c0{{.*}}] : memref<32xi32>
  // CHECK:           %[[AFTER:.*]] = arith.addi %[[BEFORE]], %[[ONE]] : i32
  // CHECK:           memref.store %[[AFTER]], %[[SECOND]][%c0{{.*}}] : memref<32xi32>
  // CHECK:         return
  gpu.module @kernels {
    gpu.func @both(%m: memref<64xi32>) kernel {
      %thread = gpu.thread_id x
      %v = memref.load %m[%thread] : memref<64xi32>
      %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
      %many = nvvm.barrier #nvvm.reduction<popc> %v -> i32
      %all = arith.addi %sum, %many : i32
      memref.store %all, %m[%thread] : memref<64xi32>
      gpu.return
    }
  }
}

// -----

// The threads of a warp are neighbours along x, then along y.
module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func private @warps(
  // CHECK-SAME:    %[[BX:[^:]*]]: index, %[[BY:[^:]*]]: index, %[[BZ:[^:]*]]: index, %[[M:[^:]*]]: memref<64xi32>)
  // CHECK:         scf.for %{{.*}} = %{{.*}} to %c32
  // CHECK:         scf.for %[[Z:.*]] = %{{.*}} to %[[BZ]]
  // CHECK:           scf.for %[[Y:.*]] = %{{.*}} to %[[BY]]
  // CHECK:             scf.for %[[X:.*]] = %{{.*}} to %[[BX]]
  // CHECK:               %[[ROWS:.*]] = arith.muli %[[Z]], %[[BY]]
  // CHECK:               %[[ROW:.*]] = arith.addi %[[ROWS]], %[[Y]]
  // CHECK:               %[[THREADS:.*]] = arith.muli %[[ROW]], %[[BX]]
  // CHECK:               %[[THREAD:.*]] = arith.addi %[[THREADS]], %[[X]]
  // CHECK:               %[[WARP:.*]] = arith.divui %[[THREAD]], %c32
  // CHECK:               memref.store %{{.*}}, %{{.*}}[%[[WARP]]] : memref<32xi32>
  gpu.module @kernels {
    gpu.func @warps(%m: memref<64xi32>) kernel {
      %thread = gpu.thread_id x
      %v = memref.load %m[%thread] : memref<64xi32>
      %sum = gpu.subgroup_reduce add %v uniform : (i32) -> i32
      memref.store %sum, %m[%thread] : memref<64xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @least(%m: memref<64xi32>) kernel {
      %thread = gpu.thread_id x
      %v = memref.load %m[%thread] : memref<64xi32>
      // expected-error @+1 {{'gpu.subgroup_reduce' op expected threads to sum up integers}}
      %least = gpu.subgroup_reduce minsi %v uniform : (i32) -> i32
      memref.store %least, %m[%thread] : memref<64xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @largest(%m: memref<64xi32>) kernel {
      %thread = gpu.thread_id x
      %v = memref.load %m[%thread] : memref<64xi32>
      // expected-error @+1 {{'gpu.all_reduce' op expected threads to sum up integers or to count themselves where they meet, because anything else has no form on the host}}
      %most = gpu.all_reduce maxsi %v uniform {} : (i32) -> i32
      memref.store %most, %m[%thread] : memref<64xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @all(%m: memref<64xi32>) kernel {
      %thread = gpu.thread_id x
      %v = memref.load %m[%thread] : memref<64xi32>
      // expected-error @+1 {{'nvvm.barrier' op expected threads to sum up integers}}
      %every = nvvm.barrier #nvvm.reduction<and> %v -> i32
      memref.store %every, %m[%thread] : memref<64xi32>
      gpu.return
    }
  }
}
