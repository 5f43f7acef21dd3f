// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,lci-batch-models{tile=64},canonicalize,cse)' | FileCheck %s
// The cells of a tile as threads: those that are needed are found by threads too, and the host knows only
// how many there may be.

// CHECK-LABEL: func.func @run(
// CHECK-SAME: %[[A:[^:]*]]: memref<100xi64>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %[[COUNTS:[^:]*]]: memref<2xi64>
// CHECK: %[[NUMBER:.*]] = memref.alloc() {{.*}} : memref<1xi64>
// CHECK: %[[PICKED:.*]] = memref.alloc() {{.*}} : memref<100xindex>
// CHECK: linalg.fill {{.*}} outs(%[[NUMBER]]
// CHECK: scf.parallel (%[[FLAT:.*]]) = (%c0) to (%c100)
// CHECK:   %[[NEEDED:.*]] = arith.xori
// CHECK:   scf.if %[[NEEDED]] {
// CHECK:     %[[PLACE:.*]] = memref.atomic_rmw addi %{{.*}}, %[[NUMBER]][%c0]
// CHECK:     %[[AT:.*]] = arith.index_cast %[[PLACE]]
// CHECK:     memref.store %[[FLAT]], %[[PICKED]][%[[AT]]]
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %c100 step %c64 {
// CHECK:   scf.parallel (%[[ROW:.*]]) = (%c0) to (%c64)
// CHECK:     %[[CELL:.*]] = arith.addi %[[FIRST]], %[[ROW]]
// CHECK:     %[[MANY:.*]] = memref.load %[[NUMBER]]
// CHECK:     %[[CAST:.*]] = arith.index_cast %[[MANY]]
// CHECK:     %[[IS:.*]] = arith.cmpi ult, %[[CELL]], %[[CAST]]
// CHECK:     scf.if %[[IS]]
// CHECK:       memref.load %[[PICKED]][%[[CELL]]]
// CHECK:   %[[ALL:.*]] = memref.load %[[NUMBER]]
// CHECK:   %[[ALLCAST:.*]] = arith.index_cast %[[ALL]]
// CHECK:   %[[ANY:.*]] = arith.cmpi ult, %[[FIRST]], %[[ALLCAST]]
// CHECK:   scf.if %[[ANY]] {
// CHECK:     linalg.generic
// CHECK:   scf.parallel
// CHECK:     memref.atomic_rmw addi %{{.*}}, %[[COUNTS]][%c1]
// CHECK:     memref.store %{{.*}}, %[[A]]
func.func @run(%a: memref<100xi64>, %e: i64, %p: i64, %s: i64, %counts: memref<2xi64>) {
  lci.tick @A at %e, %p, %s inputs(%a : memref<100xi64>) target(%a : memref<100xi64>)
      counts(%counts : memref<2xi64>) cells affine_set<(i)[p] : ((i - p) mod 2 == 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<100xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<100xi64> -> i64
    %c3 = arith.constant 3 : i64
    %settled = arith.cmpi eq, %v, %c3 : i64
    %token = func.call @Model(%v) : (i64) -> i64
    %changes = arith.cmpi ne, %v, %token : i64
    lci.install %token if %changes unless %settled tally %changes to [1] : i64
  }
  return
}

// If the model runs for all cells, the host knows how many there are: one tile, of 10 rows in use.
// CHECK-LABEL: func.func @all(
// CHECK-NOT:  memref.atomic_rmw
// CHECK:      scf.parallel (%[[ROW:.*]]) = (%c0) to (%c32)
// CHECK:        %[[IS:.*]] = arith.cmpi ult, %[[ROW]], %c10
// CHECK:        scf.if %[[IS]]
// CHECK-NOT:  scf.if
// CHECK:      linalg.generic {{.*}} tensor<16xi64>
// CHECK:      scf.parallel (%{{.*}}) = (%c0) to (%c32)
func.func @all(%a: memref<10xi64>, %e: i64, %p: i64, %s: i64) {
  lci.tick @A at %e, %p, %s inputs(%a : memref<10xi64>) target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %token = func.call @Model(%v) : (i64) -> i64
    %yes = arith.constant true
    lci.install %token if %yes : i64
  }
  return
}

func.func private @Model(%v: i64) -> i64 {
  %c1 = arith.constant 1 : i64
  %next = arith.addi %v, %c1 : i64
  return %next : i64
}
