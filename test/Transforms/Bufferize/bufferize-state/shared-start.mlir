// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-bufferize-state)' | FileCheck %s
// Two values that start from one constant have an array each.

// CHECK-LABEL: func.func @p.init(
// CHECK-SAME: memref<4xi8>
// CHECK-SAME: memref<4xi8>
// CHECK-COUNT-2: lci.tick
func.func @p.init(%seed: i64 {lci.role = "seed"})
    -> (tensor<4xi8> {lci.role = "state", lci.name = "A"}, tensor<4xi8> {lci.role = "state", lci.name = "B"}) {
  %zero = arith.constant 0 : i64
  %start = arith.constant dense<2> : tensor<4xi8>
  %a = lci.tick @A at %zero, %zero, %seed target(%start : tensor<4xi8>) class_stride 1 {
  ^bb0(%i: index, %e: i64, %p: i64, %s: i64):
    %one = arith.constant 1 : i8
    %yes = arith.constant true
    lci.install %one if %yes : i8
  } -> tensor<4xi8>
  %b = lci.tick @B at %zero, %zero, %seed target(%start : tensor<4xi8>) class_stride 1 {
  ^bb0(%i: index, %e: i64, %p: i64, %s: i64):
    %none = arith.constant 0 : i8
    %yes = arith.constant true
    lci.install %none if %yes : i8
  } -> tensor<4xi8>
  return %a, %b : tensor<4xi8>, tensor<4xi8>
}
