// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-bitslice,convert-lci-to-linalg,canonicalize,cse))' | FileCheck %s
// Every candidate is a constant, so that what it is compared with is a bit or its complement.

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>
#here = affine_map<(i) -> (i)>

// Zeros and ones count what three arrays hold; of as many of both, the lower wins.
// CHECK-LABEL: func.func @majority(
// CHECK:       linalg.generic
// CHECK:       ^bb0(%[[Y:[a-z0-9_]+]]: i64, %[[X:[a-z0-9_]+]]: i64):
// How many zeros there are, a sum and a carry, and how many ones.
// CHECK:         %[[NOT_X:.*]] = arith.xori %[[X]], %c-1_i64
// CHECK:         %[[NOT_Y:.*]] = arith.xori %[[Y]], %c-1_i64
// CHECK:         %[[ODD:.*]] = arith.xori %[[NOT_X]], %[[NOT_Y]]
// CHECK:         %[[ZEROS:.*]] = arith.andi %[[NOT_X]], %[[NOT_Y]]
// CHECK:         %[[ONES_ODD:.*]] = arith.xori %[[X]], %[[Y]]
// CHECK:         %[[ONES:.*]] = arith.andi %[[X]], %[[Y]]
// One is where there are more ones.
// CHECK:         arith.xori %[[ODD]], %[[ONES_ODD]]
// CHECK:         %[[DIFFER:.*]] = arith.xori %[[ZEROS]], %[[ONES]]
// CHECK:         arith.andi %[[DIFFER]], %[[ONES]]
// CHECK:         %[[WINS:.*]] = arith.ori
// CHECK:         linalg.yield %[[WINS]]
func.func @majority(%a: memref<64xi8, #layout>, %b: memref<64xi8, #layout>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a, %b : memref<64xi8, #layout>, memref<64xi8, #layout>) target(%a : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %inA: memref<64xi8, #layout>, %inB: memref<64xi8, #layout>):
    %true = arith.constant true
    %zero = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %x = lci.load %inA[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %y = lci.load %inB[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %x1 = arith.trunci %x : i8 to i1
    %y1 = arith.trunci %y : i8 to i1
    %w, %found = lci.agree %zero to %two {
    ^bb0(%k: i64):
      %token = arith.trunci %k : i64 to i1
      %p = arith.cmpi eq, %x1, %token : i1
      %q = arith.cmpi eq, %y1, %token : i1
      %m = arith.extui %p : i1 to i64
      %n = arith.extui %q : i1 to i64
      %sum = arith.addi %m, %n : i64
      %score = arith.sitofp %sum : i64 to f32
      lci.candidate %true levels() score %score proposed %true
    }
    %new = arith.trunci %w : i64 to i8
    lci.install %new if %found : i8
  }
  return
}

// A lower token of the same score stays, and what is worse than nothing is worse than it: of a score
// that falls with the token the first is the best, whatever the cells hold.
// CHECK-LABEL: func.func @falling(
// CHECK:       linalg.generic
// CHECK:       ^bb0(%{{[a-z0-9_]+}}: i64):
// CHECK-NEXT:    linalg.yield %c0_i64
func.func @falling(%a: memref<64xi8, #layout>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<64xi8, #layout>) target(%a : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>):
    %true = arith.constant true
    %zero = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %less = arith.constant -0.3 : f32
    %x = lci.load %in[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %x1 = arith.trunci %x : i8 to i1
    %wide = arith.extui %x1 : i1 to i64
    %w, %found = lci.agree %zero to %two {
    ^bb0(%k: i64):
      %both = arith.andi %wide, %zero : i64
      %sum = arith.addi %both, %k : i64
      %number = arith.sitofp %sum : i64 to f32
      %score = arith.mulf %number, %less : f32
      lci.candidate %true levels() score %score proposed %true
    }
    %new = arith.trunci %w : i64 to i8
    lci.install %new if %true : i8
  }
  return
}
