// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-bitslice,canonicalize,cse))' | FileCheck %s
// RUN: not lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-bitslice{eager-blocks=3}))' 2>&1 | FileCheck %s --check-prefix=BAD
// Bits of thresholds that are constants are constants; others are masks, which are loaded.

// BAD: error: expected 'eager-blocks' from 0 to 2, but got 3

#layout = #lci.layout<split 1 planes 1 cells [10, 64] low [0, 0] high [0, 0]>
#here = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @known(
// CHECK:       lci.tick
// CHECK-NOT:   memref.load
// CHECK:       lci.install
// Later planes are looked at in a loop.
// CHECK:       memref.load
func.func @known(%a: memref<10x64xi8, #layout>, %e: i64) {
  %numbers = arith.constant dense<[1234567, 3456789012]> : tensor<2xi64>
  %table = bufferization.to_buffer %numbers read_only : tensor<2xi64> to memref<2xi64>
  lci.tick @A at %e, %e, %e inputs(%a, %table : memref<10x64xi8, #layout>, memref<2xi64>) target(%a : memref<10x64xi8, #layout>) box [0, 0] [10, 64] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x64xi8, #layout>, %limits: memref<2xi64>):
    %true = arith.constant true
    %cell = lci.load %in[#here] (%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x64xi8, #layout> -> i8
    %bit = arith.trunci %cell : i8 to i1
    %k = arith.index_castui %bit : i1 to index
    %limit = memref.load %limits[%k] : memref<2xi64>
    %up = lci.draw_below %limit stream <1, 0>
    %x = arith.extui %up : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// CHECK-LABEL: func.func @given(
// CHECK:       lci.tick
// CHECK:       memref.load
// CHECK:       lci.install
func.func @given(%a: memref<10x64xi8, #layout>, %table: memref<2xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a, %table : memref<10x64xi8, #layout>, memref<2xi64>) target(%a : memref<10x64xi8, #layout>) box [0, 0] [10, 64] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x64xi8, #layout>, %limits: memref<2xi64>):
    %true = arith.constant true
    %cell = lci.load %in[#here] (%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x64xi8, #layout> -> i8
    %bit = arith.trunci %cell : i8 to i1
    %k = arith.index_castui %bit : i1 to index
    %limit = memref.load %limits[%k] : memref<2xi64>
    %up = lci.draw_below %limit stream <1, 0>
    %x = arith.extui %up : i1 to i8
    lci.install %x if %true : i8
  }
  return
}
