// RUN: lmpm-opt %s --lci-buffers-to-linalg-pipeline --split-input-file --verify-diagnostics
// RUN: lmpm-opt %s --lci-gpu-buffers-to-kernels-pipeline --split-input-file --verify-diagnostics
// RUN: not lmpm-opt %s --lci-check-level="level=4 buffers" 2>&1 | FileCheck %s
// Pipelines that begin at ticks on buffers refuse those on tensors, and programs.

// CHECK: error: expected 'buffers' with level 3 alone, but got level 4 [pass-option]

// expected-error @below {{expected ticks, but got program 'program'}}
// expected-note @below {{run lci-bind, lci-check-pipeline and lci-lower-rules first}}
lci.program @program sizes ["N"] {
}

// -----

func.func @ticks(%a: tensor<8xi64>, %e: i64) -> tensor<8xi64> {
  // expected-error @below {{expected ticks on buffers, but got ticks on tensors}}
  // expected-note @below {{run lci-to-buffers-pipeline first, or lci-to-gpu-buffers-pipeline}}
  %r = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return %r : tensor<8xi64>
}
