// RUN: lmpm-opt %s --lci-bind --lci-check-pipeline --lci-lower-rules --lci-to-linalg-pipeline 2>/dev/null | FileCheck %s
// RUN: lmpm-opt %s --lci-bind --lci-check-pipeline --lci-lower-rules --lci-to-kernels-pipeline 2>/dev/null | FileCheck %s
// Two programs that do the same are still two: who runs one calls its functions by their names.

// CHECK-DAG: func.func @first(
// CHECK-DAG: func.func @first.init(
// CHECK-DAG: func.func @second(
// CHECK-DAG: func.func @second.init(
lci.program @first sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.visible @A sees @A[affine_map<(d0) -> (d0)>] where [affine_set<(d0) : (0 == 0)>]
  lci.rule @R on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : i64
    %w = lci.unwrap %v, %p : i64
    %next = arith.subi %one, %w : i64
    lci.emit %next : i64
  }
  lci.commit @A using accept {
  }
}
lci.program @second sizes [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.visible @A sees @A[affine_map<(d0) -> (d0)>] where [affine_set<(d0) : (0 == 0)>]
  lci.rule @R on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : i64
    %w = lci.unwrap %v, %p : i64
    %next = arith.subi %one, %w : i64
    lci.emit %next : i64
  }
  lci.commit @A using accept {
  }
}
