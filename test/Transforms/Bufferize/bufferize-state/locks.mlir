// RUN: lmpm-opt %s --lci-bufferize-state --canonicalize --cse --split-input-file | FileCheck %s
// A switch that settles a whole box is tested once, around the tick, and not for each cell.

// The buffers are a ping-pong pair, and nothing else writes the array: the locked box stays equal in both
// once it is so at the start. The cells of all boxes are copied, however many the switch settles.
// CHECK-LABEL: func @once
// CHECK-SAME: %[[A:[^:]*]]: memref<9xi8>
// CHECK-SAME: %[[LOCK:[^:]*]]: i1
// CHECK-SAME: %[[B:[^:]*]]: memref<9xi8>
// CHECK: scf.if %[[LOCK]] {
// CHECK:   %[[FROM:.*]] = memref.subview %[[A]][1] [8] [1]
// CHECK:   %[[TO:.*]] = memref.subview %[[B]][1] [8] [1]
// CHECK:   linalg.copy ins(%[[FROM]] {{.*}} outs(%[[TO]]
// CHECK-NOT: linalg.copy
// CHECK: scf.for
// CHECK-NOT: linalg.copy
// CHECK:   %[[OPEN:.*]] = arith.xori %[[LOCK]],
// CHECK:   scf.if %[[OPEN]] {
// CHECK:     lci.tick @A {{.*}} box [0] [4] step [1]
// CHECK:       lci.install %{{.*}} if %{{[a-z0-9_]+}} : i8
// CHECK:   }
// CHECK-NOT: else
// CHECK:   lci.tick @A {{.*}} box [4] [4] step [1]
func.func @once(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %lock: i1, %t: i64) -> tensor<8xi8> {
  %one = arith.constant 1 : i64
  %r = scf.for %e = %one to %t step %one iter_args(%s = %A) -> (tensor<8xi8>) : i64 {
    %m = lci.tick @A at %e, %e, %e inputs(%s, %lock : tensor<8xi8>, i1) target(%s : tensor<8xi8>)
        box [0] [4] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %locked: i1):
      %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
      %yes = arith.constant true
      lci.install %v if %yes unless %locked : i8
    } -> tensor<8xi8>
    %n = lci.tick @A at %e, %e, %e inputs(%s : tensor<8xi8>) target(%m : tensor<8xi8>)
        box [4] [4] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
      %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
      %yes = arith.constant true
      lci.install %v if %yes : i8
    } -> tensor<8xi8>
    scf.yield %n : tensor<8xi8>
  }
  return %r : tensor<8xi8>
}

// -----

// Two phases write the array: where the switch is on, the box is copied with each.
// CHECK-LABEL: func @twice
// CHECK-SAME: %[[LOCK:[^:]*]]: i1
// CHECK: scf.if %[[LOCK]] {
// CHECK:   linalg.copy
// CHECK: } else {
// CHECK:   lci.tick
// CHECK: }
func.func @twice(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %lock: i1, %t: i64) -> tensor<8xi8> {
  %m = lci.tick @A at %t, %t, %t inputs(%A, %lock : tensor<8xi8>, i1) target(%A : tensor<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %locked: i1):
    %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %yes = arith.constant true
    lci.install %v if %yes unless %locked : i8
  } -> tensor<8xi8>
  %n = lci.tick @A at %t, %t, %t inputs(%m : tensor<8xi8>) target(%m : tensor<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  } -> tensor<8xi8>
  return %n : tensor<8xi8>
}

// -----

