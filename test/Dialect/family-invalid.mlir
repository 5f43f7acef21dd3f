// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Every way in which families, models, formulas, sizes and parameters can be used wrong.

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
    // expected-error @below {{expected a model, but 'M' is not declared}}
    %a = lci.evaluate "M"() : () -> i64
    lci.yield %a : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.model "M"
  lci.def @f {
  ^bb0(%i: index):
    // expected-error @below {{expected an answer, a token, a token and a number, or logits, but got ('i64', 'i64')}}
    %a, %b = lci.evaluate "M"() : () -> (i64, i64)
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
    // expected-error @below {{expected a palette, but 'blue' is not declared}}
    %v = lci.in_palette %one, "blue"
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

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{expected sets of 2 dimensions, but got 1}}
    lci.declare_read "near" [affine_set<(d0) : (d0 >= 0)>](%i) {
    ^bb0(%d: index, %rank: index):
      %v, %p = lci.read @A[affine_map<(d0, d1) -> (d0 + d1)>](%i, %d) : i64
      lci.yield %v present %p : i64
    }
    lci.emit any
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.def @f {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected limits of free indices 0 to 0, but got 1}}
    %n, %p = lci.reduce count [affine_set<(d0, d1) : (d1 >= 0, 3 - d1 >= 0)>](%i) limits(%one, %one) of [1] : i64 {
    ^bb0(%d: index, %rank: index):
      %true = arith.constant true
      lci.yield %true : i1
    }
    lci.yield %n : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.visible @A sees @A[affine_map<(d0, d1) -> (d1)>] where [affine_set<(d0) : (d0 >= 0)>] gathering {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    // expected-error @below {{expected two limits for each limited index, but got 1 for 0}}
    lci.gather %i limits(%one) of []
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a map over the 1 indices of a cell and what is computed, but got 1 dimensions}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0)>] where [affine_set<(d0) : (d0 >= 0)>] gathering {
  ^bb0(%i: index):
    lci.gather %i
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a body that ends in 'lci.gather'}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0)>] where [affine_set<(d0) : (d0 >= 0)>] gathering {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    lci.yield %one : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.observe @o {
    // expected-error @below {{expected positive divisors in a set, but got d0 mod 0}}
    %s, %some = lci.reduce sum [affine_set<(d0) : (d0 >= 0, 3 - d0 >= 0, d0 mod 0 == 0)>]() : f32 {
    ^bb0(%k: index, %rank: index):
      %x = arith.constant 0.5 : f32
      lci.yield %x : f32
    }
    lci.yield %s : f32
  }
}
