// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-cpu-target{threads=2},func.func(lci-time-tile-ticks{min-bytes=0 max-epochs=5 rows=2 grain=0}),canonicalize)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-cpu-target{threads=3},func.func(lci-time-tile-ticks{min-bytes=0 max-epochs=5 rows=2 grain=1000}))' | FileCheck %s --check-prefix=GRAIN
// Threads take as many epochs of a window each, a window of rows further behind, and count for themselves; one that has too little to do is none.

// GRAIN-NOT: scf.forall

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: memref<9x9xf32> {{.*}}, %[[B:.*]]: memref<10x9xf32> {{.*}}, %[[COUNTS:.*]]: memref<4xi64>, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64)
func.func @two(%a: memref<9x9xf32> {llvm.noalias}, %b: memref<10x9xf32> {llvm.noalias}, %counts: memref<4xi64>, %first: i64, %last: i64) {
  %c1 = arith.constant 1 : i64
  // Four epochs, two for each. The last A ends at row 9, six rows behind the first epoch's and two
  // more behind the first thread's.
  // CHECK: scf.for %[[GROUP:.*]] = %[[FIRST]] to %{{.*}} step %c4_i64
  // CHECK: scf.for %[[P:.*]] = %c0 to %c17 step %c2
  // CHECK: scf.forall (%[[PART:.*]]) in (2) {
  // CHECK:   %[[OWN:.*]] = memref.alloca() : memref<4xi64>
  // CHECK:   memref.store %c0_i64, %[[OWN]][%c1]
  // CHECK:   memref.store %c0_i64, %[[OWN]][%c3]
  // CHECK:   %[[LATER:.*]] = arith.muli %[[PART]], %c2
  // CHECK:   %[[SEEN:.*]] = arith.subi %[[P]], %[[LATER]]
  // CHECK:   %[[BEGIN:.*]] = arith.muli %[[PART]], %c2
  // CHECK:   %[[END:.*]] = arith.addi %[[BEGIN]], %c2
  // CHECK:   scf.for %[[T:.*]] = %[[BEGIN]] to %[[END]] step %c1
  // CHECK:     %[[BEHIND:.*]] = arith.muli %[[T]], %c2
  // CHECK:     arith.subi %[[SEEN]], %[[BEHIND]]
  // CHECK:     lci.tick @A {{.*}} counts(%[[OWN]] : memref<4xi64>) box [%{{.*}}, 0] [%{{.*}}, 9]
  // CHECK:     lci.tick @B {{.*}} counts(%[[OWN]] : memref<4xi64>) box [%{{.*}}, 0] [%{{.*}}, 9]
  // CHECK:   }
  // CHECK:   %[[SUM:.*]] = memref.load %[[OWN]][%c1]
  // CHECK:   memref.atomic_rmw addi %[[SUM]], %[[COUNTS]][%c1]
  // CHECK:   %[[OTHER:.*]] = memref.load %[[OWN]][%c3]
  // CHECK:   memref.atomic_rmw addi %[[OTHER]], %[[COUNTS]][%c3]
  // CHECK: } {lci.name = "tile"}
  // CHECK: scf.for
  // CHECK: lci.tick @A {{.*}} counts(%[[COUNTS]] : memref<4xi64>) class_stride
  scf.for %e = %first to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%b : memref<10x9xf32>) target(%a : memref<9x9xf32>) counts(%counts : memref<4xi64>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x9xf32>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0 + 1, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x9xf32> -> f32
      %yes = arith.constant true
      lci.install %v if %yes tally %yes to [1] : f32
    }
    lci.tick @B at %e, %e, %e inputs(%a : memref<9x9xf32>) target(%b : memref<10x9xf32>) counts(%counts : memref<4xi64>) box [0, 0] [4, 9] step [2, 1] class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9x9xf32>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0 + 1, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<9x9xf32> -> f32
      %yes = arith.constant true
      lci.install %v if %yes tally %yes to [3] : f32
    }
  }
  return
}
