// RUN: lmpm-opt --pass-pipeline='builtin.module(gpu.module(lci-aggregate-counters))' --split-input-file %s | FileCheck %s
// Truth values that all threads add to one counter are counted by the block's barrier; one thread adds them.

// CHECK-LABEL: gpu.func @nested
// CHECK:         %[[OUTER:.*]] = scf.if %{{.*}} -> (i1) {
// CHECK:           %[[X:.*]]:2 = scf.if %{{.*}} -> (i8, i1) {
// CHECK:             scf.yield %{{.*}}, %[[P:.*]] : i8, i1
// CHECK:           } else {
// CHECK:             %[[NO:.*]] = arith.constant false
// CHECK:             scf.yield %{{.*}}, %[[NO]] : i8, i1
// CHECK:           memref.store %[[X]]#0
// CHECK:           scf.yield %[[X]]#1 : i1
// CHECK:         } else {
// CHECK:           scf.yield %{{.*}} : i1
// CHECK:         %[[WORD:.*]] = arith.extui %[[OUTER]] : i1 to i32
// CHECK:         %[[MANY:.*]] = nvvm.barrier #nvvm.reduction<popc> %[[WORD]] -> i32
// CHECK:         %[[ANY:.*]] = arith.cmpi ne, %[[MANY]], %{{.*}} : i32
// CHECK:         gpu.thread_id  x
// CHECK:         gpu.thread_id  y
// CHECK:         gpu.thread_id  z
// CHECK:         %[[ADDS:.*]] = arith.andi %{{.*}}, %[[ANY]] : i1
// CHECK:         scf.if %[[ADDS]] {
// CHECK:           %[[SUM:.*]] = arith.extui %[[MANY]] : i32 to i64
// CHECK:           memref.atomic_rmw addi %[[SUM]], %{{.*}}[%{{.*}}] : (i64, memref<2xi64>) -> i64
// CHECK:         gpu.return
gpu.module @kernels {
  gpu.func @nested(%m: memref<8xi8>, %counts: memref<2xi64>, %inside: i1, %p: i1, %x: i8) kernel {
    %c1 = arith.constant 1 : index
    scf.if %inside {
      %y = scf.if %p -> (i8) {
        %one = arith.extui %p : i1 to i64
        %old = memref.atomic_rmw addi %one, %counts[%c1] : (i64, memref<2xi64>) -> i64
        scf.yield %x : i8
      } else {
        %z = arith.addi %x, %x : i8
        scf.yield %z : i8
      }
      memref.store %y, %m[%c1] : memref<8xi8>
    }
    gpu.return
  }
}

// -----

// Two counters of one branch, one of them in its other part; one counts all that get there.
// CHECK-LABEL: gpu.func @two
// CHECK:         %[[BOTH:.*]]:2 = scf.if %{{.*}} -> (i1, i1) {
// CHECK:         nvvm.barrier #nvvm.reduction<popc>
// CHECK:         memref.atomic_rmw addi
// CHECK:         nvvm.barrier #nvvm.reduction<popc>
// CHECK:         memref.atomic_rmw addi
gpu.module @kernels {
  gpu.func @two(%counts: memref<2xi64>, %inside: i1, %p: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.extui %p : i1 to i64
    scf.if %inside {
      %a = memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<2xi64>) -> i64
    } else {
      %all = arith.constant 1 : i64
      %b = memref.atomic_rmw addi %all, %counts[%c1] : (i64, memref<2xi64>) -> i64
    }
    gpu.return
  }
}

// -----

// What is another number, another address for each thread, looked at, in a loop, or too narrow for a barrier stays.
// CHECK-LABEL: gpu.func @others
// CHECK-NOT:     nvvm.barrier
gpu.module @kernels {
  gpu.func @others(%counts: memref<2xi64>, %some: memref<2xi32>, %n: i64, %p: i1, %i: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.extui %p : i1 to i64
    %a = memref.atomic_rmw addi %n, %counts[%c0] : (i64, memref<2xi64>) -> i64
    %b = memref.atomic_rmw addi %one, %counts[%i] : (i64, memref<2xi64>) -> i64
    %c = memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<2xi64>) -> i64
    memref.store %c, %counts[%c1] : memref<2xi64>
    %narrow = arith.extui %p : i1 to i32
    %d = memref.atomic_rmw addi %narrow, %some[%c0] : (i32, memref<2xi32>) -> i32
    scf.for %k = %c0 to %i step %c1 {
      %e = memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<2xi64>) -> i64
    }
    gpu.return
  }
}

