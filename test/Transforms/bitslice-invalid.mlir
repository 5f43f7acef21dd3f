// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-bitslice))' --split-input-file --verify-diagnostics
// What cannot be computed on planes, asked for, is an error that says why.

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @gather(%b: memref<64xi8, #layout>, %e: i64, %table: memref<64xi8>) {
  // expected-error @below {{cannot be computed on planes because of 'memref.load'}}
  lci.tick @B at %e, %e, %e inputs(%table : memref<64xi8>) target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8>):
    %true = arith.constant true
    %x = memref.load %in[%i] : memref<64xi8>
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @wide(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of a number of 64 bits in 'arith.muli'}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %epoch : i64
    %z = arith.trunci %y : i64 to i8
    lci.install %z if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @members(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of a set of cells that is no box}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8, #layout>) cells affine_set<(d0)[s0] : (d0 mod 3 == 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1 : i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @unknown(%b: memref<64xi8, #layout>, %e: i64, %n: index) {
  // expected-error @below {{cannot be computed on planes because of a box with unknown ends on the last axis}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8, #layout>) box [0] [%n] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1 : i8
    lci.install %x if %true : i8
  }
  return
}
