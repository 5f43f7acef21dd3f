// RUN: lmpm-opt %s --cse --canonicalize | FileCheck %s
// A load of a buffer stays behind what was stored there; two of a tensor, or with no store between them, are one.

// CHECK-LABEL: func @buffer
// CHECK: lci.load
// CHECK: memref.store
// CHECK: lci.load
// CHECK-NOT: lci.load
func.func @buffer(%m: memref<8xi64>, %i: index, %v: i64) -> (i64, i64, i64) {
  %a = lci.load %m[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<8xi64> -> i64
  memref.store %v, %m[%i] : memref<8xi64>
  %b = lci.load %m[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<8xi64> -> i64
  %c = lci.load %m[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<8xi64> -> i64
  return %a, %b, %c : i64, i64, i64
}

// CHECK-LABEL: func @tensor
// CHECK: lci.load
// CHECK-NOT: lci.load
func.func @tensor(%t: tensor<8xi64>, %m: memref<8xi64>, %i: index, %v: i64) -> (i64, i64) {
  %a = lci.load %t[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
  memref.store %v, %m[%i] : memref<8xi64>
  %b = lci.load %t[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
  return %a, %b : i64, i64
}
