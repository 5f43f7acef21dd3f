// RUN: lmpm-opt %s --lci-check-presence --split-input-file --verify-diagnostics | FileCheck %s
// Claims of presence are proved from index sets and inputs and disappear, or are refused.

// Inside the rule's condition the neighbours are there; wrapped and clamped borders have no beyond.
// CHECK-LABEL: lci.program @inside
// CHECK-NOT: lci.unwrap
lci.program @inside sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8, 8)> boundary [#lci.boundary<open>, #lci.boundary<wrap>] {
  }
  lci.rule @R on @A where [affine_set<(x, y) : (x - 1 >= 0, 6 - x >= 0)>] {
  ^bb0(%x: index, %y: index):
    %v, %p = lci.read @A[affine_map<(x, y) -> (x + 1, y + 3)>](%x, %y) : f32
    %w, %q = lci.read @A[affine_map<(x, y) -> (x - 1, y)>](%x, %y) : f32
    %s = arith.addf %v, %w : f32
    %both = arith.andi %p, %q : i1
    %n = lci.unwrap %s, %both : f32
    lci.emit %n : f32
  }
}

// -----

// Reductions that always have a result, a largest member that exists, a choice guarded by an index.
// CHECK-LABEL: lci.program @derived
// CHECK-NOT: lci.unwrap
lci.program @derived sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %sum, %p = lci.reduce sum [affine_set<(x, i) : (i >= 0, x - 1 - i >= 0)>](%x) : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(x, i) -> (i)>](%x, %i) : f32
      lci.yield %v present %q : f32
    }
    %s = lci.unwrap %sum, %p : f32
    %max, %r = lci.reduce max [affine_set<(x, d) : (d + 1 >= 0, 1 - d >= 0)>](%x) : f32 {
    ^bb0(%d: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(x, d) -> (x + d)>](%x, %d) : f32
      lci.yield %v present %q : f32
    }
    %m = lci.unwrap %max, %r : f32
    %before, %there = lci.read @A[affine_map<(x) -> (x - 1)>](%x) : f32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1.0 : f32
    %yes = arith.constant true
    %index = arith.index_cast %x : index to i64
    %later = arith.cmpi sgt, %index, %zero : i64
    %chosen = arith.select %later, %before, %one : f32
    %present = arith.select %later, %there, %yes : i1
    %c = lci.unwrap %chosen, %present : f32
    %n = arith.addf %s, %m : f32
    %o = arith.addf %n, %c : f32
    lci.emit %o : f32
  }
}

// -----

// Tokens that nothing initialises are an input's duty, which is recorded; an initial value is enough.
// CHECK-LABEL: lci.program @inputs
// CHECK: lci.value @A
// CHECK-SAME: lci.required = ["rule 'R' reads A[x]",
// CHECK: lci.value @B
// CHECK-NOT: lci.required
// CHECK: lci.rule
lci.program @inputs sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.value @B token vocabulary affine_map<() -> (3)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  ^bb0(%x: index):
    %one = arith.constant 1 : i64
    lci.yield %one : i64
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %a = lci.unwrap %v, %p : i64
    %w, %q = lci.read @B[affine_map<(x) -> (x + 1)>](%x) : i64
    %b = lci.unwrap %w, %q : i64
    %s = arith.addi %a, %b : i64
    lci.emit %s : i64
  }
}

// -----

lci.program @border sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A where [affine_set<(x) : (x - 1 >= 0)>] {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x - 1)>](%x) : f32
    // expected-note @+1 {{the read is here}}
    %w, %q = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : f32
    %s = arith.addf %v, %w : f32
    %both = arith.andi %p, %q : i1
    // expected-error @+2 {{rule 'R' needs A[x+1] at A[7], where nothing is there}}
    // expected-note @+1 {{say what to take instead (… ?? 0), or leave such cells out (on … when …)}}
    %n = lci.unwrap %s, %both : f32
    lci.emit %n : f32
  }
}

// -----

// The first cell has no past, hence no largest member of it.
lci.program @empty sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %max, %p = lci.reduce max [affine_set<(x, i) : (i >= 0, x - 1 - i >= 0)>](%x) : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(x, i) -> (i)>](%x, %i) : f32
      lci.yield %v present %q : f32
    }
    // expected-error @+2 {{rule 'R' needs a value at A[0], where nothing is there}}
    // expected-note @+1 {{say what to take instead}}
    %n = lci.unwrap %max, %p : f32
    lci.emit %n : f32
  }
}

// -----

// A choice that guards the wrong cells.
lci.program @guard sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x - 2)>](%x) : f32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1.0 : f32
    %yes = arith.constant true
    %index = arith.index_cast %x : index to i64
    %later = arith.cmpi ne, %index, %zero : i64
    %chosen = arith.select %later, %v, %one : f32
    %present = arith.select %later, %p, %yes : i1
    // expected-error @+2 {{rule 'R' needs A[x-2] at A[1], where nothing is there}}
    // expected-note @+1 {{say what to take instead}}
    %n = lci.unwrap %chosen, %present : f32
    lci.emit %n : f32
  }
}

// -----

// Of two reads that lack an initial value, the one is named that no input could help.
lci.program @beyond sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A where [affine_set<(x) : (x - 1 >= 0)>] {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x - 1)>](%x) : i64
    // expected-note @+1 {{the read is here}}
    %w, %q = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : i64
    %s = arith.maxsi %v, %w : i64
    %both = arith.andi %p, %q : i1
    // expected-error @+2 {{rule 'R' needs A[x+1] at A[7], where nothing is there}}
    // expected-note @+1 {{say what to take instead}}
    %n = lci.unwrap %s, %both : i64
    lci.emit %n : i64
  }
}
