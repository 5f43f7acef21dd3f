// RUN: lmpm-opt %s --convert-lci-to-linalg --canonicalize | FileCheck %s
// Settled cells of a body that loops are skipped by a branch; a straight one is computed for all, and
// its result not used.

// CHECK-LABEL: func @light
// CHECK: linalg.generic
// CHECK-NOT: scf.if
// CHECK: %[[OPEN:.*]] = arith.cmpi ne
// CHECK: arith.select %[[OPEN]]
func.func @light(%a: memref<8xi64>, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%a : memref<8xi64>) target(%a : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<8xi64> -> i64
    %c3 = arith.constant 3 : i64
    %settled = arith.cmpi eq, %v, %c3 : i64
    %w = arith.addi %v, %c3 : i64
    %yes = arith.constant true
    lci.install %w if %yes unless %settled : i64
  }
  return
}

// CHECK-LABEL: func @heavy
// CHECK: linalg.generic
// CHECK: %[[SETTLED:.*]] = arith.cmpi eq
// CHECK: %[[OPEN:.*]] = arith.cmpi ne
// CHECK: %[[R:.*]] = scf.if %[[SETTLED]] -> (i64) {
// CHECK-NEXT: scf.yield %{{.*}} : i64
// CHECK-NEXT: } else {
// CHECK: scf.for
// CHECK: arith.select %[[OPEN]], %[[R]]
func.func @heavy(%a: memref<8xi64>, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%a : memref<8xi64>) target(%a : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<8xi64> -> i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : i64
    %settled = arith.cmpi eq, %v, %c3 : i64
    %w = scf.for %k = %c0 to %i step %c1 iter_args(%s = %v) -> (i64) {
      %n = arith.muli %s, %c3 : i64
      scf.yield %n : i64
    }
    %yes = arith.constant true
    lci.install %w if %yes unless %settled : i64
  }
  return
}

// What a settled cell would count is no number of cells, but zero.
// CHECK-LABEL: func @counts
// CHECK: %[[OPEN:.*]] = arith.cmpi ne
// CHECK: arith.select %[[OPEN]], %{{.*}}, %c0_i64
func.func @counts(%a: memref<8xi64>, %k: memref<1xi64>, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%a : memref<8xi64>) target(%a : memref<8xi64>) counts(%k : memref<1xi64>) class_stride 1 packed 64 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<8xi64> -> i64
    %c3 = arith.constant 3 : i64
    %settled = arith.cmpi eq, %v, %c3 : i64
    %bits = math.ctpop %v : i64
    %yes = arith.constant true
    lci.install %c3 if %yes unless %settled tally %bits : i64 to [0] : i64
  }
  return
}
