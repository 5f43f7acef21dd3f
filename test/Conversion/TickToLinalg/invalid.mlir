// RUN: lmpm-opt %s --convert-lci-to-linalg --split-input-file --verify-diagnostics
// What is not lowered is one error that names the operation, and the pass to run before.

func.func @on_tensors(%s: tensor<8xi64>, %e: i64) -> tensor<8xi64> {
  // expected-error @+2 {{'lci.tick' op expected memrefs, but got tensors}}
  // expected-note @+1 {{run 'lci-bufferize-state' first}}
  %n = lci.tick @A at %e, %e, %e target(%s : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// -----

func.func @function_not_expanded(%x: f32) -> f32 {
  // expected-error @+2 {{'lci.elementary' op expected to be expanded before ticks are converted}}
  // expected-note @+1 {{run 'lci-expand-math' first}}
  %y = lci.elementary exp %x : f32
  return %y : f32
}

// -----

func.func @surest(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>) -> tensor<8xi64> {
  // expected-error @+2 {{'lci.keep_surest' op expected memrefs, but got tensors}}
  // expected-note @+1 {{run 'lci-bufferize-state' first}}
  %n = lci.keep_surest 0.5 of %a, %b by %s : tensor<8xi64>, tensor<8xi64>, tensor<8xf32> -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// -----

// Where an index is wrapped is not known; a window needs no border.
func.func @unknown_extents(%a: memref<?xi64>, %b: memref<8xi64>, %e: i64) {
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

// -----

func.func @draw_not_expanded(%b: memref<8xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%b : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %half = arith.constant 0.5 : f32
    // expected-error @+2 {{'lci.bernoulli' op expected to be expanded before ticks are converted}}
    // expected-note @+1 {{run 'lci-expand-draws' first}}
    %yes = lci.bernoulli %half stream <2, 0>
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @words_not_expanded(%a: i64) -> i64 {
  // expected-error @+2 {{'lci.philox' op expected to be expanded before ticks are converted}}
  // expected-note @+1 {{run 'lci-expand-philox' first}}
  %w:4 = lci.philox %a, %a, %a, %a key %a, %a : i64
  return %w#0 : i64
}

// -----

func.func @looked_up(%a: i64) -> i64 {
  // expected-error @+1 {{'lci.lookup' op is not lowered to linalg}}
  %w = lci.lookup %a, %a, %a in 232 : i64
  return %w : i64
}
