// RUN: lmpm-opt %s --lci-check-pipeline --split-input-file --verify-diagnostics
// RUN: not lmpm-opt %s --lci-check-level=level=6 2>&1 | FileCheck %s
// What is checked are bound programs, which no ticks have been made of.

// CHECK: error: expected level 2 to 5, but got 6

// expected-error @below {{expected a bound program, but 'program' has sizes without numbers}}
// expected-note @below {{run lci-bind first}}
lci.program @program sizes ["N"] {
}

// -----

func.func @ticks(%a: memref<8xi64>, %e: i64) {
  // expected-error @below {{expected a bound program, but got ticks}}
  // expected-note @below {{what lci-lower-rules has made is checked no more}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  }
  return
}
