// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Every way in which a tick and what stands in it can be wrong.

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected a body over ('index', 'i64', 'i64', 'i64', 'tensor<8xi64>'), but got ('index', 'i64', 'i64', 'i64')}}
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected results of types ('tensor<8xi64>', 'tensor<2xi64>'), but got ('tensor<8xi64>')}}
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) counts(%k : tensor<2xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected a box with one offset, extent and stride for each of 1 axes}}
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) box [0, 0] [8] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected positive strides, but got 0}}
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) box [0] [8] step [0] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected a positive class stride, but got 0}}
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 0 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected a body that ends in 'lci.install'}}
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    "test.end"() : () -> ()
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected cells over 1 dimensions and the phase as symbol, but got 2 dimensions and 1 symbols}}
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) cells affine_set<(d0, d1)[s0] : (d0 - s0 == 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected a map without symbols, but got 1}}
    %v = lci.load %in[affine_map<(d0)[s0] -> (d0)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected 1 indices, but got 2}}
    %v = lci.load %in[affine_map<(d0) -> (d0)>](%i, %i) [#lci.boundary<open>] : tensor<8xi64> -> i64
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected a map result and a boundary for each of 1 axes, but got 2 and 1}}
    %v = lci.load %in[affine_map<(d0) -> (d0, d0)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected a result of type 'i64', but got 'f32'}}
    %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> f32
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    %f = arith.constant 1.0 : f32
    // expected-error @below {{expected a token of type 'i64', but got 'f32'}}
    lci.install %f if %yes : f32
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected a slot for each tally, but got 1 tallies and 2 slots}}
    lci.install %epoch if %yes tally %yes to [0, 1] : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{tallies, but the tick has no counts}}
    lci.install %epoch if %yes tally %yes to [0] : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected a body that ends in 'lci.candidate'}}
    %w, %found = lci.agree %epoch to %phase {
    ^bb0(%c: i64):
      "test.end"() : () -> ()
    }
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %k: tensor<2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %yes = arith.constant true
    %f = arith.constant 1.0 : f32
    // expected-error @below {{expected a body over ('i64'), but got ('index')}}
    %w, %found = lci.agree %epoch to %phase {
    ^bb0(%c: index):
      lci.candidate %yes levels() score %f proposed %yes
    }
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64) {
  // expected-error @below {{expected an operand for each dynamic offset and extent}}
  %n = "lci.tick"(%e, %e, %e, %a) <{class_stride = 1 : i64, name = @A, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_extents = array<i64: 8>, strides = array<i64: 1>}> ({
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  }) : (i64, i64, i64, tensor<8xi64>) -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %s: tensor<8xf32>, %t: tensor<4xf32>, %e: i64) {
  // expected-error @below {{expected an f32 for each cell of 'tensor<8xi64>', but got scores of type 'tensor<4xf32>'}}
  %n:2 = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) scores(%t : tensor<4xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    %f = arith.constant 1.0 : f32
    lci.install %epoch if %yes score %f : i64
  } -> tensor<8xi64>, tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %s: tensor<8xf32>, %t: tensor<4xf32>, %e: i64) {
  %n:2 = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) scores(%s : tensor<8xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    %f = arith.constant 1.0 : f32
    // expected-error @below {{expected a score for the scores of the tick}}
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>, tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %s: tensor<8xf32>, %t: tensor<4xf32>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    %f = arith.constant 1.0 : f32
    // expected-error @below {{has a score, but the tick has no scores}}
    lci.install %epoch if %yes score %f : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi8>, %s: tensor<8xf32>) {
  // expected-error @below {{expected two states of one value, but got 'tensor<8xi64>' and 'tensor<8xi8>'}}
  %n = lci.keep_surest 0.5 of %a, %b by %s : tensor<8xi64>, tensor<8xi8>, tensor<8xf32> -> tensor<8xi8>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>, %k: tensor<2xi64>) {
  // expected-error @below {{expected an f32 for each cell of 'tensor<8xi64>', but got scores of type 'tensor<8xi64>'}}
  %n = lci.keep_surest 0.5 of %a, %b by %a : tensor<8xi64>, tensor<8xi64>, tensor<8xi64> -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>, %k: tensor<2xi64>) {
  // expected-error @below {{expected a fraction from 0 to 1, but got 1.500000e+00}}
  %n = lci.keep_surest 1.5 of %a, %b by %s : tensor<8xi64>, tensor<8xi64>, tensor<8xf32> -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>, %k: tensor<2xi64>) {
  // expected-error @below {{expected results of types ('tensor<8xi64>'), but got ()}}
  lci.keep_surest 0.5 of %a, %b by %s : tensor<8xi64>, tensor<8xi64>, tensor<8xf32>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>, %k: tensor<2xi64>) {
  // expected-error @below {{expected counts and a slot of them together}}
  %n = "lci.keep_surest"(%a, %b, %s) <{fraction = 0.5 : f32, slot = 1 : i64}> : (tensor<8xi64>, tensor<8xi64>, tensor<8xf32>) -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %t: tensor<3x2xi64>, %e: i64) {
  %n = lci.tick @A at %e, %e, %e inputs(%t : tensor<3x2xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %table: tensor<3x2xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected 2 indices, but got 1}}
    %v = lci.table %table[%i] : tensor<3x2xi64>[index]
    lci.install %v if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: memref<8xi64>, %e: i64) {
  // expected-error @below {{expected positive divisors in cells, but got d0 floordiv 0}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) cells affine_set<(d0)[s0] : (d0 floordiv 0 - s0 >= 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %e: i64) {
  // expected-error @below {{expected positive divisors in cells, but got d0 mod s0}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) cells affine_set<(d0)[s0] : (d0 mod s0 == 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %e: i64) {
  // expected-error @below {{expected factors that are numbers in cells, but got d0 * s0}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) cells affine_set<(d0)[s0] : (d0 * s0 == 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %i: index) -> i64 {
  // expected-error @below {{expected positive divisors in a map, but got d0 mod 0}}
  %v = lci.load %a[affine_map<(d0) -> (d0 mod 0)>](%i) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
  return %v : i64
}

