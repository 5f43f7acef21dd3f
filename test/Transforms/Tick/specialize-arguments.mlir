// RUN: lmpm-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(func.func(lci-specialize-arguments))' | FileCheck %s
// What a run is known to give is put in; the arguments stay.

// CHECK-LABEL: func.func @numbers(
// CHECK-SAME:    %[[BETA:[^:]*]]: f32 {lci.name = "beta", lci.role = "param"}
// CHECK-SAME:    %[[ON:[^:]*]]: i1, %[[LEVEL:[^:]*]]: tensor<2xi64>, %[[OTHER:[^:]*]]: f32)
// CHECK-DAG:     %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK-DAG:     %[[LEVELS:.*]] = arith.constant dense<[3, 4]> : tensor<2xi64>
// CHECK:         return %[[HALF]], %[[TRUE]], %[[LEVELS]], %[[OTHER]]
func.func @numbers(%beta: f32 {lci.fixed = 0.5 : f32, lci.name = "beta", lci.role = "param"},
                   %on: i1 {lci.fixed = true},
                   %level: tensor<2xi64> {lci.fixed = dense<[3, 4]> : tensor<2xi64>},
                   %other: f32) -> (f32, i1, tensor<2xi64>, f32) {
  return %beta, %on, %level, %other : f32, i1, tensor<2xi64>, f32
}

// CHECK: func.func private @outside(f32 {lci.fixed = 5.000000e-01 : f32})
func.func private @outside(%beta: f32 {lci.fixed = 0.5 : f32})

// -----

// expected-error @+1 {{expected 'lci.fixed' of argument 0 to have the argument's type 'f32', but got 1 : i64}}
func.func @other_type(%beta: f32 {lci.fixed = 1 : i64}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.fixed' to be a number or an array of numbers with its type, but got @beta}}
func.func @no_number(%beta: f32 {lci.fixed = @beta}) {
  return
}
