// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(lci-lower-rules)'
// What is not lowered yet is refused by name.

// expected-error @below {{has sizes without numbers; run 'lci-bind' first}}
lci.program @unbound sizes ["N"] {
}

// -----

lci.program @uncommitted sizes [] = [] {
  // expected-error @below {{has a rule but no commit}}
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @Any on @A {
  ^bb0(%i: index):
    lci.emit any
  }
}

// -----

lci.program @infinite sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{ranges over infinitely many members}}
    %s, %some = lci.reduce sum [affine_set<(i, k) : (k >= 0)>](%i) : i64 {
    ^bb0(%k: index, %rank: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.emit %s : i64
  }
  lci.commit @A using accept {
  }
}
