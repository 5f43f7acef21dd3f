// RUN: lmpm-opt %s --lci-attach-cpu-target=threads=3 --lci-parallel-to-openmp | FileCheck %s
// RUN: lmpm-opt %s --lci-parallel-to-openmp | FileCheck %s --check-prefix=ONE
// A parallel loop is run by the threads of the target; by one thread it stays a loop.

// CHECK: %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: omp.parallel num_threads(%[[THREE]] : i32)
// ONE: scf.parallel
// ONE-NOT: omp.
func.func @all(%m: memref<8xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %m[%i] : memref<8xi64>
  }
  return
}

// Memory of an iteration is a thread's, and the scope around a body, which may have one block, is gone.
// CHECK-LABEL: func.func @counts
// CHECK: omp.parallel
// CHECK-NEXT: %[[COUNT:.*]] = memref.alloca() : memref<i64>
// CHECK: omp.loop_nest
// CHECK-NOT: memref.alloca_scope
// CHECK: memref.store %{{.*}}, %[[COUNT]][]
// CHECK: scf.for
func.func @counts(%m: memref<8xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %count = memref.alloca() : memref<i64>
    memref.store %v, %count[] : memref<i64>
    scf.for %j = %c0 to %c8 step %c1 {
      %old = memref.load %count[] : memref<i64>
      %new = arith.addi %old, %v : i64
      memref.store %new, %count[] : memref<i64>
    }
    %all = memref.load %count[] : memref<i64>
    memref.store %all, %m[%i] : memref<8xi64>
  }
  return
}
