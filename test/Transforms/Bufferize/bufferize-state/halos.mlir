// RUN: lmpm-opt %s --lci-bufferize-state --canonicalize --cse --split-input-file | FileCheck %s
// Halos are as wide as the windows reach from the cells that look through them.

// One cell on a torus: the halo is wider than the value, and different on both sides.

// CHECK-LABEL: func @size_one
// CHECK-SAME:    memref<4x1xi8> {lci.extents = array<i64: 1, 1>, lci.halo_high = array<i64: 2, 0>, lci.halo_low = array<i64: 1, 0>
func.func @size_one(%A: tensor<1x1xi8>, %B: tensor<1x1xi8>, %t: i64) -> tensor<1x1xi8> {
  %n = lci.tick @B at %t, %t, %t inputs(%A : tensor<1x1xi8>) target(%B : tensor<1x1xi8>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<1x1xi8>):
    %u = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1x1xi8> -> i8
    %v = lci.load %in[affine_map<(x, y) -> (x + 2, y)>](%x, %y) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1x1xi8> -> i8
    %w = arith.addi %u, %v : i8
    %yes = arith.constant true
    lci.install %w if %yes : i8
  } -> tensor<1x1xi8>
  return %n : tensor<1x1xi8>
}

// -----

// A tick on the interior alone needs no halo; open borders are filled, once.

// CHECK-LABEL: func @interior
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<8xi8> {lci.extents = array<i64: 8>, lci.halo_high = array<i64: 0>, lci.halo_low = array<i64: 0>
// CHECK-SAME:    %[[C:[a-z0-9]*]]: memref<9xf32> {lci.extents = array<i64: 8>, lci.halo_high = array<i64: 1>, lci.halo_low = array<i64: 0>
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         lci.refresh_halo %[[C]] low [0] high [1] [#lci.boundary<open>] fill %[[ZERO]]
// CHECK-NOT:     lci.refresh_halo
func.func @interior(%A: tensor<8xi8>, %C: tensor<8xf32>, %B: tensor<8xi8>, %t: i64) -> tensor<8xi8> {
  %n = lci.tick @B at %t, %t, %t inputs(%A : tensor<8xi8>) target(%B : tensor<8xi8>) box [1] [6] step [1] class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
    %u = lci.load %in[affine_map<(x) -> (x - 1)>](%x) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %yes = arith.constant true
    lci.install %u if %yes : i8
  } -> tensor<8xi8>
  %m = lci.tick @B at %t, %t, %t inputs(%C : tensor<8xf32>) target(%n : tensor<8xi8>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xf32>):
    %u = lci.load %in[affine_map<(x) -> (x + 1)>](%x) [#lci.boundary<open>] : tensor<8xf32> -> f32
    %v = arith.fptosi %u : f32 to i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  } -> tensor<8xi8>
  return %m : tensor<8xi8>
}

// -----

// Gathers, parameters and regions read the cells alone, and never leave them.

// CHECK-LABEL: func @gathers
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<9x5xi8>
// CHECK:         %[[CELLS:.*]] = memref.subview %[[A]][1, 0] [8, 5] [1, 1]
// CHECK:         lci.tick @B {{.*}} inputs(%[[A]], %[[CELLS]], %{{.*}}
// CHECK:         ^bb0({{.*}}, %[[WINDOW:.*]]: memref<9x5xi8>, %[[IN:.*]]: memref<8x5xi8, strided<[5, 1], offset: 5>>, %[[PALETTE:.*]]: memref<5xi1>):
// CHECK:         lci.load %[[WINDOW]]
// CHECK:         lci.load %[[IN]][#{{.*}}] (%{{.*}}) [#lci.boundary<clamp>, #lci.boundary<wrap>]
// CHECK:         memref.load %[[PALETTE]]
func.func @gathers(%A: tensor<8x5xi8>, %P: tensor<5xi1>, %B: tensor<8x5xi8>, %t: i64) -> tensor<8x5xi8> {
  %n = lci.tick @B at %t, %t, %t inputs(%A, %P : tensor<8x5xi8>, tensor<5xi1>) target(%B : tensor<8x5xi8>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8x5xi8>, %palette: tensor<5xi1>):
    %u = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y) [#lci.boundary<open>, #lci.boundary<wrap>] : tensor<8x5xi8> -> i8
    %v = lci.load %in[affine_map<(x, y) -> (2 * x, y + x)>](%x, %y) [#lci.boundary<open>, #lci.boundary<wrap>] : tensor<8x5xi8> -> i8
    %w = arith.addi %u, %v : i8
    %in_palette = tensor.extract %palette[%y] : tensor<5xi1>
    lci.install %w if %in_palette : i8
  } -> tensor<8x5xi8>
  return %n : tensor<8x5xi8>
}

// -----

// Where all cells of a tick have one index on an axis, folds have made a constant of it: still a window.

// CHECK-DAG:     #[[RIGHT:.*]] = affine_map<(d0, d1) -> (d0, d1 + 1)>
// CHECK-DAG:     #[[LEFT:.*]] = affine_map<(d0, d1) -> (d0, d1 - 2)>
// CHECK-LABEL: func @edge
// CHECK-SAME:    memref<4x9xi8> {lci.extents = array<i64: 4, 8>, lci.halo_high = array<i64: 0, 1>
// CHECK:         ^bb0(%[[X:.*]]: index, %[[Y:.*]]: index, {{.*}}%[[IN:[a-z0-9]+]]: memref<4x9xi8>):
// CHECK:           lci.load %[[IN]][#[[RIGHT]]] (%[[X]], %[[Y]]) [#lci.boundary<open>, #lci.boundary<open>]
// CHECK:           lci.load %[[IN]][#[[LEFT]]] (%[[X]], %[[Y]]) [#lci.boundary<open>, #lci.boundary<open>]
func.func @edge(%A: tensor<4x8xi8>, %B: tensor<4x8xi8>, %t: i64) -> tensor<4x8xi8> {
  %n = lci.tick @B at %t, %t, %t inputs(%A : tensor<4x8xi8>) target(%B : tensor<4x8xi8>) box [0, 7] [4, 1] step [1, 1] class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<4x8xi8>):
    %last = arith.constant 7 : index
    %u = lci.load %in[affine_map<(x, y) -> (x, y + 1)>](%x, %last) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<4x8xi8> -> i8
    %v = lci.load %in[affine_map<(x) -> (x, 5)>](%x) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<4x8xi8> -> i8
    %w = arith.addi %u, %v : i8
    %yes = arith.constant true
    lci.install %w if %yes : i8
  } -> tensor<4x8xi8>
  return %n : tensor<4x8xi8>
}
