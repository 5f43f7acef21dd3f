// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Every way in which what a body computes can be wrong.

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

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a body over the free indices and the rank}}
    %s, %some = lci.reduce sum [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : i64 {
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.yield %s : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a body that ends in 'lci.yield'}}
    %s, %some = lci.reduce sum [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : i64 {
    ^bb0(%d: index, %r: index):
      "test.end"() : () -> ()
    }
    lci.yield %s : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a body over ('index', 'index'), but got ('i64', 'index')}}
    %s, %some = lci.reduce sum [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : i64 {
    ^bb0(%d: i64, %r: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.yield %s : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected sets of 2 dimensions, but got 1}}
    %s, %some = lci.reduce sum [affine_set<(d0) : (d0 >= 0)>](%i) : i64 {
    ^bb0(%d: index, %r: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.yield %s : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a body of truth values for count, but got 'i64'}}
    %s, %some = lci.reduce count [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : i64 {
    ^bb0(%d: index, %r: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.yield %s : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a body of numbers for sum, but got 'i1'}}
    %s, %some = lci.reduce sum [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : i1 {
    ^bb0(%d: index, %r: index):
      %yes = arith.constant true
      lci.yield %yes : i1
    }
    lci.yield %s : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a result of type 'f32', but got 'i64'}}
    %s, %some = lci.reduce mean [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : i64 {
    ^bb0(%d: index, %r: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.yield %s : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected results of one length, but got 'tensor<4xi64>' and 'tensor<3xi1>'}}
    %s, %some = lci.collect [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : tensor<4xi64>, tensor<3xi1> {
    ^bb0(%d: index, %r: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.yield %s : tensor<4xi64>
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected members of type 'i64', but got 'f32'}}
    %s, %some = lci.collect [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) : tensor<4xf32>, tensor<4xi1> {
    ^bb0(%d: index, %r: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.yield %s : tensor<4xf32>
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a model, but @M is not declared}}
    %a = lci.evaluate @M() : () -> i64
    lci.yield %a : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.model @M
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected an answer, a token, a token and a number, or logits, but got ('i64', 'i64')}}
    %a, %b = lci.evaluate @M() : () -> (i64, i64)
    lci.yield %a : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a formula, but @g is not declared}}
    %v, %p = lci.apply @g() : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @g {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    lci.yield %one : i64
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected 1 indices, but got 0}}
    %v, %p = lci.apply @g() : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @g {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    lci.yield %one : i64
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a result of type 'i64', but got 'f32'}}
    %v, %p = lci.apply @g(%i) : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.def @g {
    "test.end"() : () -> ()
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a formula that ends in 'lci.yield'}}
    %v, %p = lci.apply @g() : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a size of the program, but there is no 'N'}}
    %v = lci.size "N"
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected a parameter, but @L is not declared}}
    %v = lci.param_value @L : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.param @L f32 shape affine_map<() -> (2, 2)> {
  }
  lci.def @f {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected 2 indices, but got 1}}
    %v = lci.param_value @L[%one] : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.param @L f32 shape affine_map<() -> (2, 2)> {
  }
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected the array of @L, but got 'f32'}}
    %v = lci.param_value @L : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.param @L f32 shape affine_map<() -> (2, 2)> {
  }
  lci.def @f {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected an element of @L, but got 'i64'}}
    %v = lci.param_value @L[%one, %one] : i64
    lci.yield %v : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected a palette, but @blue is not declared}}
    %v = lci.in_palette %one, @blue
    lci.yield %v : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.constraint @C forbid on @A priority 1 {
  ^bb0(%i: index, %candidate: i64):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected the candidate of the constraint}}
    %c = lci.changes %one : i64
    lci.yield %c : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{attribute 'exponent' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative whose maximum value is 64}}
    %v = lci.power %one, 65 : i64
    lci.yield %v : i64
  }
}
