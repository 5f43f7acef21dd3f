// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-batch-models{tile=4},canonicalize,cse)' | FileCheck %s
// Several models of a tick run on the same tile, one after another: the result of the first one is
// an operand of the second. A model that is called twice has buffers for each call.

// CHECK-LABEL: func.func @chain
// CHECK: scf.for %{{.*}} = %c0 to %c10 step %c4
// CHECK:   memref.store %{{.*}}, %[[GIVEN:.*]][%c0, %{{.*}}] : memref<2x4xf32>
// CHECK:   materialize_in_destination %{{.*}} in restrict writable %[[ANSWERED:.*]] : (tensor<2x4xf32>
// CHECK:   scf.for
// CHECK:     %[[FIRST:.*]] = memref.load %[[ANSWERED]][%c0, %[[ROW:.*]]]
// CHECK:     memref.store %[[FIRST]], %[[ASKED:.*]][%[[ROW]]] : memref<4xf32>
// CHECK:   to_tensor %[[ASKED]]
// CHECK:   materialize_in_destination %{{.*}} in restrict writable %[[SAID:.*]] : (tensor<4xi64>
// CHECK:   scf.for
// CHECK:     %[[SECOND:.*]] = memref.load %[[ANSWERED]][%c1, %[[ROW:.*]]]
// CHECK-NOT: %[[ASKED]]
// CHECK:     memref.store %[[SECOND]], %[[AGAIN:.*]][%[[ROW]]] : memref<4xf32>
// CHECK:   materialize_in_destination %{{.*}} in restrict writable %[[TWICE:.*]] : (tensor<4xi64>
// CHECK:   scf.for
// CHECK:     memref.load %[[SAID]][%[[ROW:.*]]]
// CHECK:     memref.load %[[TWICE]][%[[ROW]]]
// CHECK:     memref.store %{{.*}}, %arg0
func.func @chain(%a: memref<10xi64>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a : memref<10xi64>) target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %f = arith.sitofp %v : i64 to f32
    %given = tensor.from_elements %f, %f : tensor<2xf32>
    %both = func.call @Two(%given) : (tensor<2xf32>) -> tensor<2xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = tensor.extract %both[%c0] : tensor<2xf32>
    %y = tensor.extract %both[%c1] : tensor<2xf32>
    %t = func.call @One(%x) : (f32) -> i64
    %u = func.call @One(%y) : (f32) -> i64
    %w = arith.addi %t, %u : i64
    %yes = arith.constant true
    lci.install %w if %yes : i64
  }
  return
}
func.func private @Two(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = arith.addf %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func private @One(%x: f32) -> i64 {
  %y = arith.fptosi %x : f32 to i64
  return %y : i64
}
