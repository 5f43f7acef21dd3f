// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Every way in which a rule's end or a read can be wrong.

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected either 'any' or a proposal}}
    lci.emit any %one : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected either 'any' or a proposal}}
    lci.emit
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{has a range, which stands with 'any' only}}
    "lci.emit"(%one) <{operandSegmentSizes = array<i32: 1, 0, 0>, range = affine_map<() -> (0, 1)>}> ({}) : (i64) -> ()
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{expected a range of two results over the sizes}}
    lci.emit any in affine_map<() -> (0)>
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{expected a range with 0 symbols, one for each unbound size of the program, but got 1}}
    lci.emit any in affine_map<()[s0] -> (0, s0)>
  }
}

// -----

lci.program @p sizes [] {
  lci.value @F f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @F {
  ^bb0(%i: index):
    // expected-error @below {{proposes any token of @F, which holds f32}}
    lci.emit any
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %f = arith.constant 1.0 : f32
    // expected-error @below {{expected a proposal of type 'i64', but got 'f32'}}
    lci.emit %f : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{expected a body over ('i64'), but got ()}}
    lci.emit any score {
    %f = arith.constant 1.0 : f32
    lci.yield %f : f32
    }
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{expected a score that yields f32 or an answer}}
    lci.emit any score {
    ^bb0(%c: i64):
    lci.yield %c : i64
    }
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a value, but @B is not declared}}
    %v, %p = lci.read @B[affine_map<(d0) -> (d0)>](%i) : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @S event {
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{reads @S, which is a set}}
    %v, %p = lci.read @S[affine_map<(d0) -> (d0)>](%i) : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a map to 1 axes, but got 2}}
    %v, %p = lci.read @A[affine_map<(d0) -> (d0, d0)>](%i) : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected 1 indices, but got 2}}
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i, %i) : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a result of type 'i64', but got 'f32'}}
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a map with 0 symbols, one for each unbound size of the program, but got 1}}
    %v, %p = lci.read @A[affine_map<(d0)[s0] -> (d0)>](%i) : i64
    lci.yield %v : i64
  }
}

// -----

func.func @matvec_mixed(%m: tensor<2x4xf32>, %v: vector<4xf32>) -> tensor<2xf32> {
  // expected-error @below {{expected a result like the vector, but got 'tensor<2xf32>' of 'vector<4xf32>'}}
  %w = lci.matvec %m, %v : (tensor<2x4xf32>, vector<4xf32>) -> tensor<2xf32>
  return %w : tensor<2xf32>
}

// -----

lci.program @spread sizes [] {
  lci.observe @o {
    %x = arith.constant 1.0 : f32
    // expected-error @below {{expected a length of one result and no dimension, but got affine_map<(d0) -> (d0)>}}
    %v = "lci.spread"(%x) <{length = affine_map<(d0) -> (d0)>}> : (f32) -> tensor<?xf32>
    lci.yield %x : f32
  }
}

// -----

func.func @words(%a: i64) -> i64 {
  // expected-error @below {{expected four words of each counter, but got 3}}
  %w:3 = lci.philox %a, %a, %a key %a, %a : i64
  return %w#0 : i64
}

// -----

func.func @blocks(%a: i64) -> i64 {
  // expected-error @below {{expected 4 results, but got 1}}
  %w = "lci.philox"(%a, %a, %a, %a, %a, %a) : (i64, i64, i64, i64, i64, i64) -> i64
  return %w : i64
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    // expected-error @below {{expected a rule, a constraint, a formula or an observer around it, but got 'lci.value'}}
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] = [] {
  lci.def @half {
    %h = arith.constant 0.5 : f32
    lci.yield %h : f32
  }
  lci.observe @o {
    // expected-error @below {{expected a formula that is written out, as in all bound programs}}
    %v, %p = lci.apply @half() : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes ["N"] {
  lci.value @A f32 shape affine_map<()[s0] -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected positive divisors in a map, but got d0 mod 0}}
    %v, %p = lci.read @A[affine_map<(d0)[s0] -> (d0 mod 0 + d0 mod s0)>](%i) : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.param @k f32 {
    %x = arith.constant 0.5 : f32
    // expected-error @below {{expected positive divisors in a length, but got 4 floordiv 0}}
    %v = lci.spread %x to affine_map<() -> (4 floordiv 0)> : tensor<?xf32>
    lci.yield %x : f32
  }
}

// -----

// The numbers of a stream are words of Philox.
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    %n = arith.constant 2 : i64
    // expected-error @below {{attribute 'stream' failed to satisfy constraint: identity of a draw: the declaration it stands in and its ordinal there with two numbers from 0 to 4294967295}}
    %v = lci.randint %n stream <4294967296, 0>
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    // expected-error @below {{attribute 'stream' failed to satisfy constraint}}
    %v = lci.uniform stream <0, -1>
    lci.yield %v : f32
  }
}

// -----

// Of indices of up to 2^31, 64 bits hold what is computed.
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<wrap>] {
  }
  lci.observe @o {
    %zero = arith.constant 0 : index
    // expected-error @below {{'lci.read' op expected indices that 64 bits hold in a map, but got d0 * 4611686018427387904}}
    %v, %p = lci.read @A[affine_map<(i) -> (i * 4611686018427387904)>](%zero) : i64
    lci.yield %v : i64
  }
}
