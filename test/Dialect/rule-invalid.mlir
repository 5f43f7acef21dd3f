// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// Every way in which visibility, rules, constraints, schedules, commits and observers can be wrong.

lci.program @p sizes [] {
  // expected-error @below {{expected a value, but @B is not declared}}
  lci.visible @B sees @B[affine_map<(d0) -> (d0)>] where []
}

// -----

lci.program @p sizes [] {
  lci.param @B f32 {
  }
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a value, but @B is something else}}
  lci.visible @A sees @B[affine_map<(d0) -> (d0)>] where []
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4, 4)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  // expected-error @below {{expected a map over the 2 indices of a cell, but got 1}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0, d0)>] where []
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a map to 1 axes, but got 2}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0, d0)>] where []
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a map with 0 symbols, one for each unbound size of the program, but got 1}}
  lci.visible @A sees @A[affine_map<(d0)[s0] -> (d0)>] where []
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected sets of 1 dimensions, but got 2}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0)>] where [affine_set<(d0, d1) : (d0 >= 0)>]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a set with 0 symbols, one for each unbound size of the program, but got 1}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0)>] where [affine_set<(d0)[s0] : (d0 >= 0)>]
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a value, but @A is not declared}}
  lci.rule @R on @A {
    lci.emit any
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected sets of 1 dimensions, but got 2}}
  lci.rule @R on @A where [affine_set<(d0, d1) : (d0 >= 0)>] {
  ^bb0(%i: index):
    lci.emit any
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a body over ('index'), but got ()}}
  lci.rule @R on @A {
    lci.emit any
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a body that ends in 'lci.emit'}}
  lci.rule @R on @A {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a value, but @A is not declared}}
  lci.constraint @C require on @A priority 1 {
  ^bb0(%candidate: i64):
    %yes = arith.constant true
    lci.yield %yes : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected sets of 1 dimensions, but got 0}}
  lci.constraint @C require on @A where [affine_set<() : (0 == 0)>] priority 1 {
  ^bb0(%i: index, %candidate: i64):
    %yes = arith.constant true
    lci.yield %yes : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a region and the axis it starts at together}}
  lci.constraint @C require on @A priority 1 attributes {axis = 0 : i64} {
  ^bb0(%i: index, %candidate: i64):
    %yes = arith.constant true
    lci.yield %yes : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a region, but 'sky' is not declared}}
  lci.constraint @C require on @A region "sky" axis 0 priority 1 {
  ^bb0(%i: index, %candidate: i64):
    %yes = arith.constant true
    lci.yield %yes : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.region "sky"
  // expected-error @below {{expected an axis from 0 to 0, but got 1}}
  lci.constraint @C require on @A region "sky" axis 1 priority 1 {
  ^bb0(%i: index, %candidate: i64):
    %yes = arith.constant true
    lci.yield %yes : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a body over ('index', 'i64'), but got ('index', 'f32')}}
  lci.constraint @C require on @A priority 1 {
  ^bb0(%i: index, %candidate: f32):
    %yes = arith.constant true
    lci.yield %yes : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a body that yields 'i1', but got 'i64'}}
  lci.constraint @C require on @A priority 1 {
  ^bb0(%i: index, %candidate: i64):
    lci.yield %candidate : i64
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a value, but @A is not declared}}
  lci.schedule @A using all
}

// -----

