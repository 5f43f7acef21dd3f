// RUN: lmpm-translate --export-lmpm --split-input-file --verify-diagnostics %s
// What the language cannot say is an error and never half a text.

// expected-error @below {{expected a program in program form, but its sizes are bound}}
lci.program @bound sizes ["N"] = [3] {
}

// -----

// expected-error @below {{expected one program to export, but got 0}}
module {
}

// -----

lci.program @foreign sizes [] {
  lci.observe @o {
    %c = arith.constant 1 : i64
    // expected-error @below {{the language cannot say this: 'arith.divsi'}}
    %d = arith.divsi %c, %c : i64
    lci.yield %d : i64
  }
}

// -----

lci.program @infinite sizes [] {
  lci.param @p f32 {
    // expected-error @below {{the language cannot say this: a constant that is not finite}}
    %c = arith.constant 0x7F800000 : f32
    lci.yield %c : f32
  }
}

// -----

lci.program @stream sizes [] {
  lci.value @V f32 shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  ^bb0(%i: index):
    // expected-error @below {{the language cannot say this: a draw whose stream is not the one its place implies, <0, 0>}}
    %d = lci.uniform stream <5, 0>
    lci.yield %d : f32
  }
}

// -----

lci.program @ranges sizes [] {
  lci.value @V f32 shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.observe @o {
    // expected-error @below {{the language cannot say this: a family with these indices and ranges}}
    %s, %p = lci.reduce sum [affine_set<(d0) : (d0 floordiv 2 == 0)>]() : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %q = lci.read @V[affine_map<(d0) -> (1)>](%i) : f32
      lci.yield %v present %q : f32
    }
    lci.yield %s : f32
  }
}
