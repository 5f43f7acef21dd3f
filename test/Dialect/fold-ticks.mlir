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
