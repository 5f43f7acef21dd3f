// RUN: lmpm-opt %s --convert-lci-to-linalg --split-input-file --verify-diagnostics
// What is not lowered is an error that names the operation.

func.func @on_tensors(%s: tensor<8xi64>, %e: i64) -> tensor<8xi64> {
  // expected-error @+3 {{'lci.tick' op expected memrefs, but got tensors}}
  // expected-note @+2 {{run 'lci-bufferize-state' first}}
  // expected-error @+1 {{failed to legalize operation 'lci.tick'}}
  %n = lci.tick @A at %e, %e, %e target(%s : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// -----

func.func @function_not_expanded(%x: f32) -> f32 {
  // expected-error @+1 {{failed to legalize operation 'lci.elementary'}}
  %y = lci.elementary exp %x : f32
  return %y : f32
}

// -----

func.func @surest(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>) -> tensor<8xi64> {
  // expected-error @+2 {{expected memrefs, but got tensors; run 'lci-bufferize-state' first}}
  // expected-error @+1 {{failed to legalize operation 'lci.keep_surest'}}
  %n = lci.keep_surest 0.5 of %a, %b by %s : tensor<8xi64>, tensor<8xi64>, tensor<8xf32> -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// -----

// Where an index is wrapped is not known; a window needs no border.
func.func @unknown_extents(%a: memref<?xi64>, %b: memref<8xi64>, %e: i64) {
  // expected-error @+1 {{failed to legalize operation 'lci.tick'}}
  lci.tick @A at %e, %e, %e inputs(%a : memref<?xi64>) target(%b : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<?xi64>):
    %yes = arith.constant true
    %w = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<?xi64> -> i64
    // expected-error @+1 {{gathers from cells whose extents are not known: 'memref<?xi64>'}}
    %v = lci.load %in[affine_map<(d0) -> (d0 * 2)>] (%i) [#lci.boundary<wrap>] : memref<?xi64> -> i64
    %s = arith.addi %v, %w : i64
    lci.install %s if %yes : i64
  }
  return
}
