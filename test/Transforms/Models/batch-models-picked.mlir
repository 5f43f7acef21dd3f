// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-batch-models{tile=4},canonicalize,cse)' | FileCheck %s
// The model does not run for cells that are not up or that are settled: the others are counted, and tiles are
// filled with them, in their order.

// CHECK-LABEL: func.func @run(
// CHECK-SAME: %[[A:[^:]*]]: memref<10xi64>
// CHECK: %[[PICKED:.*]] = memref.alloc() {{.*}} : memref<4xindex>
// CHECK: %[[NEEDED:.*]] = scf.for %[[I:.*]] = %c0 to %c10 step %c1 iter_args(%[[COUNT:.*]] = %c0)
// CHECK:   %[[HELD:.*]] = memref.load %[[A]][%{{.*}}]
// CHECK:   %[[SETTLED:.*]] = arith.cmpi eq, %[[HELD]]
// CHECK:   %[[SKIPPED:.*]] = arith.ori %[[SETTLED]],
// CHECK:   arith.select %[[SKIPPED]], %[[COUNT]]
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %[[NEEDED]] step %c4 iter_args(%[[NEXT:.*]] = %c0)
// CHECK:   %[[LEFT:.*]] = arith.subi %[[NEEDED]], %[[FIRST]]
// CHECK:   %[[ROWS:.*]] = arith.minui %[[LEFT]], %c4
// CHECK:   scf.for %[[ROW:.*]] = %c0 to %[[ROWS]] step %c1 iter_args(%[[FROM:.*]] = %[[NEXT]])
// CHECK:     %[[FOUND:.*]] = scf.while (%{{.*}} = %[[FROM]])
// CHECK:     memref.store %[[FOUND]], %[[PICKED]][%[[ROW]]]
// CHECK:   scf.for %[[ROW:.*]] = %c0 to %[[ROWS]]
// CHECK:     memref.load %[[PICKED]][%[[ROW]]]
// CHECK:   bufferization.materialize_in_destination
// CHECK:   scf.for %[[ROW:.*]] = %c0 to %[[ROWS]]
// CHECK:     %[[CELL:.*]] = memref.load %[[PICKED]][%[[ROW]]]
// CHECK:     memref.store %{{.*}}, %[[A]][%[[CELL]]]
// CHECK-NOT: func.func @Model
func.func @run(%a: memref<10xi64>, %e: i64, %p: i64, %s: i64) {
  lci.tick @A at %e, %p, %s inputs(%a : memref<10xi64>) target(%a : memref<10xi64>)
      cells affine_set<(i)[p] : ((i - p) mod 2 == 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %c3 = arith.constant 3 : i64
    %settled = arith.cmpi eq, %v, %c3 : i64
    %token = func.call @Model(%v) : (i64) -> i64
    %yes = arith.constant true
    lci.install %token if %yes unless %settled : i64
  }
  return
}

// If the condition depends on the model itself, it runs for all cells.
// CHECK-LABEL: func.func @asked(
// CHECK-NOT: memref<4xindex>
// CHECK: return
func.func @asked(%a: memref<10xi64>, %e: i64, %p: i64, %s: i64) {
  lci.tick @A at %e, %p, %s inputs(%a : memref<10xi64>) target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %token = func.call @Model(%v) : (i64) -> i64
    %settled = arith.cmpi eq, %v, %token : i64
    %yes = arith.constant true
    lci.install %token if %yes unless %settled : i64
  }
  return
}

// Whether all cells are settled or none is tested once, around the tiles.
// CHECK-LABEL: func.func @switched(
// CHECK-NOT: memref<4xindex>
// CHECK: %[[OPEN:.*]] = arith.xori %{{.*}}, %true
// CHECK: scf.if %[[OPEN]]
// CHECK:   scf.for %{{.*}} = %c0 to %c10 step %c4
func.func @switched(%a: memref<10xi64>, %off: i1, %e: i64, %p: i64, %s: i64) {
  lci.tick @A at %e, %p, %s inputs(%a, %off : memref<10xi64>, i1) target(%a : memref<10xi64>)
      class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %settled: i1):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %token = func.call @Model(%v) : (i64) -> i64
    %yes = arith.constant true
    lci.install %token if %yes unless %settled : i64
  }
  return
}

func.func private @Model(%x: i64) -> i64 {
  %one = arith.constant 1 : i64
  %y = arith.addi %x, %one : i64
  return %y : i64
}