// -----

func.func @f(%a: memref<8xi64>, %c: tensor<2xi64>, %e: i64) {
  // expected-error @below {{expected memrefs, as its target is one, but got 'tensor<2xi64>'}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) counts(%c : tensor<2xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes tally %yes to [0] : i64
  }
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %m: memref<8xi64>, %e: i64) {
  // expected-error @below {{expected tensors, as its target is one, but got 'memref<8xi64>'}}
  %n = lci.tick @A at %e, %e, %e inputs(%m : memref<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi64>):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: memref<8xi64>, %c: memref<2xf32>, %e: i64) {
  // expected-error @below {{expected counts of one axis that hold integers of several bits, but got 'memref<2xf32>'}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) counts(%c : memref<2xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %c: memref<2xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) counts(%c : memref<2xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    // expected-error @below {{expected a slot of 'memref<2xi64>', but got 100}}
    lci.install %epoch if %yes tally %yes to [100] : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %e: i64) {
  // expected-note @below {{the tick is here}}
  lci.tick @A at %e, %e, %e inputs(%a : memref<8xi64>) target(%a : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{stands in a tick, which computes a cell at a time}}
    lci.tick @B at %epoch, %epoch, %epoch target(%in : memref<8xi64>) class_stride 1 {
    ^bb0(%j: index, %epoch1: i64, %phase1: i64, %seed1: i64):
      %no = arith.constant false
      lci.install %epoch1 if %no : i64
    }
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<8xi64>) target(%a : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi64>):
    %yes = arith.constant true
    // expected-error @below {{stands in a tick, which computes a cell at a time}}
    lci.refresh_halo %in low [1] high [1] [#lci.boundary<wrap>] : memref<8xi64>
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>, %k: tensor<2xi64>) {
  // expected-error @below {{expected a slot of 'tensor<2xi64>', but got -1}}
  %n:2 = lci.keep_surest 0.5 of %a, %b by %s counts(%k : tensor<2xi64>) to -1 : tensor<8xi64>, tensor<8xi64>, tensor<8xf32> -> tensor<8xi64>, tensor<2xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>, %s: tensor<8xf32>, %k: tensor<i64>) {
  // expected-error @below {{expected counts of one axis that hold integers of several bits, but got 'tensor<i64>'}}
  %n:2 = lci.keep_surest 0.5 of %a, %b by %s counts(%k : tensor<i64>) to 0 : tensor<8xi64>, tensor<8xi64>, tensor<8xf32> -> tensor<8xi64>, tensor<i64>
  return
}

// -----

// A box lies within its target, as far as its numbers are known.
func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset 3, extent 6 and stride 1 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [3] [6] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset -1, extent 2 and stride 1 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [-1] [2] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset 0, extent -1 and stride 1 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [0] [-1] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset 1, extent 4 and stride 3 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [1] [4] step [3] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset 9, extent 0 and stride 1 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [9] [0] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset ?, extent 9 and stride 1 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [%k] [9] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset 9, extent ? and stride 1 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [9] [%k] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %e: i64, %k: index) {
  // expected-error @below {{expected a box within the target, but got offset 1, extent 3 and stride 9223372036854775807 on axis 0 of 8 cells}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<8xi64>) box [1] [3] step [9223372036854775807] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<8xi64>
  return
}

// -----

func.func @f(%a: tensor<?xi64>, %e: i64) {
  // expected-error @below {{expected a box, as the extents of its target are not known: 'tensor<?xi64>'}}
  %n = lci.tick @A at %e, %e, %e target(%a : tensor<?xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  } -> tensor<?xi64>
  return
}

