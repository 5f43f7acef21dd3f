// RUN: lmpm-opt %s --lci-simplify-constraints --split-input-file --verify-diagnostics | FileCheck %s
// A constraint that is decided stays, with a constant for a body; the undecided is refused.

// CHECK-LABEL: lci.program @p
lci.program @p sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @V[affine_map<(t) -> (t - 1)>] where [affine_set<(t) : (0 == 0)>]
  // CHECK: lci.constraint @Topology forbid on @V priority 1000
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: %[[F:.*]] = arith.constant false
  // CHECK-NEXT: lci.yield %[[F]] : i1
  // expected-remark @+1 {{constraint 'Topology' always holds: it is counted, not computed}}
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

// CHECK-LABEL: lci.program @yes
lci.program @yes sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @V[affine_map<(t) -> (t + 1)>] where [affine_set<(t) : (0 == 0)>]
  // CHECK: arith.constant true
  // expected-remark @+1 {{constraint 'Daring' always holds: it is counted, not computed}}
  lci.constraint @Daring require on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

lci.program @unknown sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (100000000)> boundary [#lci.boundary<open>] {
  }
  lci.value @W f32 shape affine_map<() -> (100000000)> boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @W[affine_map<(t) -> (t - 2)>] where [affine_set<(t) : (t mod 2 == 0)>]
  lci.visible @W sees @V[affine_map<(t) -> (t + 3)>] where [affine_set<(t) : (t mod 2 - 1 == 0)>]
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    // expected-error @+1 {{cannot decide whether 'V' reads the future}}
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

// A predicate about indices and the candidate is decided for all of them; what reads is not.
// CHECK-LABEL: lci.program @facts
lci.program @facts sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] {
  }
  // CHECK: lci.constraint @Small require
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: %[[T:.*]] = arith.constant true
  // CHECK-NEXT: lci.yield %[[T]] : i1
  // expected-remark @+1 {{constraint 'Small' always holds: it is counted, not computed}}
  lci.constraint @Small require on @V priority 1 {
  ^bb0(%t: index, %candidate: i64):
    %i = arith.index_cast %t : index to i64
    %sum = arith.addi %candidate, %i : i64
    %limit = arith.constant 11 : i64
    %f = arith.cmpi slt, %sum, %limit : i64
    lci.yield %f : i1
  }
  // CHECK: lci.constraint @Even require
  // CHECK: lci.floormod
  lci.constraint @Even require on @V priority 1 {
  ^bb0(%t: index, %candidate: i64):
    %two = arith.constant 2 : i64
    %zero = arith.constant 0 : i64
    %rest = lci.floormod %candidate, %two : i64
    %f = arith.cmpi eq, %rest, %zero : i64
    lci.yield %f : i1
  }
  // expected-remark @+1 {{constraint 'Nowhere' speaks of no cell}}
  lci.constraint @Nowhere require on @V where [affine_set<(t) : (t - 8 >= 0)>] priority 1 {
  ^bb0(%t: index, %candidate: i64):
    %zero = arith.constant 0 : i64
    %f = arith.cmpi eq, %candidate, %zero : i64
    lci.yield %f : i1
  }
}

// -----

lci.program @never sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] {
  }
  // expected-error @+1 {{constraint 'Large' can never hold: no candidate of cell V[2] satisfies it}}
  lci.constraint @Large require on @V where [affine_set<(t) : (t - 2 >= 0)>] priority 1 {
  ^bb0(%t: index, %candidate: i64):
    %four = arith.constant 4 : i64
    %f = arith.cmpi sge, %candidate, %four : i64
    lci.yield %f : i1
  }
}

// -----

