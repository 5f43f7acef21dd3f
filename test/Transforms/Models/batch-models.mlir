// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-batch-models{tile=4},canonicalize,cse)' | FileCheck %s
// A model called per cell is evaluated for four cells at once: the product gains a last dimension, the
// weight stays, the loop over cells is innermost, and runs of cells along the last axis are gathered.

#b = #lci.boundary<clamp>
#in = affine_map<(j, k) -> (k)>
#weight = affine_map<(j, k) -> (k, j)>
#out = affine_map<(j, k) -> (j)>

// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2) -> (d1, d0)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>

// CHECK-LABEL: func.func @run(
// CHECK-SAME: %[[A:[^:]*]]: memref<10xi64>, %[[WEIGHT:[^:]*]]: memref<2x8xf32>
// CHECK-SAME: attributes {passthrough = {{\[\["}}prefer-vector-width", "512"]]}
// CHECK-DAG: %[[GIVEN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
// CHECK-DAG: %[[ANSWERED:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x4xf32>
// CHECK-DAG: %[[WINNERS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xi64>
// CHECK-DAG: %[[SCORES:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %c10 step %c4
// CHECK:   scf.while
// CHECK:     %[[BEGIN:.*]] = arith.remui
// CHECK:     scf.for %[[AT:.*]] = %c0 to
// CHECK-DAG:   arith.addi %[[BEGIN]], %[[AT]]
// CHECK-COUNT-2: memref.store %{{.*}}, %[[GIVEN]]
// CHECK:   linalg.generic {indexing_maps = [#[[X]], #[[W]], #[[Y]]], iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK:     math.fma
// CHECK:   bufferization.materialize_in_destination %{{.*}} in restrict writable %[[ANSWERED]]

// The agreement compares vectors of cells; the first token is there from the start.
// CHECK:   scf.for %[[PLACE:.*]] = %c0 to %{{.*}} step %c4
// CHECK:     %[[START:.*]] = vector.load %[[ANSWERED]][%c0, %[[PLACE]]] : memref<8x4xf32>, vector<4xf32>
// CHECK:     %[[BEST:.*]]:2 = scf.for %[[K:.*]] = %c1_i64 to %c8_i64 step %c1_i64 iter_args(%{{.*}}, %{{.*}} = %[[START]])
// CHECK:       %[[AT:.*]] = arith.index_cast %[[K]]
// CHECK:       vector.load %[[ANSWERED]][%[[AT]], %[[PLACE]]] : memref<8x4xf32>, vector<4xf32>
// CHECK:       arith.cmpf ugt, {{.*}} : vector<4xf32>
// CHECK-NOT:   arith.cmpi
// CHECK:     vector.store %[[BEST]]#0, %[[WINNERS]][%[[PLACE]]]
// CHECK:     vector.store %[[BEST]]#1, %[[SCORES]][%[[PLACE]]]
// CHECK:   scf.while
// CHECK:     memref.load %[[WINNERS]]
// CHECK:     %[[SCORE:.*]] = memref.load %[[SCORES]]
// CHECK:     arith.cmpf ogt, %[[SCORE]]
// CHECK:     scf.if
// CHECK:       memref.store %{{.*}}, %[[A]]
// CHECK: memref.dealloc
// CHECK-NOT: func.func @Model
func.func @run(%a: memref<10xi64>, %w: memref<2x8xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<10xi64>, memref<2x8xf32>)
      target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %weight: memref<2x8xf32>):
    %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#b] : memref<10xi64> -> i64
    %u = lci.load %in[affine_map<(i) -> (i + 1)>](%i) [#b] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %y = arith.sitofp %u : i64 to f32
    %both = tensor.from_elements %x, %y : tensor<2xf32>
    %all = bufferization.to_tensor %weight restrict : memref<2x8xf32> to tensor<2x8xf32>
    %logits = func.call @Model(%both, %all) : (tensor<2xf32>, tensor<2x8xf32>) -> tensor<8xf32>
    %c0 = arith.constant 0 : i64
    %c8 = arith.constant 8 : i64
    %winner, %found, %best = lci.agree %c0 to %c8 score f32 {
    ^bb0(%k: i64):
      %at = arith.index_cast %k : i64 to index
      %score = tensor.extract %logits[%at] : tensor<8xf32>
      %yes = arith.constant true
      lci.candidate %yes levels() score %score proposed %yes
    }
    %none = arith.constant 0.0 : f32
    %sure = arith.cmpf ogt, %best, %none : f32
    %changes = arith.andi %found, %sure : i1
    lci.install %winner if %changes : i64
  }
  return
}

func.func private @Model(%x: tensor<2xf32>, %w: tensor<2x8xf32> {lci.weight = "w"}) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#in, #weight, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<2xf32>, tensor<2x8xf32>) outs(%start : tensor<8xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %next = math.fma %l, %r, %acc : f32
    linalg.yield %next : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
