// RUN: lmpm-opt %s --lci-linalg-to-llvm-pipeline --split-input-file --verify-diagnostics
// RUN: lmpm-opt %s --lci-linalg-to-kernels-pipeline --split-input-file --verify-diagnostics
// RUN: not lmpm-opt %S/Inputs/sum-of-rows.mlir --lci-kernels-to-nvvm-pipeline 2>&1 | FileCheck %s
// RUN: not lmpm-opt %S/Inputs/sum-of-rows.mlir --lci-kernels-to-ptx-pipeline 2>&1 | FileCheck %s
// Pipelines that begin further down refuse what is above them.

// CHECK: sum-of-rows.mlir:1:1: error: expected kernels in a gpu.module, but got 'func.func' [pass-order]
// CHECK: note: run lci-to-kernels-pipeline or lci-linalg-to-kernels-pipeline first

// expected-error @below {{expected linalg or loops on buffers, but got a program}}
// expected-note @below {{run lci-to-linalg-pipeline first}}
lci.program @program sizes ["N"] {
}

// -----

func.func @ticks(%a: memref<8xi8>, %e: i64) {
  // expected-error @below {{expected linalg or loops on buffers, but got ticks}}
  // expected-note @below {{run lci-to-linalg-pipeline first}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %one = arith.constant 1 : i8
    %yes = arith.constant true
    lci.install %one if %yes : i8
  }
  return
}
