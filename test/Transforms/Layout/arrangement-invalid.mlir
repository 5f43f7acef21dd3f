// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(lci-assign-layouts,lci-split-colours))'
// An arrangement that is requested and impossible is an error.

// expected-error @+1 {{'A' is to be laid out in planes, but got cells that are no tokens, or too many of them for four bits}}
func.func @numbers(%a: memref<8xf32> {lci.arrangement = #lci.arrangement<planes>, lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state"},
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

// -----

// expected-error @+1 {{'A' is to be laid out in planes, but got no loop that would be worth two copies}}
func.func @once(%a: memref<8xi8> {lci.arrangement = #lci.arrangement<planes>, lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64}, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1 : i8
    lci.install %x if %true : i8
  }
  return
}

// -----

// expected-error @+1 {{'A' is to have its rows' colours side by side, which takes ticks alone that touch it, all in equal steps along the last axis, without draws, sets or halos, one of them in a loop}}
func.func @whole(%a: memref<8xf32> {lci.arrangement = #lci.arrangement<colours>, lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>, lci.halo_high = array<i64: 0>, lci.name = "A", lci.role = "state"}, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1.0 : f32
    lci.install %x if %true : f32
  }
  return
}
