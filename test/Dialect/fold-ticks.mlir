// RUN: lmpm-opt %s --canonicalize | FileCheck %s
// What folds of ticks on buffers.

// A tally that is never true counts nothing, and its counter is no output any more.
// CHECK-LABEL: func.func @silent(
// CHECK: lci.install %{{.*}} if %{{.*}} tally %[[TRUE:.*]] to [1] : i8
func.func @silent(%a: memref<8xi8>, %counts: memref<3xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xi8>) counts(%counts : memref<3xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %one = arith.constant 1 : i8
    %no = arith.constant false
    %yes = arith.constant true
    lci.install %one if %yes tally %no, %yes, %no to [0, 1, 2] : i8
  }
  return
}

// Where nothing changes either, there is no tick.
// CHECK-LABEL: func.func @idle(
// CHECK-NEXT: return
func.func @idle(%a: memref<8xi8>, %counts: memref<1xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xi8>) counts(%counts : memref<1xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %one = arith.constant 1 : i8
    %no = arith.constant false
    lci.install %one if %no tally %no to [0] : i8
  }
  return
}

// A cast that hides extents is no obstacle: inputs are what they were before, destinations by upstream's pattern.
// CHECK-LABEL: func.func @hidden(
// CHECK-SAME: %[[A:.*]]: tensor<8xi64>, %[[B:.*]]: tensor<4xi64>, %[[S:.*]]: tensor<8xf32>
// CHECK: lci.tick @A {{.*}} inputs(%[[A]], %[[B]] : tensor<8xi64>, tensor<4xi64>) target(%[[A]] : tensor<8xi64>) scores(%[[S]] : tensor<8xf32>)
// CHECK: ^bb0(%{{.*}}: index, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %[[IN:.*]]: tensor<8xi64>, %[[OTHER:.*]]: tensor<4xi64>):
// CHECK: lci.load %[[OTHER]]{{.*}} : tensor<4xi64> -> i64
// CHECK: -> tensor<8xi64>, tensor<8xf32>
func.func @hidden(%a: tensor<8xi64>, %b: tensor<4xi64>, %s: tensor<8xf32>, %e: i64) -> tensor<?xi64> {
  %x = tensor.cast %a : tensor<8xi64> to tensor<?xi64>
  %y = tensor.cast %b : tensor<4xi64> to tensor<?xi64>
  %z = tensor.cast %s : tensor<8xf32> to tensor<?xf32>
  %r:2 = lci.tick @A at %e, %e, %e inputs(%x, %y : tensor<?xi64>, tensor<?xi64>) target(%x : tensor<?xi64>) scores(%z : tensor<?xf32>)
      box [0][4] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<?xi64>, %other: tensor<?xi64>):
    %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<?xi64> -> i64
    %w = lci.load %other[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<?xi64> -> i64
    %sum = arith.addi %v, %w : i64
    %yes = arith.constant true
    %one = arith.constant 1.0 : f32
    lci.install %sum if %yes score %one : i64
  } -> tensor<?xi64>, tensor<?xf32>
  return %r#0 : tensor<?xi64>
}

// Constants of a box are static, on axes where it stays within the target.
// CHECK-LABEL: func.func @boxes(
// CHECK: lci.tick @A {{.*}} box [2, %[[FAR:.*]]] [4, %[[FIVE:.*]]] step [1, 2]
func.func @boxes(%a: memref<8x32xi8>, %e: i64) {
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %far = arith.constant 30 : index
  %five = arith.constant 5 : index
  lci.tick @A at %e, %e, %e target(%a : memref<8x32xi8>) box [%two, %far] [%four, %five] step [1, 2] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %one = arith.constant 1 : i8
    %yes = arith.constant true
    lci.install %one if %yes : i8
  }
  return
}

// A tile that is a whole box goes back to where it came from.
// CHECK-LABEL: func.func @whole(
// CHECK: %[[AFTER:.*]] = lci.tick @A {{.*}} box [2] [11] step [1]
// CHECK-NOT: slice
// CHECK: return %[[AFTER]]
func.func @whole(%a: tensor<13xi64>, %e: i64) -> tensor<13xi64> {
  %two = arith.constant 2 : index
  %eleven = arith.constant 11 : index
  %r = lci.tick @A at %e, %e, %e target(%a : tensor<13xi64>) box [%two] [%eleven] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %one = arith.constant 1 : i64
    %yes = arith.constant true
    lci.install %one if %yes : i64
  } -> tensor<13xi64>
  %tile = tensor.extract_slice %r[2] [11] [1] : tensor<13xi64> to tensor<11xi64>
  %after = tensor.insert_slice %tile into %a[2] [11] [1] : tensor<11xi64> into tensor<13xi64>
  return %after : tensor<13xi64>
}

// In memory constants are taken into the body, where they fold.
// CHECK-LABEL: func.func @constants(
// CHECK: lci.tick @A {{.*}} inputs(%{{.*}} : i64) target
// CHECK: arith.addi %{{.*}}, %c5_i64
// CHECK-NOT: arith.addi
func.func @constants(%a: memref<8xi64>, %e: i64) {
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  lci.tick @A at %e, %e, %e inputs(%two, %e, %three : i64, i64, i64) target(%a : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %x: i64, %y: i64, %z: i64):
    %s = arith.addi %x, %z : i64
    %t = arith.addi %y, %s : i64
    %yes = arith.constant true
    lci.install %t if %yes : i64
  }
  return
}
