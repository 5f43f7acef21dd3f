// RUN: lmpm-opt %s --split-input-file --verify-diagnostics \
// RUN:   --lci-bind="models=M=f,Gone=nowhere,Score=score"
// Models that do not fit: missing, of another signature, of another vocabulary, misused.

lci.program @p sizes [] {
  // expected-error @+1 {{model 'Gone' is bound to 'nowhere', but there is no such function}}
  lci.model "Gone"
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "Unbound"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+2 {{model 'Unbound' is not bound}}
    // expected-note @+1 {{name its file and function under "models" in the bindings}}
    %a = lci.evaluate "Unbound"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

// expected-note @+1 {{this function is bound to it; weights carry 'lci.weight'}}
func.func private @f(tensor<2xi32>, tensor<2xi1>) -> tensor<4xf32>
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+1 {{expected model 'M' to take ('tensor<1xi32>', 'tensor<1xi1>') and its weights, but got ('tensor<2xi32>', 'tensor<2xi1>')}}
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

// expected-note @+1 {{this function is bound to it}}
func.func private @f(tensor<1xi32>, tensor<1xi1>) -> tensor<5xf32>
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+1 {{expected model 'M' to return tensor<4xf32>, a token, or a token and an f32, but got ('tensor<5xf32>')}}
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

// expected-note @+1 {{this function is bound to it}}
func.func private @f(tensor<1xi32>, tensor<1xi1>) -> tensor<5xf32>
lci.program @p sizes [] {
  lci.value @A i32 shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+1 {{expected model 'M' to return a token, or a token and an f32, but got ('tensor<5xf32>')}}
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

func.func private @f(tensor<1xi32>, tensor<1xi1>) -> f32
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+1 {{model 'M' returns a number, which is no proposal}}
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

func.func private @f(tensor<1xi32>, tensor<1xi1>) -> i32
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.model "Unbound"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer score {
    ^bb0(%k: i64):
      // expected-error @+2 {{model 'Unbound' is not bound, and the proposal has no score of its own}}
      // expected-note @+1 {{name its file and function under "models" in the bindings}}
      %s = lci.evaluate "Unbound"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
      lci.yield %s : !lci.answer
    }
  }
}

// -----

func.func private @f(tensor<1xi32>, tensor<1xi1>) -> i32
func.func private @score(tensor<1xi32>, tensor<1xi1>) -> i32
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.model "Score"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer score {
    ^bb0(%k: i64):
      // expected-error @+1 {{expected model 'Score' to return a score, but got 'i64'}}
      %s = lci.evaluate "Score"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
      lci.yield %s : !lci.answer
    }
  }
}

// -----

lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "Other"
  lci.def @said {
    %v, %p = lci.collect [affine_set<(i) : (i >= 0, 7 - i >= 0)>]() : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%i: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+1 {{expected the answer of model 'Other' to be proposed or to be a score}}
    %a = lci.evaluate "Other"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.yield %a : !lci.answer
  }
}

// -----

func.func @f(%v: tensor<1xi32>, %p: tensor<1xi1>) -> (i64, f32) {
  %token = arith.constant 1 : i64
  %x = arith.constant 2.0 : f32
  // expected-error @+2 {{expected a model's functions to be exact or correctly rounded, but got 'math.log10' on 'f32'}}
  // expected-note @+1 {{docs/models.md lists what there is}}
  %y = math.log10 %x : f32
  return %token, %y : i64, f32
}
lci.program @p sizes [] {
  lci.model "M"
}

// -----

// expected-note @+1 {{this function is bound to it}}
func.func private @f(tensor<2xf32> {lci.weight = "w"}, tensor<1xi32>, tensor<1xi1>) -> i64
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+1 {{expected model 'M' to take its weights last, but got 'w' before what the cell gives}}
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

// expected-note @+1 {{this function is bound to it}}
func.func private @f(tensor<1xi32>, tensor<1xi1>, tensor<2xi3> {lci.weight = "w"}) -> i64
lci.program @p sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    // expected-error @+1 {{expected the weight 'w' of model 'M' to be a tensor of f32, i1, i8, i16, i32 or i64 with a static shape, but got 'tensor<2xi3>'}}
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

func.func private @other(i64) -> i64
func.func @f(%v: tensor<1xi32>, %p: tensor<1xi1>) -> i64 {
  %token = arith.constant 1 : i64
  // expected-error @+1 {{expected a function of one block to call in a model, but 'other' is none}}
  %y = func.call @other(%token) : (i64) -> i64
  return %y : i64
}
lci.program @p sizes [] {
  lci.model "M"
}

// -----

func.func @g(%x: i64) -> i64 {
  %y = func.call @g(%x) : (i64) -> i64
  return %y : i64
}
func.func @f(%v: tensor<1xi32>, %p: tensor<1xi1>) -> i64 {
  %token = arith.constant 1 : i64
  // expected-error @+1 {{'g' calls itself, which a model must not}}
  %y = func.call @g(%token) : (i64) -> i64
  return %y : i64
}
lci.program @p sizes [] {
  lci.model "M"
}

// -----

lci.program @endless sizes [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // expected-error @below {{cannot count the members of this family, which a model is given}}
    %v, %p = lci.collect [affine_set<(i, k) : (k >= 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%k: index, %rank: index):
      %w, %q = lci.read @A[affine_map<(i, k) -> (i + k)>](%i, %k) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> i64
    lci.emit %a : i64
  }
}
