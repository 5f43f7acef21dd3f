// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-assign-layouts))' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-assign-layouts{remarks}))' 2>&1 | FileCheck %s --check-prefix=REMARK
// Planes where they can be computed and pay; a stride splits the rows of all that a tick touches.

// Each colour of a row is a separate array.
// CHECK-LABEL: func.func @colours
// CHECK-SAME: memref<10xi8, #lci.layout<split 2 planes 2 cells[8] low[1] high[1]>>
func.func @colours(%a: memref<10xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 1>, lci.halo_high = array<i64: 1>, lci.name = "A", lci.role = "state", lci.vocabulary = 3 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  %cells = memref.subview %a[1] [8] [1] : memref<10xi8> to memref<8xi8, strided<[1], offset: 1>>
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<10xi8>) target(%cells : memref<8xi8, strided<[1], offset: 1>>) box [0] [4] step [2] class_stride 2 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi8>):
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<10xi8> -> i8
      lci.install %x if %true : i8
    }
  }
  return
}

// REMARK: remark: 'A' is not laid out in planes because of no loop that would be worth two copies
// REMARK: remark: 'A' is not laid out in planes because of a tick that touches an array of another layout

// One function call would copy twice what it computes once.
// CHECK-LABEL: func.func @once
// CHECK-NOT: #lci.layout
func.func @once(%a: memref<8xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64}, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1 : i8
    lci.install %x if %true : i8
  }
  return
}

// A reader of an array of another layout keeps its layout.
// CHECK-LABEL: func.func @mixed
// CHECK-NOT: #lci.layout
func.func @mixed(%a: memref<8xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64},
    %b: memref<8xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "B", lci.role = "state"},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%b : memref<8xi8>) target(%a : memref<8xi8>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8>):
      %zero = arith.constant 0 : i8
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<8xi8> -> i8
      %p = arith.cmpi sgt, %x, %zero : i8
      %t = arith.extui %p : i1 to i8
      lci.install %t if %p : i8
    }
  }
  return
}

// Rows are split into as many parts as strides have, but not into many.
// REMARK: remark: 'A' is not laid out in planes because of strides that split rows into many parts
// CHECK-LABEL: func.func @parts
// CHECK-NOT: #lci.layout
func.func @parts(%a: memref<10xi8> {lci.extents = array<i64: 10>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one target(%a : memref<10xi8>) box [0] [2] step [5] class_stride 5 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
      %true = arith.constant true
      %x = arith.constant 1 : i8
      lci.install %x if %true : i8
    }
  }
  return
}

// What counts is no array of tokens.
// REMARK: remark: 'K' is not laid out in planes because of a tick that takes it otherwise than as an input or its target
// CHECK-LABEL: func.func @counted
// CHECK-NOT: #lci.layout
func.func @counted(%a: memref<8xi16> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state"},
    %k: memref<2xi64> {lci.extents = array<i64: 2>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "K", lci.role = "state", lci.vocabulary = 2 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one target(%a : memref<8xi16>) counts(%k : memref<2xi64>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
      %true = arith.constant true
      %x = arith.constant 1 : i16
      lci.install %x if %true tally %true, %true to [0, 1] : i16
    }
  }
  return
}

// A word of random bits belongs to one cell, a threshold's to 32 of them.
// REMARK: remark: 'A' is not laid out in planes because of 'lci.randint', a word of random bits for each cell
// CHECK-LABEL: func.func @drawn
// CHECK-NOT: #lci.layout
func.func @drawn(%a: memref<8xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one target(%a : memref<8xi8>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
      %two = arith.constant 2 : i64
      %true = arith.constant true
      %x = lci.randint %two stream <0, 0>
      %t = arith.trunci %x : i64 to i8
      lci.install %t if %true : i8
    }
  }
  return
}

// What is divided by a constant is; what another cell says is not.
// CHECK-LABEL: func.func @divided
// CHECK-SAME: #lci.layout<split 1 planes 3
// REMARK: remark: 'A' is not laid out in planes because of 'arith.remui' of numbers below zero, or by what is no constant above it
// CHECK-LABEL: func.func @divided_by_cells
// CHECK-NOT: #lci.layout
func.func @divided(%a: memref<8xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 5 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<8xi8>) target(%a : memref<8xi8>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8>):
      %next = arith.constant 1 : i8
      %five = arith.constant 5 : i8
      %seven = arith.constant 7 : i8
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<8xi8> -> i8
      %few = arith.andi %x, %seven : i8
      %more = arith.addi %few, %next : i8
      %t = arith.remui %more, %five : i8
      lci.install %t if %true : i8
    }
  }
  return
}
func.func @divided_by_cells(%a: memref<8xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 5 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<8xi8>) target(%a : memref<8xi8>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8>):
      %next = arith.constant 1 : i8
      %seven = arith.constant 7 : i8
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<8xi8> -> i8
      %few = arith.andi %x, %seven : i8
      %more = arith.addi %few, %next : i8
      %t = arith.remui %few, %more : i8
      lci.install %t if %true : i8
    }
  }
  return
}

// The words of a halo are copied one by one.
// REMARK: remark: 'A' is not laid out in planes because of a halo of more words than are copied one by one
// CHECK-LABEL: func.func @far
// CHECK-NOT: #lci.layout
func.func @far(%a: memref<4105xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 4097>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  %cells = memref.subview %a[0] [8] [1] : memref<4105xi8> to memref<8xi8, strided<[1]>>
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<4105xi8>) target(%cells : memref<8xi8, strided<[1]>>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<4105xi8>):
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<4105xi8> -> i8
      lci.install %x if %true : i8
    }
  }
  return
}
