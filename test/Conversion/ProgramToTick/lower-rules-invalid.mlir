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
    // expected-error @below {{ranges over infinitely many members, or more than 2^36}}
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

// -----

lci.program @unbound_length sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{has an unknown length; expected a bound program}}
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> i64
    lci.emit %a : i64
  }
  lci.commit @A using accept {
  }
}

// -----

lci.program @unbound_model sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<1xi64>, tensor<1xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @below {{asks 'M', which is not bound to a function}}
    %a = lci.evaluate "M"(%v, %p) : (tensor<1xi64>, tensor<1xi1>) -> i64
    lci.emit %a : i64
  }
  lci.commit @A using accept {
  }
}

// -----

lci.program @four_color sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  // expected-error @below {{expected a value of at least two axes for 'four_color', but got 1}}
  lci.schedule @A using four_color
  lci.rule @R on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    lci.emit %one : i64
  }
  lci.commit @A using accept {
  }
}

// -----

lci.program @size sizes ["N"] = [8] {
  lci.value @A token vocabulary affine_map<() -> (50)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{is not lowered; expected a bound program, run 'lci-bind' first}}
    %n = lci.size "N"
    lci.emit %n : i64
  }
  lci.commit @A using accept {
  }
}

// -----

lci.program @regions sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    %yes = arith.constant true
    // expected-error @below {{is not an operation of a program's bodies}}
    // expected-note @below {{they compute with operations of lci, and with those of arith and math on numbers and vectors}}
    %v = scf.if %yes -> i64 {
      scf.yield %one : i64
    } else {
      scf.yield %one : i64
    }
    lci.emit %v : i64
  }
  lci.commit @A using accept {
  }
}

// -----

lci.program @formula sizes ["N"] = [8] {
  lci.param @p i32 {
    // expected-error @below {{is not known outside of a cell}}
    %n = lci.size "N"
    lci.yield %n : i64
  }
}

// -----

lci.program @beyond sizes [] = [] {
  lci.value @A i32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{ranges over infinitely many members, or more than 2^36}}
    %s, %some = lci.reduce sum [affine_set<(i, k) : (k >= 0, 4611686018427387904 - k >= 0)>](%i) : i64 {
    ^bb0(%k: index, %rank: index):
      %one = arith.constant 1 : i64
      lci.yield %one : i64
    }
    lci.emit %s : i64
  }
  lci.commit @A using accept {
  }
}

// -----

lci.program @wide sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{expected integers of 64 bits at most and f32, but got 'f64'}}
    %x = arith.constant 1.0 : f64
    %s = arith.constant 1.0 : f32
    lci.emit %s : f32
  }
  lci.commit @A using accept {
  }
}