// -----

// A thread with loops in loops has more to do than to add.
// CHECK-LABEL: gpu.func @busy
// CHECK-NOT:     nvvm.barrier
gpu.module @kernels {
  gpu.func @busy(%counts: memref<2xi64>, %m: memref<8x8xi8>, %x: i8) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1 : i64
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        memref.store %x, %m[%i, %j] : memref<8x8xi8>
      }
    }
    %a = memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<2xi64>) -> i64
    gpu.return
  }
}

// -----

// How many bits of words are set is summed up by upstream's reduction; where a thread adds nothing it is zero.
// CHECK-LABEL: gpu.func @bits
// CHECK:         %[[MINE:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:           math.ctpop
// CHECK:           %[[SHORT:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK:           scf.yield %[[SHORT]]
// CHECK:         } else {
// CHECK:           %[[NONE:.*]] = arith.constant 0 : i32
// CHECK:           scf.yield %[[NONE]]
// CHECK:         %[[ALL:.*]] = gpu.all_reduce add %[[MINE]] uniform
// CHECK:         scf.if
// CHECK:           %[[WIDE:.*]] = arith.extui %[[ALL]] : i32 to i64
// CHECK:           memref.atomic_rmw addi %[[WIDE]], %{{.*}}[%c1
gpu.module @kernels {
  gpu.func @bits(%counts: memref<2xi64>, %a: i64, %b: i64, %byte: i8, %p: i1) kernel {
    %c1 = arith.constant 1 : index
    %three = arith.constant 3 : i64
    scf.if %p {
      %x = math.ctpop %a : i64
      %y = math.ctpop %b : i64
      %xy = arith.addi %x, %y : i64
      %z = arith.extui %byte : i8 to i64
      %xyz = arith.addi %xy, %z : i64
      %sum = arith.addi %xyz, %three : i64
      %old = memref.atomic_rmw addi %sum, %counts[%c1] : (i64, memref<2xi64>) -> i64
    }
    gpu.return
  }
}

// -----

// A thread that adds too much for 32 bits adds alone.
// CHECK-LABEL: gpu.func @large
// CHECK-NOT:     gpu.all_reduce
gpu.module @kernels {
  gpu.func @large(%counts: memref<2xi64>, %a: i32) kernel {
    %c1 = arith.constant 1 : index
    %x = arith.extui %a : i32 to i64
    %old = memref.atomic_rmw addi %x, %counts[%c1] : (i64, memref<2xi64>) -> i64
    gpu.return
  }
}

// -----

// Additions to one element, as of rows that are left over, are one number of a thread, and one of its block; those to
// another element are not among them.
// CHECK-LABEL: gpu.func @one_element
// CHECK:         %[[RESULTS:.*]]:2 = scf.if %{{.*}} -> (i1, i32) {
// CHECK-COUNT-1: gpu.all_reduce
// CHECK-NOT:     gpu.all_reduce
// CHECK:         memref.atomic_rmw addi
// CHECK:         nvvm.barrier #nvvm.reduction<popc>
// CHECK:         memref.atomic_rmw addi
// CHECK-NOT:     memref.atomic_rmw
// CHECK:         gpu.return
gpu.module @kernels {
  gpu.func @one_element(%counts: memref<2xi64>, %inside: i1, %p: i1, %word: i64) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.extui %p : i1 to i64
    %bits = math.ctpop %word : i64
    scf.if %inside {
      %a = memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<2xi64>) -> i64
    } else {
      %b = memref.atomic_rmw addi %bits, %counts[%c0] : (i64, memref<2xi64>) -> i64
    }
    %c = memref.atomic_rmw addi %one, %counts[%c1] : (i64, memref<2xi64>) -> i64
    gpu.return
  }
}