// -----

func.func @f(%a: memref<9xi64>, %b: memref<8xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<9xi64>) target(%b : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9xi64>):
    %yes = arith.constant true
    // expected-error @below {{expected a window inside of 'memref<9xi64>', but it leaves axis 0}}
    %v = lci.load %in[affine_map<(d0) -> (d0 + 2)>] (%i) [#lci.boundary<open>] : memref<9xi64> -> i64
    lci.install %v if %yes : i64
  }
  return
}

// -----

// Between its offset and its end the box takes every second cell: the last one is read at 7 + 1.
func.func @f(%a: memref<9xi64>, %b: memref<8xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<9xi64>) target(%b : memref<8xi64>) box [1] [4] step [2] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9xi64>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0 + 1)>] (%i) [#lci.boundary<open>] : memref<9xi64> -> i64
    // expected-error @below {{expected a window inside of 'memref<9xi64>', but it leaves axis 0}}
    %w = lci.load %in[affine_map<(d0) -> (d0 - 2)>] (%i) [#lci.boundary<open>] : memref<9xi64> -> i64
    lci.install %v if %yes : i64
  }
  return
}

// -----

func.func @f(%a: tensor<8xi64>, %b: tensor<8xi64>, %e: i64) {
  // expected-error @below {{expected one target and no boxed arrays, as it is on tensors}}
  %n:2 = lci.tick @A at %e, %e, %e target(%a, %b : tensor<8xi64>, tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch, %phase if %yes : i64, i64
  } -> tensor<8xi64>, tensor<8xi64>
  return
}

// -----

func.func @f(%e: i64) {
  // expected-error @below {{expected a target}}
  "lci.tick"(%e, %e, %e) <{name = @A, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0>}> ({
  ^bb0(%epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    "lci.install"(%yes) <{operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0>}> : (i1) -> ()
  }) : (i64, i64, i64) -> ()
  return
}

// -----

func.func @f(%a: memref<8xi64>, %b: memref<9xi64>, %e: i64) {
  // expected-error @below {{expected targets of one shape, but got 'memref<8xi64>' and 'memref<9xi64>'}}
  lci.tick @A at %e, %e, %e target(%a, %b : memref<8xi64>, memref<9xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch, %phase if %yes : i64, i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %b: memref<3xi64>, %e: i64) {
  // expected-error @below {{expected a boxed array with an element for each cell of the box, but got 'memref<3xi64>'}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) boxed(%b : memref<3xi64>) box [2] [4] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch boxed(%phase : i64) if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %b: memref<2x4xi64>, %e: i64) {
  // expected-error @below {{expected a boxed array with an element for each cell of the box, but got 'memref<2x4xi64>'}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) boxed(%b : memref<2x4xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch boxed(%phase : i64) if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %e: i64) {
  // expected-error @below {{expected a positive number of packed cells, but got -3}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) class_stride 1 packed -3 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %b: memref<8xi8>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a, %b : memref<8xi64>, memref<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    // expected-error @below {{expected 2 tokens, but got 1}}
    lci.install %epoch if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %b: memref<8xi8>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) boxed(%b : memref<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    // expected-error @below {{expected a boxed value of type 'i8', but got 'i64'}}
    lci.install %epoch boxed(%phase : i64) if %yes : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %k: memref<1xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) counts(%k : memref<1xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    %few = arith.constant 3 : i8
    // expected-error @below {{expected tallies of type i1 or 'i64', but got 'i8'}}
    lci.install %epoch if %yes tally %yes, %few : i1, i8 to [0, 0] : i64
  }
  return
}

// -----

func.func @f(%a: memref<8xi64>, %k: memref<1xi1>, %e: i64) {
  // expected-error @below {{expected counts of one axis that hold integers of several bits, but got 'memref<1xi1>'}}
  lci.tick @A at %e, %e, %e target(%a : memref<8xi64>) counts(%k : memref<1xi1>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %epoch if %yes tally %yes to [0] : i64
  }
  return
}

// -----

func.func @f(%a: memref<16xi64>, %e: i64) {
  // expected-error @below {{expected offsets, extents and strides of a box together}}
  "lci.tick"(%e, %e, %e, %a) <{class_stride = 1 : i64, name = @A, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 0>, static_extents = array<i64: 3>, static_offsets = array<i64: 2>}> ({
  ^bb0(%i: index, %x: i64, %y: i64, %z: i64):
    %t = arith.constant true
    "lci.install"(%x, %t) <{operandSegmentSizes = array<i32: 1, 0, 1, 0, 0, 0>}> : (i64, i1) -> ()
  }) : (i64, i64, i64, memref<16xi64>) -> ()
  return
}