lci.program @both sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] {
  }
  // expected-note @+1 {{the other one is here}}
  lci.constraint @Low require on @V priority 1000 {
  ^bb0(%t: index, %candidate: i64):
    %two = arith.constant 2 : i64
    %f = arith.cmpi slt, %candidate, %two : i64
    lci.yield %f : i1
  }
  // expected-error @+1 {{constraint 'Rising' contradicts constraint 'Low', and both are hard: no candidate of cell V[2] satisfies both}}
  lci.constraint @Rising require on @V where [affine_set<(t) : (3 - t >= 0)>] priority 0 hard {
  ^bb0(%t: index, %candidate: i64):
    %i = arith.index_cast %t : index to i64
    %f = arith.cmpi sge, %candidate, %i : i64
    lci.yield %f : i1
  }
}

// -----

// A lock above what else looks at the candidate needs no proposal; below it may be outvoted, but not
// by what speaks of other cells.
lci.program @locks sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] {
  }
  // expected-remark @+1 {{constraint 'Above' cannot be outvoted: a cell that holds something is not computed}}
  lci.constraint @Above forbid on @V where [affine_set<(t) : (3 - t >= 0)>] priority 100 {
  ^bb0(%t: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    lci.yield %c : i1
  }
  // expected-remark @+1 {{constraint 'Below' may be outvoted by constraint 'Paint'}}
  lci.constraint @Below forbid on @V where [affine_set<(t) : (3 - t >= 0)>] priority 10 {
  ^bb0(%t: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    lci.yield %c : i1
  }
  // expected-remark @+1 {{constraint 'Apart' cannot be outvoted: a cell that holds something is not computed}}
  lci.constraint @Apart require on @V where [affine_set<(t) : (t - 4 >= 0)>] priority 10 {
  ^bb0(%t: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    %true = arith.constant true
    %same = arith.xori %c, %true : i1
    lci.yield %same : i1
  }
  lci.constraint @Paint require on @V where [affine_set<(t) : (3 - t >= 0)>] priority 50 {
  ^bb0(%t: index, %candidate: i64):
    %zero = arith.constant 0 : i64
    %f = arith.cmpi eq, %candidate, %zero : i64
    lci.yield %f : i1
  }
  lci.commit @V using satisfy_max {
  }
}

// -----

// What always holds outvotes nothing, before it is a constant and after it.
lci.program @always sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] {
  }
  // expected-remark @+1 {{constraint 'Lock' cannot be outvoted: a cell that holds something is not computed}}
  lci.constraint @Lock forbid on @V priority 1 {
  ^bb0(%t: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    lci.yield %c : i1
  }
  // expected-remark @+1 {{constraint 'Small' always holds: it is counted, not computed}}
  lci.constraint @Small require on @V priority 2 {
  ^bb0(%t: index, %candidate: i64):
    %five = arith.constant 5 : i64
    %f = arith.cmpi sle, %candidate, %five : i64
    lci.yield %f : i1
  }
  lci.commit @V using satisfy_max {
  }
}

// -----

lci.program @annealed sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] {
  }
  // expected-remark @+1 {{constraint 'Lock' may be outvoted by a score}}
  lci.constraint @Lock forbid on @V priority 100 {
  ^bb0(%t: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    lci.yield %c : i1
  }
  lci.commit @V using satisfy_max weighted {
  }
}

// -----

// Colours follow from the reads, so a constraint that reads the same value's cells stays whatever it says.
// CHECK-LABEL: lci.program @colours
lci.program @colours sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @V[affine_map<(t) -> (t + 1)>] where [affine_set<(t) : (0 == 0)>]
  // CHECK: lci.constraint @Few require on @V
  // CHECK: lci.read @V
  // expected-remark @+1 {{constraint 'Few' always holds; it stays, because colours follow from what it reads}}
  lci.constraint @Few require on @V priority 1 {
  ^bb0(%t: index, %candidate: i64):
    %v, %p = lci.read @V[affine_map<(t) -> (t + 1)>](%t) : i64
    %five = arith.constant 5 : i64
    %few = arith.cmpi sle, %v, %five : i64
    lci.yield %few : i1
  }
  lci.schedule @V using recolor
}
