// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-assign-layouts,lci-split-colours))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-assign-layouts{remarks}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: lmpm-opt %s --split-input-file --lci-to-llvm-pipeline | FileCheck %s --check-prefix=LLVM
// `lci.arrangement` overrides what the passes would choose.

// Tokens that would be planes stay as they stand, and so do their colours.
// REMARK: remark: 'A' is not laid out in planes because of another arrangement that is asked for
// LLVM: llvm.func @rows
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%{{[a-z0-9]*}}: memref<8xi8> {{{[^}]*}}}, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64) {
func.func @rows(%a: memref<8xi8> {lci.arrangement = #lci.arrangement<rows>, lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 3 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<8xi8>) target(%a : memref<8xi8>) box [0] [4] step [2] class_stride 2 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8>):
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<8xi8> -> i8
      lci.install %x if %true : i8
    }
  }
  return
}

// -----

// Tokens that would be planes have the colours of their rows split.
// CHECK-LABEL: func.func @colours
// CHECK-SAME: memref<4xi8> {{{.*}}"scratch"{{.*}}, %{{[a-z0-9]*}}: memref<4xi8>
// CHECK-NOT: #lci.layout
func.func @colours(%a: memref<8xi8> {lci.arrangement = #lci.arrangement<colours>, lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 3 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<8xi8>) target(%a : memref<8xi8>) box [0] [4] step [2] class_stride 2 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8>):
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<8xi8> -> i8
      lci.install %x if %true : i8
    }
  }
  return
}

// -----

// Arrays that would be planes anyway may request them.
// CHECK-LABEL: func.func @planes
// CHECK-SAME: #lci.layout<split 2 planes 2 cells[8] low[0] high[0]>
func.func @planes(%a: memref<8xi8> {lci.arrangement = #lci.arrangement<planes>, lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 3 : i64},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<8xi8>) target(%a : memref<8xi8>) box [0] [4] step [2] class_stride 2 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8>):
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<8xi8> -> i8
      lci.install %x if %true : i8
    }
  }
  return
}

// -----

// Numbers whose colours would be split stay in order.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME: (%{{[a-z0-9]*}}: memref<8xf32> {{{[^}]*}}}, %{{[a-z0-9]*}}: i64, %{{[a-z0-9]*}}: i64) {
func.func @numbers(%a: memref<8xf32> {lci.arrangement = #lci.arrangement<rows>, lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state"},
    %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one inputs(%a : memref<8xf32>) target(%a : memref<8xf32>) box [0] [4] step [2] class_stride 2 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xf32>):
      %true = arith.constant true
      %x = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<8xf32> -> f32
      lci.install %x if %true : f32
    }
  }
  return
}
