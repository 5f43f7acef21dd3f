// RUN: lmpm-opt %s --convert-lci-to-linalg --canonicalize --cse --split-input-file | FileCheck %s
// A gather loads at computed indices and tests only the borders that the ranges do not exclude.

// CHECK-LABEL: func @inside
// CHECK-NOT:     select
// CHECK:         scf.for %[[K:[a-z0-9]+]] =
// CHECK-NEXT:      memref.load %{{.*}}[%{{.*}}, %[[K]]]
func.func @inside(%s: memref<9x9xi64>, %t: memref<9x9xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%s : memref<9x9xi64>) target(%t : memref<9x9xi64>) class_stride 1 {
  ^bb0(%r: index, %c: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9x9xi64>):
    %lo = arith.constant 0 : index
    %hi = arith.constant 9 : index
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : i64
    %sum = scf.for %k = %lo to %hi step %one iter_args(%acc = %zero) -> i64 {
      %v = lci.load %in[affine_map<(r, k) -> (r, k)>](%r, %k)
          [#lci.boundary<clamp>, #lci.boundary<clamp>] : memref<9x9xi64> -> i64
      %next = arith.addi %acc, %v : i64
      scf.yield %next : i64
    }
    %yes = arith.constant true
    lci.install %sum if %yes : i64
  }
  return
}

// -----

// CHECK-LABEL: func @one_turn
// CHECK-NOT:     rem
// CHECK:         %[[BELOW:.*]] = arith.cmpi slt, %[[I:.*]], %c0
// CHECK-NEXT:    %[[UP:.*]] = arith.addi %{{.*}}, %c1
// CHECK-NEXT:    %[[LOW:.*]] = arith.select %[[BELOW]], %[[UP]], %[[I]]
// CHECK:         %[[WRAPPED:.*]] = arith.select
// CHECK-NEXT:    memref.load %{{.*}}[%[[WRAPPED]]]
func.func @one_turn(%s: memref<8xi64>, %t: memref<8xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%s : memref<8xi64>) target(%t : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi64>):
    %v = lci.load %in[affine_map<(i) -> (2 * i - 7)>](%i) [#lci.boundary<wrap>] : memref<8xi64> -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}

// -----

// An index beyond 64 bits may be anywhere, and wraps like any other: the sum is the least number.
// CHECK-LABEL: func @overflow
// CHECK:         memref.load %{{.*}}[%c5, %c0]
func.func @overflow(%s: memref<8x8xi64>, %t: memref<8xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%s : memref<8x8xi64>) target(%t : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8x8xi64>):
    %last = arith.constant 9223372036854775807 : index
    %v = lci.load %in[affine_map<(j) -> (j * 3, j + 1)>](%last)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<8x8xi64> -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}

// -----

// CHECK-LABEL: func @anywhere
// CHECK:         arith.remsi
// CHECK:         arith.maxsi
// CHECK-NEXT:    arith.minsi
func.func @anywhere(%s: memref<8x8xi64>, %t: memref<8xi64>, %e: i64, %far: index) {
  lci.tick @A at %e, %e, %e inputs(%s, %far : memref<8x8xi64>, index) target(%t : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8x8xi64>, %j: index):
    %v = lci.load %in[affine_map<(i, j) -> (i + j, j)>](%i, %j)
        [#lci.boundary<wrap>, #lci.boundary<clamp>] : memref<8x8xi64> -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}
