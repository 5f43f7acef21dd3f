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
    %s, %p = lci.reduce sum [affine_set<(d0) : (0 == 0)>]() : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %q = lci.read @V[affine_map<(d0) -> (1)>](%i) : f32
      lci.yield %v present %q : f32
    }
    lci.yield %s : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{the language cannot say this: a division that rounds up}}
  lci.rule @R on @V {
  ^bb0(%i: index):
    %v, %p = lci.read @V[affine_map<(d0) -> (d0 ceildiv 2)>](%i) : i64
    %w = lci.unwrap %v, %p : i64
    lci.emit %w : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @V {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    %sure = arith.constant 0.5 : f32
    // expected-error @below {{the language cannot say this: a sureness, which only bound models have}}
    lci.emit %one : i64 sureness %sure
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.region "sky"
  // expected-error @below {{the language cannot say this: a region in a constraint with 'on'}}
  lci.constraint @C require on @V region "sky" axis 0 priority 1 {
  ^bb0(%i: index, %candidate: i64):
    %same = arith.cmpi eq, %candidate, %candidate : i64
    lci.yield %same : i1
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.model "Model"
  lci.rule @R on @V {
  ^bb0(%i: index):
    // expected-error @below {{the language cannot say this: a family that no label names}}
    %m, %p = lci.collect [affine_set<(d0, d1) : (d1 floordiv 3 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%d: index, %rank: index):
      %v, %q = lci.read @V[affine_map<(d0, d1) -> (d0 + 2 * d1)>](%i, %d) : i64
      lci.yield %v present %q : i64
    }
    %a = lci.evaluate "Model"(%m, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.model "Model"
  lci.rule @R on @V {
  ^bb0(%i: index):
    // expected-error @below {{the language cannot say this: a condition of a read that no line says}}
    %m, %p = lci.collect [affine_set<(d0) : (d0 - 1 >= 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %v, %q = lci.read @V[affine_map<(d0) -> (d0 - 1)>](%i) : i64
      lci.yield %v present %q : i64
    }
    %a = lci.evaluate "Model"(%m, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.param @w f32 shape affine_map<() -> (4)> {
  }
  lci.model "Model"
  lci.rule @R on @V {
  ^bb0(%i: index):
    %m = lci.param_value @w : tensor<4xf32>
    // expected-error @below {{the language cannot say this: a model's argument that is not collected}}
    %a = lci.evaluate "Model"(%m, %m) : (tensor<4xf32>, tensor<4xf32>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{the language cannot say this: an index without a name}}
  lci.observe @o {
    %s, %p = lci.reduce sum [affine_set<(d0) : (d0 >= 0, 2 - d0 >= 0)>]() : i64 {
    ^bb0(%i: index, %rank: index):
      %r = arith.index_cast %rank : index to i64
      lci.yield %r : i64
    }
    lci.yield %s : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  // expected-error @below {{the language cannot say this: an expression of this size}}
  lci.observe @o {
    %0 = arith.constant 1 : i64
    %1 = arith.addi %0, %0 : i64
    %2 = arith.addi %1, %1 : i64
    %3 = arith.addi %2, %2 : i64
    %4 = arith.addi %3, %3 : i64
    %5 = arith.addi %4, %4 : i64
    %6 = arith.addi %5, %5 : i64
    %7 = arith.addi %6, %6 : i64
    %8 = arith.addi %7, %7 : i64
    %9 = arith.addi %8, %8 : i64
    %10 = arith.addi %9, %9 : i64
    %11 = arith.addi %10, %10 : i64
    %12 = arith.addi %11, %11 : i64
    %13 = arith.addi %12, %12 : i64
    %14 = arith.addi %13, %13 : i64
    %15 = arith.addi %14, %14 : i64
    %16 = arith.addi %15, %15 : i64
    %17 = arith.addi %16, %16 : i64
    %18 = arith.addi %17, %17 : i64
    %19 = arith.addi %18, %18 : i64
    %20 = arith.addi %19, %19 : i64
    %21 = arith.addi %20, %20 : i64
    lci.yield %21 : i64
  }
}

// -----

lci.program @p sizes [] {
  lci.param @w f32 {
    %c = arith.constant dense<1.0> : tensor<2xf32>
    %i = arith.constant 0 : index
    // expected-error @below {{the language cannot say this: 'tensor.extract'}}
    %e = tensor.extract %c[%i] : tensor<2xf32>
    lci.yield %e : f32
  }
}

// -----

lci.program @p sizes [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @V {
  ^bb0(%i: index):
    // expected-error @below {{the language cannot say this: an array constant}}
    %c = arith.constant dense<1> : tensor<2xi64>
    %s = lci.let "s" = %c : tensor<2xi64>
    lci.emit any
  }
}

// -----

lci.program @p sizes [] {
  // expected-error @below {{the language cannot say this: 'func.func' in a program}}
  func.func private @f()
}

// -----

lci.program @computed sizes [] {
  lci.value @V i32 shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @V {
  ^bb0(%i: index):
    // expected-error @below {{the language cannot say this: a declared read that is computed}}
    lci.declare_read "near" [affine_set<(d0) : (0 == 0)>](%i) {
    ^bb0(%rank: index):
      %c = arith.constant 1 : i64
      lci.yield %c : i64
    }
    %one = arith.constant 1 : i64
    lci.emit %one : i64
  }
}

// -----

lci.program @misnamed sizes [] {
  lci.value @V i32 shape affine_map<() -> (3)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @V {
  ^bb0(%i: index):
    // expected-error @below {{the language cannot say this: a declared read that its name does not say}}
    lci.declare_read "self" [affine_set<(d0) : (0 == 0)>](%i) {
    ^bb0(%rank: index):
      %v, %p = lci.read @V[affine_map<(d0) -> (d0 + 1)>](%i) : i64
      lci.yield %v present %p : i64
    }
    %one = arith.constant 1 : i64
    lci.emit %one : i64
  }
}

// -----

// Attributes that change no meaning are left out, and named.

lci.program @arranged sizes [] {
  // expected-warning @below {{the text leaves 'lci.arrangement' out, for which the language has no word}}
  lci.value @Cell token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)> boundary [#lci.boundary<wrap>] attributes {lci.arrangement = #lci.arrangement<rows>} {
  }
}