// In place nothing needs to be copied; of two switches the other one is tested next.
// CHECK-LABEL: func @either
// CHECK-SAME: %[[X:[^:]*]]: i1, %[[Y:[^:]*]]: i1
// CHECK: %[[NOTX:.*]] = arith.xori %[[X]],
// CHECK: scf.if %[[NOTX]] {
// CHECK:   %[[NOTY:.*]] = arith.xori %[[Y]],
// CHECK:   scf.if %[[NOTY]] {
// CHECK:     lci.tick
// CHECK:       lci.install %{{.*}} if %{{[a-z0-9_]+}} : i8
// CHECK-NOT: linalg.copy
func.func @either(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %x: i1, %y: i1, %t: i64) -> tensor<8xi8> {
  %m = lci.tick @A at %t, %t, %t inputs(%A, %x, %y : tensor<8xi8>, i1, i1) target(%A : tensor<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %on: i1, %off: i1):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %w = arith.addi %v, %v : i8
    %yes = arith.constant true
    %settled = arith.ori %on, %off : i1
    lci.install %w if %yes unless %settled : i8
  } -> tensor<8xi8>
  return %m : tensor<8xi8>
}

// -----

// What is settled cell by cell is a condition like others, where all cells are computed anyway.
// CHECK-LABEL: func @cells
// CHECK: %[[OPEN:.*]] = arith.cmpi ne
// CHECK: lci.install %{{.*}} if %{{.*}} tally %[[OPEN]] to [0] : i8
func.func @cells(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %t: i64, %k: tensor<1xi64>) -> (tensor<8xi8>, tensor<1xi64>) {
  %m:2 = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi8>) target(%A : tensor<8xi8>)
      counts(%k : tensor<1xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>):
    %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %zero = arith.constant 0 : i8
    %settled = arith.cmpi eq, %v, %zero : i8
    %yes = arith.constant true
    lci.install %v if %yes unless %settled tally %yes to [0] : i8
  } -> tensor<8xi8>, tensor<1xi64>
  return %m#0, %m#1 : tensor<8xi8>, tensor<1xi64>
}

// -----

// Cells settled in any case need no switch.
// CHECK-LABEL: func @always
// CHECK-NOT: scf.if
// CHECK: lci.tick
// CHECK-NOT: scf.if
// CHECK: return
func.func @always(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %on: i1, %t: i64) -> tensor<8xi8> {
  %m = lci.tick @A at %t, %t, %t inputs(%A, %on : tensor<8xi8>, i1) target(%A : tensor<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %switch: i1):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %w = arith.addi %v, %v : i8
    %yes = arith.constant true
    %settled = arith.ori %switch, %yes : i1
    lci.install %w if %yes unless %settled : i8
  } -> tensor<8xi8>
  return %m : tensor<8xi8>
}

// -----

// Off, the rule's switch settles all cells; on, it leaves open which of them the lock settles. Of a
// body that loops it is tested for each cell still, so that unchanged cells are copied first.
// CHECK-LABEL: func @both
// CHECK-SAME: %[[RULE:[^:]*]]: i1, %[[LOCK:[^:]*]]: i1
// CHECK: linalg.copy
// CHECK: scf.if %[[RULE]] {
// CHECK:   lci.tick
// CHECK:     lci.install %{{.*}} if %{{.*}} unless %{{.*}} : i8
func.func @both(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %rule: i1, %lock: i1, %t: i64) -> tensor<8xi8> {
  %m = lci.tick @A at %t, %t, %t inputs(%A, %rule, %lock : tensor<8xi8>, i1, i1) target(%A : tensor<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %on: i1, %locked: i1):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %absent = arith.constant 4 : i8
    %self = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %left = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
    %v = scf.for %k = %c0 to %c4 step %c1 iter_args(%sum = %self) -> (i8) {
      %next = arith.addi %sum, %left : i8
      scf.yield %next : i8
    }
    %yes = arith.constant true
    %off = arith.xori %on, %yes : i1
    %present = arith.cmpi ne, %self, %absent : i8
    %stays = arith.andi %locked, %present : i1
    %settled = arith.ori %stays, %off : i1
    lci.install %v if %on unless %settled : i8
  } -> tensor<8xi8>
  return %m : tensor<8xi8>
}
