// RUN: lmpm-opt %s --lci-bind=sizes=W=60,Zero=0,Neg=-4 --split-input-file --verify-diagnostics
// Everything that binding refuses, with the numbers that do not fit.

// expected-error @+2 {{these sizes have no number: H, BPE}}
// expected-note @+1 {{give them under "sizes" in the bindings, or as --set H=8}}
lci.program @p sizes ["W", "H", "BPE"] {
}

// -----

// expected-error @+1 {{expected a size of at least 0, but Neg is -4}}
lci.program @p sizes ["Neg"] {
}

// -----

lci.program @p sizes ["W"] {
  // expected-error @+1 {{the shape of value 'Coarse' divides W = 60 by 8, which leaves 4}}
  lci.value @Coarse f32 shape affine_map<()[W] -> (W floordiv 8)> boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes ["W", "Zero"] {
  // expected-error @+1 {{the shape of value 'A' divides by Zero = 0}}
  lci.value @A f32 shape affine_map<()[W, Zero] -> (W floordiv Zero)> boundary [#lci.boundary<open>] {
  }
  // expected-error @+1 {{expected an extent of at least 1 for param 'k', but Zero is 0}}
  lci.param @k f32 shape affine_map<()[W, Zero] -> (Zero)> {
  }
  // expected-error @+1 {{expected a vocabulary of at least 1 for value 'B', but Zero is 0}}
  lci.value @B token vocabulary affine_map<()[W, Zero] -> (Zero)> shape affine_map<()[W, Zero] -> (W)>
    boundary [#lci.boundary<open>] {
  }
}

// -----

lci.program @p sizes ["W", "Zero"] {
  lci.value @A f32 shape affine_map<()[W, Zero] -> (W)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @+1 {{divides by 0 in an index, which must be a positive number}}
    %v, %p = lci.read @A[affine_map<(i)[W, Zero] -> (i floordiv Zero)>](%i) : f32
    lci.emit %v : f32
  }
}

// -----

lci.program @p sizes ["W"] {
  lci.value @A token vocabulary affine_map<()[W] -> (9)> shape affine_map<()[W] -> (W)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @+1 {{expected candidates within 0..8, the vocabulary of 'A', but got 1..60}}
    lci.emit any in affine_map<()[W] -> (1, W)>
  }
}

// -----

lci.program @p sizes [] {
  lci.def @f {
    %v, %p = lci.apply @g() : f32
    lci.yield %v : f32
  }
  lci.def @g {
    // expected-error @+1 {{formula 'f' is defined by itself}}
    %v, %p = lci.apply @f() : f32
    lci.yield %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-error @+2 {{rule 'R' proposes for value 'A', which has no commit}}
  // expected-note @+1 {{add: commit A[*] using accept}}
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(i) -> (i)>](%i) : f32
    lci.emit %v : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  // expected-note @+1 {{here}}
  lci.schedule @A using red_black
  // expected-error @+1 {{value 'A' has a schedule already}}
  lci.schedule @A using all
}

// -----

lci.program @p sizes [] {
  lci.value @Plan event {
  }
  // expected-error @+1 {{a schedule holds in every epoch, but rule 'R' has a condition}}
  lci.rule @R on @Plan {
    %e = lci.epoch
    %tiles = lci.sample_tiles red_black epoch %e
    %odd = arith.trunci %e : i64 to i1
    lci.emit %tiles : !lci.event when %odd
  }
}

// -----

lci.program @p sizes [] {
  lci.value @Plan event {
  }
  lci.rule @R on @Plan {
    %e = lci.epoch
    %tiles = lci.sample_tiles red_black epoch %e
    lci.emit %tiles : !lci.event
  }
  // expected-error @+1 {{expected one rule that schedules, but rule 'S' is another}}
  lci.rule @S on @Plan {
    %e = lci.epoch
    %tiles = lci.sample_tiles all epoch %e
    lci.emit %tiles : !lci.event
  }
}

// -----

lci.program @p sizes [] {
  lci.value @Plan event {
  }
  lci.rule @R on @Plan {
    %e = lci.epoch
    // expected-error @+1 {{expected a strategy without a fraction, but got 'random'}}
    %tiles = lci.sample_tiles random epoch %e
    lci.emit %tiles : !lci.event
  }
}
