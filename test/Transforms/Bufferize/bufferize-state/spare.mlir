// RUN: lmpm-opt %s --lci-bufferize-state --split-input-file | FileCheck %s
// RUN: lmpm-opt %s --lci-bufferize-state='alias-bytes=0' --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: not lmpm-opt %s --lci-bufferize-state='alias-bytes=-1' --split-input-file 2>&1 | FileCheck %s --check-prefix=LESS
// The stride of rows of numbers that windows move across is no multiple of the caches' alias distance.
// LESS: error: expected 'alias-bytes' from 0 to 1099511627776, but got -1

// A row of 1,024 numbers is 4,096 bytes; with 88 more of them, a dozen rows do not alias.
// CHECK-LABEL: func @rows
// CHECK-SAME:    memref<1025x1112xf32> {lci.extents = array<i64: 1024, 1024>, lci.halo_high = array<i64: 1, 88>
// CHECK:         lci.refresh_halo %{{.*}} low [0, 0] high [1, 0] spare 88 [
// CHECK:         memref.subview %{{.*}}[0, 0] [1024, 1024] [1, 1] : memref<1025x1112xf32>
// CHECK:         lci.refresh_halo %{{.*}} low [0, 0] high [1, 0] spare 88 [
// NONE-LABEL: func @rows
// NONE-SAME:    memref<1025x1024xf32>
func.func @rows(%A: tensor<1024x1024xf32>, %t: i64) -> tensor<1024x1024xf32> {
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<1024x1024xf32>) target(%A : tensor<1024x1024xf32>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<1024x1024xf32>):
    %u = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xf32> -> f32
    %yes = arith.constant true
    lci.install %u if %yes : f32
  } -> tensor<1024x1024xf32>
  return %n : tensor<1024x1024xf32>
}

// -----

// Windows along a row, tokens, and rows that are short or as they should be have nothing to spare.
// CHECK-LABEL: func @along
// CHECK-SAME:    memref<1024x1025xf32>
func.func @along(%A: tensor<1024x1024xf32>, %t: i64) -> tensor<1024x1024xf32> {
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<1024x1024xf32>) target(%A : tensor<1024x1024xf32>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<1024x1024xf32>):
    %u = lci.load %in[affine_map<(x, y) -> (x, y + 1)>](%x, %y) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xf32> -> f32
    %yes = arith.constant true
    lci.install %u if %yes : f32
  } -> tensor<1024x1024xf32>
  return %n : tensor<1024x1024xf32>
}

// -----

// CHECK-LABEL: func @tokens
// CHECK-SAME:    memref<1025x4096xi8>
func.func @tokens(%A: tensor<1024x4096xi8>, %t: i64) -> tensor<1024x4096xi8> {
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<1024x4096xi8>) target(%A : tensor<1024x4096xi8>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<1024x4096xi8>):
    %u = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x4096xi8> -> i8
    %yes = arith.constant true
    lci.install %u if %yes : i8
  } -> tensor<1024x4096xi8>
  return %n : tensor<1024x4096xi8>
}

// -----

// CHECK-LABEL: func @short
// CHECK-SAME:    memref<65x64xf32>
func.func @short(%A: tensor<64x64xf32>, %t: i64) -> tensor<64x64xf32> {
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<64x64xf32>) target(%A : tensor<64x64xf32>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64x64xf32>):
    %u = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x64xf32> -> f32
    %yes = arith.constant true
    lci.install %u if %yes : f32
  } -> tensor<64x64xf32>
  return %n : tensor<64x64xf32>
}

// -----

// CHECK-LABEL: func @apart
// CHECK-SAME:    memref<1025x1200xf32>
func.func @apart(%A: tensor<1024x1200xf32>, %t: i64) -> tensor<1024x1200xf32> {
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<1024x1200xf32>) target(%A : tensor<1024x1200xf32>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<1024x1200xf32>):
    %u = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1200xf32> -> f32
    %yes = arith.constant true
    lci.install %u if %yes : f32
  } -> tensor<1024x1200xf32>
  return %n : tensor<1024x1200xf32>
}

// -----

// Planes of 64 rows would have a stride of 65,536 bytes.
// CHECK-LABEL: func @planes
// CHECK-SAME:    memref<9x64x260xf32> {lci.extents = array<i64: 8, 64, 256>
func.func @planes(%A: tensor<8x64x256xf32>, %t: i64) -> tensor<8x64x256xf32> {
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<8x64x256xf32>) target(%A : tensor<8x64x256xf32>) class_stride 1 {
  ^bb0(%x: index, %y: index, %z: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8x64x256xf32>):
    %u = lci.load %in[affine_map<(x, y, z) -> (x + 1, y, z)>](%x, %y, %z) [#lci.boundary<wrap>, #lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<8x64x256xf32> -> f32
    %yes = arith.constant true
    lci.install %u if %yes : f32
  } -> tensor<8x64x256xf32>
  return %n : tensor<8x64x256xf32>
}
