// RUN: lmpm-opt %s --int-range-optimizations | FileCheck %s
// A tick knows its phase, unless it calls a model: its phases shall be equal but for the number.

func.func private @model(i64) -> i64

// CHECK-LABEL: func @phases(
// CHECK:         lci.tick @A
// CHECK:           %[[THREE:.*]] = arith.constant 3 : i64
// CHECK:           lci.install %[[THREE]]
// CHECK:         lci.tick @B
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: i64, %[[PHASE:.*]]: i64, %{{.*}}: i64):
// CHECK:           call @model(%[[PHASE]])
func.func @phases(%S: memref<8xi64>, %t: i64) {
  %three = arith.constant 3 : i64
  lci.tick @A at %t, %three, %t target(%S : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %yes = arith.constant true
    lci.install %phase if %yes : i64
  }
  lci.tick @B at %t, %three, %t target(%S : memref<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = func.call @model(%phase) : (i64) -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  }
  return
}
