// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// Every way in which a program, a value, a parameter, a formula or a model can be wrong.

// expected-error @below {{names the size 'W' twice}}
lci.program @p sizes ["W", "W"] {
}

// -----

// expected-error @below {{expected 2 extents, but got 1}}
lci.program @p sizes ["W", "H"] = [3] {
}

// -----

// expected-error @below {{expected sizes from 0, but H is -1}}
lci.program @p sizes ["W", "H"] = [3, -1] {
}

// -----

lci.program @p sizes ["N"] {
  // expected-error @below {{expected a shape without dimensions, but got 1}}
  lci.value @A f32 shape affine_map<(d0)[s0] -> (s0)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes ["N"] {
  // expected-error @below {{expected a shape with 1 symbols, one for each unbound size of the program, but got 0}}
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes ["N"] = [4] {
  // expected-error @below {{expected a shape with 0 symbols, one for each unbound size of the program, but got 1}}
  lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a shape of at least 1, but got 0}}
  lci.value @A f32 shape affine_map<() -> (0)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{'lci.value' op expected at most 16 axes, but got 17}}
  // expected-note @below {{two axes of 2 and 3 cells can be one of 6}}
  lci.value @A f32 shape affine_map<() -> (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{'lci.param' op expected at most 16 axes, but got 17}}
  // expected-note @below {{two axes of 2 and 3 cells can be one of 6}}
  lci.param @A f32 shape affine_map<() -> (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)> {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a vocabulary for token}}
  lci.value @A token shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{has a vocabulary, but holds f32}}
  lci.value @A f32 vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a vocabulary of one result, but got 2}}
  lci.value @A token vocabulary affine_map<() -> (2, 3)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a vocabulary of at least 1, but got -2}}
  lci.value @A token vocabulary affine_map<() -> (-2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{is a set and has no shape}}
  lci.value @A event shape affine_map<() -> (4)> {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a shape}}
  lci.value @A f32 {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{is a set and starts empty}}
  lci.value @A event {
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected 2 boundaries, but got 1}}
  lci.value @A f32 shape affine_map<() -> (4, 4)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body over ('index'), but got ()}}
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
    %zero = arith.constant 0.0 : f32
    lci.yield %zero : f32
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body that yields 'f32', but got 'i64'}}
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body that always yields a value, but it may be absent}}
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    %no = arith.constant false
    lci.yield %zero present %no : f32
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected i32 or f32, but got token}}
  lci.param @A token {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a shape of at least 1, but got 0}}
  lci.param @A f32 shape affine_map<() -> (0)> {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{is an array, which only bindings can give}}
  lci.param @A f32 shape affine_map<() -> (2)> {
    %zero = arith.constant 0.0 : f32
    lci.yield %zero : f32
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body over (), but got ('index')}}
  lci.param @A f32 {
  ^bb0(%i: index):
    %zero = arith.constant 0.0 : f32
    lci.yield %zero : f32
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body that yields 'i64', but got 'f32'}}
  lci.param @A i32 {
    %zero = arith.constant 0.0 : f32
    lci.yield %zero : f32
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body over ('index'), but got ('i64')}}
  lci.def @f {
  ^bb0(%i: i64):
    lci.yield %i : i64
  }
}

// -----

module {
  lci.program @p sizes [] {
    // expected-error @below {{expected a function of the module, but there is no 'missing'}}
    lci.model "Model" is "missing"
  }
}

// -----

lci.program @p sizes [] {
  lci.region "a"
  // expected-note @below {{the first one is here}}
  lci.palette "a"
  // expected-error @below {{is declared twice: 'a'}}
  lci.palette "a"
}

// -----

lci.program @p sizes [] {
  // expected-note @below {{the first one is here}}
  lci.region "a"
  // expected-error @below {{is declared twice: 'a'}}
  lci.region "a"
}

// -----

lci.program @p sizes [] {
  // expected-note @below {{the first one is here}}
  lci.model "a"
  // expected-error @below {{is declared twice: 'a'}}
  lci.model "a"
}

// -----

lci.program @p sizes [] = [] {
  // expected-error @below {{expected 3 elements, but got 2}}
  lci.param @A i32 shape affine_map<() -> (3)> elements [1, 2] {
  }
}

// -----

lci.program @p sizes [] = [] {
  // expected-error @below {{expected elements of 32 bits, but got 2147483648}}
  lci.param @A i32 shape affine_map<() -> (2)> elements [-2147483648, 2147483648] {
  }
}

// -----

lci.program @p sizes [] = [] {
  // expected-error @below {{has elements, which only i32 have whose extents are numbers}}
  lci.param @A f32 elements [1] {
  }
}

// -----

lci.program @p sizes ["N"] {
  // expected-error @below {{has elements, which only i32 have whose extents are numbers}}
  lci.param @A i32 shape affine_map<()[s0] -> (s0)> elements [1] {
  }
}

// -----

// What divides is a size or a positive number.
lci.program @p sizes ["N"] {
  // expected-error @below {{expected positive divisors in a shape, but got s0 floordiv 0}}
  lci.value @A f32 shape affine_map<()[s0] -> (s0 floordiv 0)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes ["N"] {
  // expected-error @below {{expected positive divisors in a vocabulary, but got s0 mod -3}}
  lci.value @A token vocabulary affine_map<()[s0] -> (s0 mod -3)> shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected less than 2^60 numbers, but got 4294967296 x 4294967296}}
  lci.value @A f32 shape affine_map<() -> (4294967296, 4294967296)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected less than 2^60 numbers, but got 4294967296 vectors of 4294967296}}
  lci.value @A latent vocabulary affine_map<() -> (4294967296)> shape affine_map<() -> (4294967296)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected less than 2^60 numbers, but got 9223372036854775807}}
  lci.value @A token vocabulary affine_map<() -> (9223372036854775807)> shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected less than 2^60 numbers, but got 3037000500 x 3037000500}}
  lci.param @A i32 shape affine_map<() -> (3037000500, 3037000500)> {
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
    %v, %p = lci.apply @g() : f32
    lci.yield %v : f32
  }
  lci.def @g {
    // expected-error @below {{applies @f, which is defined by itself}}
    %v, %p = lci.apply @f() : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
    // expected-error @below {{applies @f, which is defined by itself}}
    %v, %p = lci.apply @f() : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected declarations in a program, but got 'arith.constant', which computes something}}
  %one = arith.constant 1 : i64
  lci.def @f {
    lci.yield %one : i64
  }
}
