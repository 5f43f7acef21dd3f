// RUN: lmpm-opt %s --split-input-file --lci-lower-rules | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --split-input-file --lci-lower-rules=records | FileCheck %s
// Records are separate states, each with a tick after the value's, which tells them who won; without the option
// there are none.

// NONE: func.func @p(
// NONE-NOT: {{stamp|score|replica|level}}
// NONE: lci.tick @A at
// NONE-NOT: lci.tick
// NONE: return

// CHECK: func.func @p(%{{.*}}: tensor<8xi64> {lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64},
// CHECK-SAME: tensor<8xi64> {lci.name = "A.stamp", lci.role = "state"},
// CHECK-SAME: tensor<8xf32> {lci.name = "A.score", lci.role = "state"},
// CHECK-SAME: tensor<8xi64> {lci.name = "A.replica", lci.role = "state"},
// CHECK-SAME: tensor<8xi64> {lci.name = "A.level0", lci.role = "state"},
// CHECK-SAME: i64 {lci.name = "", lci.role = "replica"}
// CHECK: %[[A:.*]] = lci.tick @A at
// CHECK: %[[STAMP:.*]] = lci.tick @A.stamp at {{.*}} inputs(%{{[^,]*}}, %[[A]],
// CHECK: arith.maxsi
// CHECK: lci.install
// CHECK: %[[SCORE:.*]] = lci.tick @A.score at
// CHECK: %[[REPLICA:.*]] = lci.tick @A.replica at
// CHECK: %[[OLD:.*]] = lci.load
// CHECK: %[[NEW:.*]] = lci.load
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[NEW]], %[[OLD]]
// CHECK: %[[CHANGES:.*]] = arith.xori %[[SAME]],
// CHECK-NEXT: lci.install %{{.*}} if %[[CHANGES]]
// CHECK: %[[LEVEL:.*]] = lci.tick @A.level0 at
// CHECK: scf.yield %[[A]], %[[STAMP]], %[[SCORE]], %[[REPLICA]], %[[LEVEL]],
lci.program @p sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.rule @Shift on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(d0) -> (d0 - 1)>](%i) : i64
    lci.emit %v : i64
  }
  lci.constraint @Quiet require on @A priority 3 {
  ^bb0(%i: index, %candidate: i64):
    %one = arith.constant 1 : i64
    %is = arith.cmpi ne, %candidate, %one : i64
    lci.yield %is : i1
  }
  lci.commit @A using satisfy_max {
  }
}

// -----

// In a loop of phases the value's tick is in place, so that records come before it.
// NONE: func.func @cells(
// CHECK: func.func @cells(
// CHECK: scf.for
// CHECK: scf.for
// CHECK: lci.tick @A.stamp at
// CHECK: lci.tick @A.score at
// CHECK: lci.tick @A.replica at
// CHECK: lci.tick @A at
lci.program @cells sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.rule @Shift on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(d0) -> (d0 - 1)>](%i) : i64
    lci.emit %v : i64
  }
  lci.schedule @A using raster
  lci.commit @A using accept {
  }
}
