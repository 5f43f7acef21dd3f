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
