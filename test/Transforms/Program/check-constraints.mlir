// RUN: lmpm-opt %s --lci-check-constraints --split-input-file --verify-diagnostics
// RUN: lmpm-opt %s --lci-check-constraints=remarks=false --split-input-file -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
// Which constraints commits of one tick break together, with the commits, and which ones tie their cells.

// CHECK: warning: constraint 'Differ' is hard
// CHECK: warning: constraint 'Right' is hard

// A constraint of a priority that ties cells of one phase is only as strong as the schedule.
lci.program @ties sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (6)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    lci.emit any
  }
  // expected-remark @+1 {{constraint 'Differ' ties cells that change together: in phase 0, A[0] reads A[1]}}
  lci.constraint @Differ require on @A priority 1 {
  ^bb0(%x: index, %candidate: i64):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : i64
    %d = arith.cmpi ne, %v, %candidate : i64
    lci.yield %d : i1
  }
  lci.schedule @A using all
}

// -----

// Cells of one colour are not tied: what a constraint reads has another colour.
lci.program @coloured sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (6)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    lci.emit any
  }
  lci.constraint @Differ require on @A priority 1 {
  ^bb0(%x: index, %candidate: i64):
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : i64
    %d = arith.cmpi ne, %v, %candidate : i64
    lci.yield %d : i1
  }
  lci.schedule @A using recolor
}

// -----

// Two neighbours of a ring change in one tick, and neither sees what the other one becomes.
lci.program @together sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (6)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    lci.emit any
  }
  // expected-warning @+4 {{constraint 'Differ' is hard, but commits of one tick can break it together: in phase 0, A[0] reads A[1], and both are decided}}
  // expected-note @+3 {{rule 'R' commits 0 at A[0], which held 2, and rule 'R' commits 0 at A[1], which held 1, each checked against what the other cell held before}}
  // expected-note @+2 {{that is so where A[5] holds 1 and A[2] holds 1}}
  // expected-note @+1 {{'schedule A[*] using recolor' decides them in different phases}}
  lci.constraint @Differ require on @A priority 0 hard {
  ^bb0(%x: index, %candidate: i64):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : i64
    %w, %q = lci.read @A[affine_map<(x) -> (x - 1)>](%x) : i64
    %d = arith.cmpi ne, %v, %candidate : i64
    %e = arith.cmpi ne, %w, %candidate : i64
    %both = arith.andi %d, %e : i1
    lci.yield %both : i1
  }
  lci.schedule @A using all
}

// -----

// Colours do not help where a cell that is only read does not evaluate the constraint.
lci.program @apart sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (6)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    lci.emit any
  }
  // expected-warning @+4 {{constraint 'Right' is hard, but commits of another phase can break it: in phase 1, A[1] is decided, and A[0], which reads it, stays}}
  // expected-note @+3 {{, checked against what the cells held before}}
  // expected-note @+2 {{that is so where A[2] holds 1}}
  // expected-note @+1 {{a constraint is evaluated for cells that commit: one that reads A[1] has to say the same from there}}
  lci.constraint @Right require on @A priority 0 hard {
  ^bb0(%x: index, %candidate: i64):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : i64
    %d = arith.cmpi ne, %v, %candidate : i64
    lci.yield %d : i1
  }
  lci.schedule @A using red_black
}
