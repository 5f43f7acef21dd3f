// RUN: lmpm-opt %s --lci-bufferize-state --split-input-file --verify-diagnostics
// What cannot be given storage is an error that names the operation.

func.func @two_borders(%A: tensor<8xi8>, %B: tensor<8xi8>, %t: i64) -> tensor<8xi8> {
  // expected-error @+1 {{'lci.tick' op expected one boundary on axis 0 of an input, but got wrap and clamp}}
  %n = lci.tick @B at %t, %t, %t inputs(%A : tensor<8xi8>) target(%B : tensor<8xi8>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
    %u = lci.load %in[affine_map<(x) -> (x - 1)>](%x) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %v = lci.load %in[affine_map<(x) -> (x + 1)>](%x) [#lci.boundary<clamp>] : tensor<8xi8> -> i8
    %w = arith.addi %u, %v : i8
    %yes = arith.constant true
    lci.install %w if %yes : i8
  } -> tensor<8xi8>
  return %n : tensor<8xi8>
}

// -----

func.func @swapped(%A: tensor<8xi8> {lci.role = "state"}, %B: tensor<8xi8>, %n: index) -> (tensor<8xi8>, tensor<8xi8>) {
  %one = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op expected to hand on versions of one array, but got two arrays of type 'tensor<8xi8>'}}
  %r:2 = scf.for %i = %one to %n step %one iter_args(%a = %A, %b = %B) -> (tensor<8xi8>, tensor<8xi8>) {
    scf.yield %b, %a : tensor<8xi8>, tensor<8xi8>
  }
  return %r#0, %r#1 : tensor<8xi8>, tensor<8xi8>
}

// -----

func.func @branches_differ(%A: tensor<8xi8> {lci.role = "state"}, %B: tensor<8xi8>, %on: i1) -> tensor<8xi8> {
  // expected-error @+1 {{'scf.if' op expected to hand on versions of one array, but got two arrays of type 'tensor<8xi8>'}}
  %r = scf.if %on -> tensor<8xi8> {
    scf.yield %A : tensor<8xi8>
  } else {
    scf.yield %B : tensor<8xi8>
  }
  return %r : tensor<8xi8>
}

// -----

func.func @returned_twice(%A: tensor<8xi8> {lci.role = "state"}) -> (tensor<8xi8>, tensor<8xi8>) {
  // expected-error @+1 {{'func.return' op expected each array to be returned once, but results 0 and 1 are one array}}
  return %A, %A : tensor<8xi8>, tensor<8xi8>
}

// -----

func.func @other_operation(%A: tensor<8xi8> {lci.role = "state"}) -> tensor<8xi8> {
  // expected-error @+1 {{'arith.addi' op cannot be given storage: expected ticks, loops, branches and accesses to elements}}
  %n = arith.addi %A, %A : tensor<8xi8>
  return %n : tensor<8xi8>
}

// -----

// expected-error @+1 {{expected tensors of static shape, but got 'tensor<?xi8>'}}
func.func @unknown_extent(%A: tensor<?xi8> {lci.role = "state"}) {
  return
}

// -----

func.func @three_versions(%A: tensor<8xi64>, %B: tensor<8xi64>, %t: i64) -> (tensor<8xi64>, tensor<8xi64>) {
  %one = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi64>) target(%A : tensor<8xi64>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %u = lci.load %in[affine_map<(x) -> (x - 1)>](%x) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
    %yes = arith.constant true
    lci.install %u if %yes : i64
  } -> tensor<8xi64>
  %two = lci.tick @A at %t, %t, %t inputs(%one : tensor<8xi64>) target(%one : tensor<8xi64>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %u = lci.load %in[affine_map<(x) -> (x - 1)>](%x) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
    %yes = arith.constant true
    lci.install %u if %yes : i64
  } -> tensor<8xi64>
  // expected-error @+1 {{'lci.tick' op asks for a state that has been overwritten}}
  %b = lci.tick @B at %t, %t, %t inputs(%A : tensor<8xi64>) target(%B : tensor<8xi64>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %u = lci.load %in[affine_map<(x) -> (x)>](%x) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
    %yes = arith.constant true
    lci.install %u if %yes : i64
  } -> tensor<8xi64>
  return %two, %b : tensor<8xi64>, tensor<8xi64>
}

// -----

func.func @not_carried(%A: tensor<8xi64>, %t: i64, %n: index) {
  %one = arith.constant 1 : index
  scf.for %i = %one to %n step %one {
    // expected-error @+1 {{'lci.tick' op writes an array that the loop around it does not carry}}
    %next = lci.tick @A at %t, %t, %t target(%A : tensor<8xi64>) class_stride 1 {
    ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64):
      %yes = arith.constant true
      lci.install %epoch if %yes : i64
    } -> tensor<8xi64>
  }
  return
}

// -----

func.func @local_with_window(%A: tensor<4xi64>, %t: i64) -> tensor<4xi64> {
  // expected-error @+1 {{'arith.constant' op cannot be given storage: it is read through windows}}
  %table = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %n = lci.tick @A at %t, %t, %t inputs(%table : tensor<4xi64>) target(%A : tensor<4xi64>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<4xi64>):
    %u = lci.load %in[affine_map<(x) -> (x - 1)>](%x) [#lci.boundary<wrap>] : tensor<4xi64> -> i64
    %yes = arith.constant true
    lci.install %u if %yes : i64
  } -> tensor<4xi64>
  return %n : tensor<4xi64>
}

// -----

// expected-error @below {{'func.func' op expected one block, but got 2}}
func.func @blocks(%A: tensor<8xi8>, %t: i64) -> tensor<8xi8> {
  cf.br ^end
^end:
  %n = lci.tick @A at %t, %t, %t target(%A : tensor<8xi8>) class_stride 1 {
  ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64):
    %one = arith.constant 1 : i8
    %yes = arith.constant true
    lci.install %one if %yes : i8
  } -> tensor<8xi8>
  return %n : tensor<8xi8>
}
