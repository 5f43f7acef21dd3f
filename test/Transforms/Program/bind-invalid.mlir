// RUN: lmpm-opt %s --lci-bind=sizes=W=60,Zero=0,Neg=-4,K=4611686018427387904 --split-input-file --verify-diagnostics
// Everything that binding refuses, with the numbers that do not fit.

// expected-error @+2 {{these sizes have no number: H, BPE}}
// expected-note @+1 {{give all of them to the pass, as in --lci-bind='sizes=H=8'}}
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

// -----

// Each formula uses the one before it at two cells: written out, they are 2^24 sums.
lci.program @doubling sizes [] {
  lci.value @A i32 shape affine_map<() -> (4)> boundary [#lci.boundary<wrap>] {
  }
  lci.def @g0 {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : i64
    lci.yield %v : i64
  }
  lci.def @g1 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g0(%i) : i64
    %b, %q = lci.apply @g0(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g2 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g1(%i) : i64
    %b, %q = lci.apply @g1(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g3 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g2(%i) : i64
    %b, %q = lci.apply @g2(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g4 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g3(%i) : i64
    %b, %q = lci.apply @g3(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g5 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g4(%i) : i64
    %b, %q = lci.apply @g4(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g6 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g5(%i) : i64
    %b, %q = lci.apply @g5(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g7 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g6(%i) : i64
    %b, %q = lci.apply @g6(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g8 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g7(%i) : i64
    %b, %q = lci.apply @g7(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g9 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g8(%i) : i64
    %b, %q = lci.apply @g8(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g10 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g9(%i) : i64
    %b, %q = lci.apply @g9(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g11 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g10(%i) : i64
    %b, %q = lci.apply @g10(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g12 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g11(%i) : i64
    %b, %q = lci.apply @g11(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g13 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g12(%i) : i64
    %b, %q = lci.apply @g12(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g14 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g13(%i) : i64
    %b, %q = lci.apply @g13(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g15 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g14(%i) : i64
    %b, %q = lci.apply @g14(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g16 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g15(%i) : i64
    %b, %q = lci.apply @g15(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g17 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g16(%i) : i64
    %b, %q = lci.apply @g16(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g18 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g17(%i) : i64
    %b, %q = lci.apply @g17(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g19 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g18(%i) : i64
    %b, %q = lci.apply @g18(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g20 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g19(%i) : i64
    %b, %q = lci.apply @g19(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g21 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g20(%i) : i64
    %b, %q = lci.apply @g20(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g22 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g21(%i) : i64
    %b, %q = lci.apply @g21(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g23 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g22(%i) : i64
    %b, %q = lci.apply @g22(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.def @g24 {
  ^bb0(%i: index):
    %one = arith.constant 1 : index
    %j = arith.addi %i, %one : index
    %a, %p = lci.apply @g23(%i) : i64
    %b, %q = lci.apply @g23(%j) : i64
    %s = arith.addi %a, %b : i64
    lci.yield %s : i64
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{written out where their names stand, formulas have more than 100000 operations}}
    %v, %p = lci.apply @g24(%i) : i64
    lci.emit %v : i64
  }
  lci.commit @A using accept {
  }
}

// -----

lci.program @early sizes [] {
  lci.def @first {
    %zero = arith.constant 0 : index
    // expected-error @+1 {{value 'A' reads 'A', but is computed before there is a state}}
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%zero) : i64
    lci.yield %v : i64
  }
  lci.value @A i32 shape affine_map<() -> (4)> boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %v, %p = lci.apply @first() : i64
    lci.yield %v : i64
  }
}

// -----

// A size is a number that an index may be multiplied with, but not any.
lci.program @steps sizes ["K"] {
  lci.value @A i32 shape affine_map<()[k] -> (4)> boundary [#lci.boundary<wrap>] {
  }
  // expected-error @+1 {{the index 4611686018427387904*d0 leaves 64 bits}}
  lci.visible @A sees @A[affine_map<(i)[k] -> (i * k)>] where [affine_set<(i)[k] : (0 == 0)>]
}
