// RUN: lmpm-opt %s --canonicalize | FileCheck %s
// Constants that folding makes stay in the bodies of declarations: a program holds nothing else.

// CHECK-LABEL: lci.program @p
// CHECK-NEXT: lci.value @A
lci.program @p sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<wrap>] {
  ^bb0(%x: index):
    // CHECK: ^bb0
    // CHECK-NEXT: %[[THREE:.*]] = arith.constant 3.0{{.*}} : f32
    // CHECK-NEXT: lci.yield %[[THREE]]
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %sum = arith.addf %one, %two : f32
    lci.yield %sum : f32
  }
  // CHECK: lci.rule @R
  lci.rule @R on @A {
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: %[[SEVEN:.*]] = arith.constant 7.0{{.*}} : f32
  // CHECK-NEXT: lci.emit %[[SEVEN]]
  ^bb0(%x: index):
    %seven = arith.constant 7.0 : f32
    lci.emit %seven : f32
  }
  lci.commit @A using accept {
  }
}
