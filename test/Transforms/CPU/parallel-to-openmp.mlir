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
