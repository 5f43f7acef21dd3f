// RUN: lmpm-opt %s --lci-merge-functions | FileCheck %s
// Of equal private functions one stays, also where they are equal only once what they call is; public ones, which
// others call by their names, stay.

// CHECK-LABEL: func.func private @leaf
// CHECK-NOT: @leaf.too
// CHECK-LABEL: func.func private @calls
// CHECK: call @leaf()
// CHECK-NOT: @calls.too
// CHECK-LABEL: func.func private @other
// CHECK-LABEL: func.func @first
// CHECK: call @calls()
// CHECK-LABEL: func.func @second
// CHECK: call @calls()
// CHECK: return
func.func private @leaf() -> i64 {
  %c = arith.constant 1 : i64
  return %c : i64
}
func.func private @leaf.too() -> i64 {
  %c = arith.constant 1 : i64
  return %c : i64
}
func.func private @calls() -> i64 {
  %c = call @leaf() : () -> i64
  return %c : i64
}
func.func private @calls.too() -> i64 {
  %c = call @leaf.too() : () -> i64
  return %c : i64
}
func.func private @other() -> i64 {
  %c = arith.constant 2 : i64
  return %c : i64
}
func.func @first() -> i64 {
  %c = call @calls() : () -> i64
  return %c : i64
}
func.func @second() -> i64 {
  %c = call @calls.too() : () -> i64
  return %c : i64
}
func.func @equal() -> i64 {
  %c = call @calls() : () -> i64
  return %c : i64
}
