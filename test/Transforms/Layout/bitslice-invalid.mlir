// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-bitslice))' --split-input-file --verify-diagnostics
// A tick that is requested on planes and cannot be computed there is an error with the reason.

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

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @number(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of a draw whose number is not the same in all cells}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %half = arith.constant 0.5 : f32
    %n = arith.index_cast %i : index to i64
    %u = lci.bernoulli %half number %n stream <1, 0>
    %x = arith.extui %u : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @chance(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of a draw whose chance is no table's}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %n = arith.index_cast %i : index to i64
    %u = lci.draw_below %n stream <1, 0>
    %x = arith.extui %u : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @wrapped(%b: memref<64xi8, #layout>, %e: i64, %a: memref<64xi8>) {
  // expected-error @below {{cannot be computed on planes because of a read that is no window}}
  lci.tick @B at %e, %e, %e inputs(%a : memref<64xi8>) target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8>):
    %true = arith.constant true
    %x = lci.load %in[affine_map<(d0) -> (d0 + 1)>](%i) [#lci.boundary<wrap>] : memref<64xi8> -> i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @together(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of draws whose cells do not lie together}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8, #layout>) class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %half = arith.constant 0.5 : f32
    %u = lci.bernoulli %half stream <1, 0>
    %x = arith.extui %u : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [1048576] low [0] high [0]>

func.func @index(%b: memref<1048576xi8, #layout>, %e: i64, %a: memref<4xi64>) {
  // expected-error @below {{cannot be computed on planes because of a table's index of 20 bits}}
  lci.tick @B at %e, %e, %e inputs(%a : memref<4xi64>) target(%b : memref<1048576xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<4xi64>):
    %true = arith.constant true
    %limit = memref.load %in[%i] : memref<4xi64>
    %u = lci.draw_below %limit stream <1, 0>
    %x = arith.extui %u : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [8, 64] low [0, 0] high [0, 0]>

func.func @row(%b: memref<8x64xi8, #layout>, %e: i64, %a: memref<8xi8>) {
  // expected-error @below {{cannot be computed on planes because of a read that does not follow the last axis}}
  lci.tick @B at %e, %e, %e inputs(%a : memref<8xi8>) target(%b : memref<8x64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8>):
    %true = arith.constant true
    %x = lci.load %in[affine_map<(d0, d1) -> (d0)>](%i, %j) [#lci.boundary<open>] : memref<8xi8> -> i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [4194304, 1048576] low [0, 0] high [0, 0]>

func.func @huge(%b: memref<4194304x1048576xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of draws in a box of more words than 32 bits count}}
  lci.tick @B at %e, %e, %e target(%b : memref<4194304x1048576xi8, #layout>) box [0, 0] [4194304, 1048576] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %half = arith.constant 0.5 : f32
    %u = lci.bernoulli %half stream <1, 0>
    %x = arith.extui %u : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [8, 64] low [0, 0] high [0, 0]>

func.func @ends(%b: memref<8x64xi8, #layout>, %e: i64, %n: index) {
  // expected-error @below {{cannot be computed on planes because of draws in a box of unknown size}}
  lci.tick @B at %e, %e, %e target(%b : memref<8x64xi8, #layout>) box [0, 0] [%n, 64] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %half = arith.constant 0.5 : f32
    %u = lci.bernoulli %half stream <1, 0>
    %x = arith.extui %u : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>
#here = affine_map<(i) -> (i)>

func.func @many(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of an agreement on more than 16 tokens}}
  lci.tick @B at %e, %e, %e inputs(%b : memref<64xi8, #layout>) target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>):
    %true = arith.constant true
    %zero = arith.constant 0 : i64
    %upper = arith.constant 17 : i64
    %x = lci.load %in[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %w, %found = lci.agree %zero to %upper {
    ^bb0(%k: i64):
      %token = arith.trunci %k : i64 to i8
      %same = arith.cmpi eq, %x, %token : i8
      %score = arith.uitofp %same : i1 to f32
      lci.candidate %true levels() score %score proposed %true
    }
    %new = arith.trunci %w : i64 to i8
    lci.install %new if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>
#here = affine_map<(i) -> (i)>

func.func @scores(%b: memref<64xi8, #layout>, %e: i64, %factor: f32) {
  // expected-error @below {{because of scores that are not known to be whole numbers of few bits, or a constant times those}}
  lci.tick @B at %e, %e, %e inputs(%b, %factor : memref<64xi8, #layout>, f32) target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>, %f: f32):
    %true = arith.constant true
    %zero = arith.constant 0 : i64
    %upper = arith.constant 2 : i64
    %x = lci.load %in[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %w, %found = lci.agree %zero to %upper {
    ^bb0(%k: i64):
      %token = arith.trunci %k : i64 to i8
      %same = arith.cmpi eq, %x, %token : i8
      lci.candidate %same levels() score %f proposed %true
    }
    %new = arith.trunci %w : i64 to i8
    lci.install %new if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>
#here = affine_map<(i) -> (i)>

func.func @ranks(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{because of a rank of 64 bits}}
  lci.tick @B at %e, %e, %e inputs(%b : memref<64xi8, #layout>) target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>):
    %true = arith.constant true
    %zero = arith.constant 0 : i64
    %upper = arith.constant 2 : i64
    %x = lci.load %in[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %w, %found = lci.agree %zero to %upper {
    ^bb0(%k: i64):
      %token = arith.trunci %k : i64 to i8
      %same = arith.cmpi eq, %x, %token : i8
      %score = arith.uitofp %same : i1 to f32
      lci.candidate %true levels(%epoch) score %score proposed %true
    }
    %new = arith.trunci %w : i64 to i8
    lci.install %new if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @draws(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{because of a draw for each candidate}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8, #layout>) box [0] [64] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %zero = arith.constant 0 : i64
    %upper = arith.constant 2 : i64
    %half = arith.constant 0.5 : f32
    %w, %found = lci.agree %zero to %upper {
    ^bb0(%k: i64):
      %up = lci.bernoulli %half number %k stream <1, 0>
      %score = arith.uitofp %up : i1 to f32
      lci.candidate %true levels() score %score proposed %true
    }
    %new = arith.trunci %w : i64 to i8
    lci.install %new if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>
#here = affine_map<(i) -> (i)>

func.func @fraction(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{because of 'arith.fptosi' of a fraction}}
  lci.tick @B at %e, %e, %e inputs(%b : memref<64xi8, #layout>) target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>):
    %true = arith.constant true
    %half = arith.constant 0.5 : f32
    %x = lci.load %in[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %x1 = arith.trunci %x : i8 to i1
    %number = arith.uitofp %x1 : i1 to f32
    %part = arith.mulf %number, %half : f32
    %new = arith.fptosi %part : f32 to i8
    lci.install %new if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 4 cells [64] low [0] high [0]>
#here = affine_map<(i) -> (i)>

func.func @large(%b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{because of an agreement of about 8480 operations}}
  lci.tick @B at %e, %e, %e inputs(%b : memref<64xi8, #layout>) target(%b : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>):
    %true = arith.constant true
    %zero = arith.constant 0 : i64
    %upper = arith.constant 16 : i64
    %x = lci.load %in[#here] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    %wide = arith.extui %x : i8 to i64
    %w, %found = lci.agree %zero to %upper {
    ^bb0(%k: i64):
      %p = arith.muli %wide, %wide : i64
      %q = arith.muli %wide, %wide : i64
      %less = arith.cmpi ult, %p, %q : i64
      %score = arith.uitofp %less : i1 to f32
      lci.candidate %less levels() score %score proposed %true
    }
    %new = arith.trunci %w : i64 to i8
    lci.install %new if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @two_targets(%a: memref<64xi8, #layout>, %b: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of several targets, or elements that are no cells}}
  lci.tick @A at %e, %e, %e target(%a, %b : memref<64xi8, #layout>, memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1 : i8
    lci.install %x, %x if %true : i8, i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @bytes_of_planes(%p: memref<64xi8, #layout>, %b: memref<64xi8>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of a target without planes beside inputs on planes}}
  lci.tick @B at %e, %e, %e inputs(%p : memref<64xi8, #layout>) target(%b : memref<64xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>):
    %true = arith.constant true
    %x = lci.load %in[affine_map<(i) -> (i)>] (%i) [#lci.boundary<open>] : memref<64xi8, #layout> -> i8
    lci.install %x if %true : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

func.func @boxed_planes(%b: memref<64xi8>, %p: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{cannot be computed on planes because of several targets, or elements that are no cells}}
  lci.tick @B at %e, %e, %e target(%b : memref<64xi8>) boxed(%p : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1 : i8
    lci.install %x boxed(%x : i8) if %true : i8
  }
  return
}
