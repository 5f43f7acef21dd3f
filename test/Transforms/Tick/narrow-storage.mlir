// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(lci-narrow-storage))' | FileCheck %s
// Storage follows the vocabulary through loops, branches and ticks; bodies go on in i64.

#b = #lci.boundary<wrap>

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: tensor<8xi8>
// CHECK-SAME: -> tensor<8xi8>
// CHECK: scf.for {{.*}} -> (tensor<8xi8>)
// CHECK: %[[STORED:.*]] = lci.load %{{.*}} : tensor<8xi8> -> i8
// CHECK: %[[BIT:.*]] = arith.trunci %[[STORED]] : i8 to i1
// CHECK: %[[TOKEN:.*]] = arith.extui %[[BIT]] : i1 to i64
// CHECK: %[[OUT:.*]] = arith.trunci %[[TOKEN]] : i64 to i8
// CHECK: lci.install %[[OUT]] if
func.func @two(%a: tensor<8xi64> {lci.vocabulary = 2 : i64}, %first: i64, %last: i64, %s: i64) -> tensor<8xi64> {
  %one = arith.constant 1 : i64
  %p = arith.constant 0 : i64
  %r = scf.for %e = %first to %last step %one iter_args(%x = %a) -> (tensor<8xi64>) : i64 {
    %n = lci.tick @A at %e, %p, %s inputs(%x : tensor<8xi64>) target(%x : tensor<8xi64>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
      %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#b] : tensor<8xi64> -> i64
      %yes = arith.constant true
      lci.install %v if %yes : i64
    } -> tensor<8xi64>
    scf.yield %n : tensor<8xi64>
  }
  return %r : tensor<8xi64>
}

// Both ways out of a branch are one storage.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME: -> tensor<8xi8>
// CHECK: scf.if {{.*}} -> (tensor<8xi8>)
func.func @branch(%a: tensor<8xi64> {lci.vocabulary = 2 : i64}, %on: i1, %t: i64) -> tensor<8xi64> {
  %r = scf.if %on -> (tensor<8xi64>) {
    %n = lci.tick @A at %t, %t, %t target(%a : tensor<8xi64>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
      %yes = arith.constant true
      lci.install %epoch if %yes : i64
    } -> tensor<8xi64>
    scf.yield %n : tensor<8xi64>
  } else {
    scf.yield %a : tensor<8xi64>
  }
  return %r : tensor<8xi64>
}

// 256 tokens and the absent one need more than a byte.
// CHECK-LABEL: func.func @start(
// CHECK-SAME: -> (tensor<4xi16> {{.*}}, tensor<4xf32>
// CHECK: arith.constant dense<256> : tensor<4xi16>
func.func @start() -> (tensor<4xi64> {lci.vocabulary = 256 : i64, lci.may_be_absent}, tensor<4xf32>) {
  %c = arith.constant dense<256> : tensor<4xi64>
  %f = arith.constant dense<0.0> : tensor<4xf32>
  return %c, %f : tensor<4xi64>, tensor<4xf32>
}

// -----

func.func @negative_other_user(%a: tensor<8xi64> {lci.vocabulary = 2 : i64}) -> tensor<8xi64> {
  // expected-error @below {{takes tokens of a value, which only loops, branches and ticks may}}
  %b = arith.addi %a, %a : tensor<8xi64>
  return %b : tensor<8xi64>
}

// -----

func.func @negative_other_source() -> (tensor<8xi64> {lci.vocabulary = 2 : i64}) {
  // expected-error @below {{makes tokens of a value, which only loops, branches and ticks may}}
  %b = tensor.empty() : tensor<8xi64>
  return %b : tensor<8xi64>
}
