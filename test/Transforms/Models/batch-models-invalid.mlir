// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(lci-batch-models)'
// Calls that cannot be batched are rejected by name.

func.func @negative_tensors(%a: tensor<10xi64>, %e: i64, %s: i64) -> tensor<10xi64> {
  // expected-error @below {{calls a model on tensors; run 'lci-bufferize-state' first}}
  %n = lci.tick @A at %e, %e, %s target(%a : tensor<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %x = tensor.from_elements %seed : tensor<1xi64>
    %y = func.call @Model(%x) : (tensor<1xi64>) -> i64
    %yes = arith.constant true
    lci.install %y if %yes : i64
  } -> tensor<10xi64>
  return %n : tensor<10xi64>
}
func.func private @Model(%x: tensor<1xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %y = tensor.extract %x[%c0] : tensor<1xi64>
  return %y : i64
}

// -----

func.func @negative_candidate(%a: memref<10xi64>, %e: i64, %s: i64) {
  lci.tick @A at %e, %e, %s target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %zero = arith.constant 0 : i64
    %w, %found = lci.agree %zero to %epoch {
    ^bb0(%k: i64):
      // expected-error @below {{calls a model for each candidate or member, but only calls at the top of a tick's body are batched}}
      %score = func.call @Model(%k) : (i64) -> f32
      %yes = arith.constant true
      lci.candidate %yes levels() score %score proposed %yes
    }
    lci.install %w if %found : i64
  }
  return
}
func.func private @Model(%x: i64) -> f32 {
  %y = arith.sitofp %x : i64 to f32
  return %y : f32
}

// -----

func.func @negative_whole(%a: memref<10xi64>, %e: i64, %s: i64) {
  lci.tick @A at %e, %e, %s target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %x = tensor.from_elements %seed, %epoch : tensor<2xi64>
    %y = func.call @Model(%x) : (tensor<2xi64>) -> tensor<2xi64>
    %c0 = arith.constant 0 : index
    // expected-error @below {{uses a model's answer as a whole, which is never stored}}
    %z = arith.addi %y, %x : tensor<2xi64>
    %v = tensor.extract %z[%c0] : tensor<2xi64>
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}
func.func private @Model(%x: tensor<2xi64>) -> tensor<2xi64> {
  return %x : tensor<2xi64>
}

// -----

func.func @negative_declared(%a: memref<10xi64>, %e: i64, %s: i64) {
  lci.tick @A at %e, %e, %s target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    // expected-error @below {{expected a model with a body, but 'Model' is only declared}}
    %v = func.call @Model(%seed) : (i64) -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}
func.func private @Model(i64) -> i64

// -----

func.func @negative_blocks(%a: memref<10xi64>, %e: i64, %s: i64) {
  lci.tick @A at %e, %e, %s target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = func.call @Model(%seed) : (i64) -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}
// expected-error @below {{expected a model of one block, but got 2}}
func.func private @Model(%x: i64) -> i64 {
  cf.br ^end
^end:
  return %x : i64
}

// -----

func.func @negative_buffer(%a: memref<10xi64>, %w: memref<2xi64>, %e: i64, %s: i64) {
  lci.tick @A at %e, %e, %s inputs(%w : memref<2xi64>) target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<2xi64>):
    %v = func.call @Model(%seed, %in) : (i64, memref<2xi64>) -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}
func.func private @Model(%x: i64, %w: memref<2xi64>) -> i64 {
  // expected-error @below {{has no batched form, because it is not on tensors}}
  linalg.fill ins(%x : i64) outs(%w : memref<2xi64>)
  return %x : i64
}

// -----

func.func @negative_targets(%a: memref<10xi64>, %b: memref<10xi64>, %e: i64) {
  // expected-error @below {{calls a model, but has several targets, or elements that are no cells}}
  lci.tick @A at %e, %e, %e target(%a, %b : memref<10xi64>, memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %y = func.call @Model(%seed) : (i64) -> i64
    %yes = arith.constant true
    lci.install %y, %y if %yes : i64, i64
  }
  return
}
func.func private @Model(%x: i64) -> i64 {
  return %x : i64
}
