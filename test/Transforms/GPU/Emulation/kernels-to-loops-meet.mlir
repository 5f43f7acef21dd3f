// RUN: lmpm-opt %s --lci-kernels-to-loops --split-input-file --verify-diagnostics | FileCheck %s
// Where threads meet, a loop over them ends and another one begins.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func private @turn(
  // CHECK-SAME:    %[[GX:[^:]*]]: index, %[[GY:[^:]*]]: index, %[[GZ:[^:]*]]: index, %[[BX:[^:]*]]: index, %[[BY:[^:]*]]: index, %[[BZ:[^:]*]]: index, %[[M:[^:]*]]: memref<64xi32>)
  // What a thread keeps: of the loop's, and what it loads before threads meet.
  // CHECK-DAG:     %[[SHARED:.*]] = memref.alloc() : memref<32xi32>
  // CHECK-DAG:     %[[CARRIED:.*]] = memref.alloc(%[[BZ]], %[[BY]], %[[BX]]) : memref<?x?x?xi32>
  // CHECK-DAG:     %[[OWN:.*]] = memref.alloc(%[[BZ]], %[[BY]], %[[BX]]) : memref<?x?x?xi32>
  // CHECK:         scf.for %[[BLOCK:.*]] = %{{.*}} to %[[GX]]
  // CHECK:           scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:             %[[V:.*]] = memref.load %[[M]]
  // CHECK:             memref.store %[[V]], %[[OWN0:.*]][%{{.*}}, %{{.*}}, %[[T]]]
  // The loop begins with that.
  // CHECK:           scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:             %[[V:.*]] = memref.load %[[OWN0]][%{{.*}}, %{{.*}}, %[[T]]]
  // CHECK:             memref.store %[[V]], %[[CARRIED0:.*]][%{{.*}}, %{{.*}}, %[[T]]]
  // It stands outside of the loops over threads.
  // CHECK:           scf.for %{{.*}} = %{{.*}} to %c3
  // CHECK:             scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:               %[[V:.*]] = memref.load %[[CARRIED0]][%{{.*}}, %{{.*}}, %[[T]]]
  // CHECK:               memref.store %[[V]], %[[SHARED]][%[[T]]]
  // CHECK:             scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // What follows from a thread's numbers is computed again.
  // CHECK:               %[[NEXT:.*]] = arith.remui
  // CHECK:               %[[V:.*]] = memref.load %[[SHARED]][%[[NEXT]]]
  // CHECK:             scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:               memref.store %{{.*}}, %[[CARRIED0]][%{{.*}}, %{{.*}}, %[[T]]]
  // CHECK:           scf.for %[[T:.*]] = %{{.*}} to %[[BX]]
  // CHECK:             %[[V:.*]] = memref.load %[[CARRIED0]][%{{.*}}, %{{.*}}, %[[T]]]
  // CHECK:             memref.store %[[V]], %[[M]]
  // CHECK-COUNT-4: memref.dealloc
  // CHECK:         return
  gpu.module @kernels {
    gpu.func @turn(%m: memref<64xi32>) workgroup(%shared: memref<32xi32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c32 = arith.constant 32 : index
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %first = arith.muli %block, %c32 : index
      %cell = arith.addi %first, %thread : index
      %after = arith.addi %thread, %c1 : index
      %next = arith.remui %after, %c32 : index
      %v = memref.load %m[%cell] : memref<64xi32>
      %end = scf.for %i = %c0 to %c3 step %c1 iter_args(%now = %v) -> (i32) {
        memref.store %now, %shared[%thread] : memref<32xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        %other = memref.load %shared[%next] : memref<32xi32, #gpu.address_space<workgroup>>
        gpu.barrier
        scf.yield %other : i32
      }
      memref.store %end, %m[%cell] : memref<64xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @branch(%some: i1) kernel {
      // expected-error @+1 {{'scf.if' op expected threads to meet in a kernel, or in loops and in branches without results of it, but not here}}
      %other = scf.if %some -> (i1) {
        gpu.barrier
        scf.yield %some : i1
      } else {
        scf.yield %some : i1
      }
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @turns() kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %thread = gpu.thread_id x
      // expected-error @+1 {{'scf.for' op expected the bounds of a loop in which threads meet to be the same for all of them}}
      scf.for %i = %c0 to %thread step %c1 {
        gpu.barrier
      }
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @own() kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      // expected-error @+1 {{expected a number where threads keep something while they meet}}
      %own = memref.alloca() : memref<4xi32>
      gpu.barrier
      memref.store %zero, %own[%c0] : memref<4xi32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @view() workgroup(%shared: memref<32xi32, #gpu.address_space<workgroup>>) kernel {
      // expected-error @+1 {{'memref.subview' op expected loads and stores of workgroup memory}}
      %view = memref.subview %shared[0] [8] [1] : memref<32xi32, #gpu.address_space<workgroup>> to memref<8xi32, strided<[1]>, #gpu.address_space<workgroup>>
      gpu.return
    }
  }
}
