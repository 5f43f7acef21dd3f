// RUN: lmpm-opt %s --convert-lci-to-linalg --cse | FileCheck %s --check-prefixes=CHECK,SUM
// RUN: lmpm-opt %s --lci-attach-gpu-target --convert-lci-to-linalg --cse | FileCheck %s --check-prefixes=CHECK,ATOMIC
// Tallies are sums over the loops, or atomic additions that leave the loops parallel.

// CHECK-LABEL: func @count
// CHECK-SAME:    %[[T:.*]]: memref<8xi64>, %[[K:.*]]: memref<3xi64>
func.func @count(%t: memref<8xi64>, %k: memref<3xi64>, %e: i64) {
  // SUM: %[[SLOT:.*]] = memref.subview %[[K]][2] [1] [1] : memref<3xi64> to memref<i64, strided<[], offset: 2>>
  // SUM: linalg.generic
  // SUM-SAME: iterator_types = ["reduction"]
  // SUM-SAME: outs(%[[T]], %[[SLOT]] :
  // SUM-NEXT: ^bb0(%{{.*}}: i64, %[[SUM:.*]]: i64):
  // SUM: %[[ODD:.*]] = arith.trunci
  // SUM: %[[FIRST:.*]] = arith.extui %[[ODD]] : i1 to i64
  // SUM-NEXT: %[[ONE:.*]] = arith.addi %[[SUM]], %[[FIRST]]
  // SUM-NEXT: %[[TWO:.*]] = arith.addi %[[ONE]], %[[FIRST]]
  // SUM-NEXT: linalg.yield %{{.*}}, %[[TWO]]
  // ATOMIC: linalg.generic
  // ATOMIC-SAME: iterator_types = ["parallel"]
  // ATOMIC: scf.if %[[ODD:.*]] {
  // ATOMIC:   memref.atomic_rmw addi %c1_i64, %[[K]][%c2] : (i64, memref<3xi64>) -> i64
  // ATOMIC: linalg.yield
  lci.tick @A at %e, %e, %e target(%t : memref<8xi64>) counts(%k : memref<3xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.index_cast %i : index to i64
    %odd = arith.trunci %v : i64 to i1
    %yes = arith.constant true
    lci.install %v if %yes tally %odd, %odd to [2, 2] : i64
  }
  return
}

// Numbers are added themselves, where a set has the cell.
// CHECK-LABEL: func @numbers
// CHECK-SAME:    %[[T:.*]]: memref<8xi64>, %[[K:.*]]: memref<3xi64>
// SUM: linalg.generic
// SUM: ^bb0(%{{.*}}: i64, %[[SUM:.*]]: i64):
// CHECK: %[[BITS:.*]] = math.ctpop
// CHECK: %[[IS_EVEN:.*]] = arith.cmpi eq
// CHECK: %[[COUNTED:.*]] = arith.select %[[IS_EVEN]], %[[BITS]], %c0_i64
// SUM: %[[ALL:.*]] = arith.addi %[[SUM]], %[[COUNTED]]
// SUM-NEXT: linalg.yield %{{.*}}, %[[ALL]]
// ATOMIC-NOT: scf.if
// ATOMIC: memref.atomic_rmw addi %[[COUNTED]], %[[K]][%c1] : (i64, memref<3xi64>) -> i64
func.func @numbers(%t: memref<8xi64>, %k: memref<3xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%t : memref<8xi64>) counts(%k : memref<3xi64>)
      cells affine_set<(d0)[s0] : (d0 mod 2 == 0)> class_stride 1 packed 64 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.index_cast %i : index to i64
    %bits = math.ctpop %v : i64
    %yes = arith.constant true
    lci.install %v if %yes tally %bits : i64 to [1] : i64
  }
  return
}
