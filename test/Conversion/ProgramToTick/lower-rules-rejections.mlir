// RUN: lmpm-opt %s --lci-lower-rules=rejections --canonicalize --cse | FileCheck %s
// RUN: lmpm-opt %s --lci-lower-rules="rejections steps" --canonicalize --cse | FileCheck %s
// RUN: lmpm-opt %s --lci-lower-rules | FileCheck %s --check-prefix=WITHOUT
// RUN: sed 's/affine_map<() -> (3)>/affine_map<() -> (8)>/' %s | lmpm-opt --lci-lower-rules=rejections | FileCheck %s --check-prefix=WITHOUT
// The function runs one epoch with all its phases, and counts by rule what is rejected before a place.

// CHECK-LABEL: func.func @p.rejections(
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<4x2xi64> {lci.may_be_absent, lci.name = "A", lci.role = "state"
// CHECK-SAME: %[[BEFORE:[a-z0-9]*]]: i64 {lci.name = "", lci.role = "before"}
// CHECK-SAME: %[[EPOCH:[a-z0-9]*]]: i64 {lci.name = "", lci.role = "epoch"}
// CHECK-SAME: %[[COUNTS:[a-z0-9]*]]: tensor<2xi64> {lci.name = "", lci.role = "counts"}
// CHECK-SAME: -> tensor<2xi64>
// CHECK-SAME: lci.counters = ["A.invalid.Up", "A.invalid.Far"]
// CHECK-NOT: scf.if
// CHECK: %[[FIRST:.*]]:2 = lci.tick @A at %[[EPOCH]]
// CHECK: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index, %{{[a-z0-9]*}}: i64, %[[PHASE:[a-z0-9]*]]: i64,
// CHECK: %[[PHASES:.*]] = arith.muli %[[PHASE]], %{{.*}} : i64
// CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i64
// CHECK: %[[SECOND:.*]]:2 = lci.tick @A at %[[EPOCH]]{{.*}} inputs(%[[FIRST]]#0
// CHECK: return %[[SECOND]]#1
// WITHOUT-NOT: rejections
lci.program @p sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (4, 2)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  }
  lci.rule @Up on @A {
  ^bb0(%i: index, %j: index):
    %x = arith.index_cast %i : index to i64
    lci.emit %x : i64
  }
  lci.rule @Far on @A {
  ^bb0(%i: index, %j: index):
    %x = arith.index_cast %j : index to i64
    %two = arith.constant 3 : i64
    %y = arith.muli %x, %two : i64
    lci.emit %y : i64
  }
  lci.commit @A using accept {
  }
  lci.schedule @A using red_black
}