lci.program @p sizes [] {
  lci.value @A event {
  }
  // expected-error @below {{schedules A, which is a set}}
  lci.schedule @A using all
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected axes from 0 to 0, or from -1 to -1 for reversed ones, but got 1}}
  lci.schedule @A using red_black axes [1]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4, 4)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  // expected-error @below {{expected axes from 0 to 1, or from -2 to -1 for reversed ones, but got -3}}
  lci.schedule @A using raster axes [-3]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4, 4)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  // expected-error @below {{expected each axis once, but got 0 twice}}
  lci.schedule @A using raster axes [0, -1]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{has 'reverse', but 'red_black' takes axes, tile, phase and legalize}}
  lci.schedule @A using red_black axes [-1]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected at least one axis}}
  lci.schedule @A using red_black axes []
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected each axis once, but got 0 twice}}
  lci.schedule @A using raster axes [0, 0]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{has 'fraction', but 'red_black' takes axes, tile, phase and legalize}}
  lci.schedule @A using red_black fraction 0.5
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a fraction from 0 to 1 for 'random', but got none}}
  lci.schedule @A using random
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a fraction from 0 to 1 for 'confidence', but got 2.000000e+00 : f32}}
  lci.schedule @A using confidence fraction 2.0
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected 'snapshot', 'recolor' or 'strict', but got 'maybe'}}
  lci.schedule @A using red_black legalize "maybe"
}

// -----

lci.program @p sizes ["N"] {
  lci.value @A f32 shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a phase from 0 to 65535, but got -1}}
  lci.schedule @A using red_black phase -1
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a value, but @A is not declared}}
  lci.commit @A using accept {
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-note @below {{the first one is here}}
  lci.commit @A using accept {
  }
  // expected-error @below {{commits @A, which has a commit already}}
  lci.commit @A using accept {
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a temperature for metropolis}}
  lci.commit @A using metropolis {
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{has a temperature, but uses accept}}
  lci.commit @A using accept {
    %t = arith.constant 1.0 : f32
    lci.yield %t : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{has weighted constraints, but 'quorum' looks at no score}}
  lci.commit @A using quorum of 2 weighted {
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a quorum with the policy 'quorum' and only there}}
  lci.commit @A using quorum {
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a body over (), but got ('index')}}
  lci.commit @A using metropolis {
  ^bb0(%i: index):
    %t = arith.constant 1.0 : f32
    lci.yield %t : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a body that yields 'f32', but got 'i64'}}
  lci.commit @A using metropolis {
    %t = arith.constant 1 : i64
    lci.yield %t : i64
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body over (), but got ('index')}}
  lci.observe @O {
  ^bb0(%i: index):
    %t = arith.constant 1.0 : f32
    lci.yield %t : f32
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{expected a body that yields i1, i64 or f32, but got 'tensor<2xf32>'}}
  lci.observe @O {
    %t = arith.constant dense<1.0> : tensor<2xf32>
    lci.yield %t : tensor<2xf32>
  }
}

// -----

// expected-error @below {{expects parent op 'lci.program'}}
lci.palette "blue"

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-note @below {{the first one is here}}
  lci.schedule @A using red_black
  // expected-error @below {{schedules @A, which has a schedule already}}
  lci.schedule @A using all
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected positive extents of the tile, but got 0}}
  lci.schedule @A using red_black tile [0]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a tile of 1 extents, but got 2}}
  lci.schedule @A using red_black tile [2, 2]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a quorum of at least 1, but got 0}}
  lci.commit @A using quorum of 0 {
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected positive divisors in a set, but got d0 mod 0}}
  lci.rule @R on @A where [affine_set<(d0) : (d0 mod 0 == 0)>] {
  ^bb0(%i: index):
    %x = arith.constant 0.0 : f32
    lci.emit %x : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected positive divisors in a set, but got d0 ceildiv -2}}
  lci.constraint @C require on @A where [affine_set<(d0) : (d0 ceildiv -2 >= 0)>] priority 1 {
  ^bb0(%i: index, %x: f32):
    %yes = arith.constant true
    lci.yield %yes : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected positive divisors in a map, but got d0 floordiv 0}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0 floordiv 0)>] where [affine_set<(d0) : (d0 >= 0)>]
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected positive divisors in a set, but got d0 mod -3}}
  lci.visible @A sees @A[affine_map<(d0) -> (d0)>] where [affine_set<(d0) : (d0 mod -3 >= 0)>]
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{expected positive divisors in a range, but got 3 mod 0}}
    lci.emit any in affine_map<() -> (0, 3 mod 0)>
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{expected a value of at least two axes for 'four_color', but got 1}}
  lci.schedule @A using four_color
}
