// RUN: lmpm-opt %s --lci-fuse-sibling-loops | FileCheck %s
// Loops of a cell over the same, which have something in common, become one, and what both compute is
// computed once.

#cells = affine_map<(d0) -> (d0)>

// The first loop comes to the second one's place in the results, not in the order.
// CHECK-LABEL: func.func @sum_and_most(
// CHECK:         linalg.generic
// CHECK:           %[[BOTH:.*]]:2 = scf.for %[[K:.*]] = %c0 to %c9 step %c1 iter_args(%[[M:.*]] = %c0_i64, %[[S:.*]] = %c0_i64)
// CHECK-NEXT:        %[[V:.*]] = memref.load %arg0[%[[K]]]
// CHECK-NEXT:        %[[MORE:.*]] = arith.maxsi %[[M]], %[[V]]
// CHECK-NEXT:        %[[SUM:.*]] = arith.addi %[[S]], %[[V]]
// CHECK-NEXT:        scf.yield %[[MORE]], %[[SUM]]
// CHECK-NOT:       scf.for
// CHECK:           arith.muli %[[BOTH]]#1, %[[BOTH]]#0
func.func @sum_and_most(%a: memref<9xi64>, %out: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i64
  linalg.generic {indexing_maps = [#cells], iterator_types = ["parallel"]} outs(%out : memref<4xi64>) {
  ^bb0(%old: i64):
    %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %n = arith.addi %s, %v : i64
      scf.yield %n : i64
    }
    %most = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %n = arith.maxsi %m, %v : i64
      scf.yield %n : i64
    }
    %r = arith.muli %sum, %most : i64
    linalg.yield %r : i64
  }
  return
}

// Two questions about the same candidates: each takes two loops, of which the second one depends on
// the first one. What stands between the loops moves up, and equal loops in them stay once.
// CHECK-LABEL: func.func @two_questions(
// CHECK:         linalg.generic
// CHECK:           %[[BEST:.*]]:2 = scf.for {{.*}} -> (i64, i64) {
// CHECK:             scf.for
// CHECK:               memref.load
// CHECK-NOT:         scf.for
// CHECK:             scf.yield
// CHECK:           arith.addi %[[BEST]]#{{.}}, %c3_i64
// CHECK:           scf.for {{.*}} -> (i64, i64) {
// CHECK:             scf.for
// CHECK:               memref.load
// CHECK-NOT:         scf.for
// CHECK:             scf.yield
// CHECK-NOT:       scf.for
// CHECK:           linalg.yield
func.func @two_questions(%a: memref<9xi64>, %out: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  linalg.generic {indexing_maps = [#cells], iterator_types = ["parallel"]} outs(%out : memref<4xi64>) {
  ^bb0(%old: i64):
    %best = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %zero) -> (i64) {
      %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%t = %zero) -> (i64) {
        %v = memref.load %a[%j] : memref<9xi64>
        %n = arith.addi %t, %v : i64
        scf.yield %n : i64
      }
      %n = arith.maxsi %m, %s : i64
      scf.yield %n : i64
    }
    %from = arith.addi %best, %three : i64
    %first = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %from) -> (i64) {
      %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%t = %zero) -> (i64) {
        %v = memref.load %a[%j] : memref<9xi64>
        %n = arith.addi %t, %v : i64
        scf.yield %n : i64
      }
      %n = arith.minsi %m, %s : i64
      scf.yield %n : i64
    }
    %least = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %old) -> (i64) {
      %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%t = %zero) -> (i64) {
        %v = memref.load %a[%j] : memref<9xi64>
        %n = arith.addi %t, %v : i64
        scf.yield %n : i64
      }
      %n = arith.minsi %m, %s : i64
      scf.yield %n : i64
    }
    %below = arith.subi %least, %three : i64
    %second = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %below) -> (i64) {
      %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%t = %zero) -> (i64) {
        %v = memref.load %a[%j] : memref<9xi64>
        %n = arith.addi %t, %v : i64
        scf.yield %n : i64
      }
      %n = arith.maxsi %m, %s : i64
      scf.yield %n : i64
    }
    %r = arith.muli %first, %second : i64
    linalg.yield %r : i64
  }
  return
}

// What branches is dropped as well where its equal stands before.
// CHECK-LABEL: func.func @branches(
// CHECK:         %[[ONE:.*]] = scf.if
// CHECK-NOT:     scf.if
// CHECK:         arith.addi %[[ONE]], %[[ONE]]
func.func @branches(%a: memref<9xi64>, %out: memref<4xi64>, %yes: i1) {
  %c0 = arith.constant 0 : index
  linalg.generic {indexing_maps = [#cells], iterator_types = ["parallel"]} outs(%out : memref<4xi64>) {
  ^bb0(%old: i64):
    %one = scf.if %yes -> (i64) {
      %v = memref.load %a[%c0] : memref<9xi64>
      scf.yield %v : i64
    } else {
      scf.yield %old : i64
    }
    %other = scf.if %yes -> (i64) {
      %v = memref.load %a[%c0] : memref<9xi64>
      scf.yield %v : i64
    } else {
      scf.yield %old : i64
    }
    %r = arith.addi %one, %other : i64
    linalg.yield %r : i64
  }
  return
}

// The second loop begins with what the first one found.
// CHECK-LABEL: func.func @in_turn(
// CHECK-COUNT-2: scf.for
func.func @in_turn(%a: memref<9xi64>, %out: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  linalg.generic {indexing_maps = [#cells], iterator_types = ["parallel"]} outs(%out : memref<4xi64>) {
  ^bb0(%old: i64):
    %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %old) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %n = arith.addi %s, %v : i64
      scf.yield %n : i64
    }
    %most = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %sum) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %n = arith.maxsi %m, %v : i64
      scf.yield %n : i64
    }
    linalg.yield %most : i64
  }
  return
}

// The second loop computes with what the first one found, which only its body says.
// CHECK-LABEL: func.func @captured(
// CHECK-COUNT-2: scf.for
func.func @captured(%a: memref<9xi64>, %out: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i64
  linalg.generic {indexing_maps = [#cells], iterator_types = ["parallel"]} outs(%out : memref<4xi64>) {
  ^bb0(%old: i64):
    %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %n = arith.addi %s, %v : i64
      scf.yield %n : i64
    }
    %half = arith.shrui %sum, %old : i64
    %most = scf.for %k = %c0 to %c9 step %c1 iter_args(%m = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %d = arith.subi %v, %half : i64
      %n = arith.maxsi %m, %d : i64
      scf.yield %n : i64
    }
    linalg.yield %most : i64
  }
  return
}

// Other bounds, or nothing in common but where they begin and end.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-3: scf.for
func.func @apart(%a: memref<9xi64>, %b: memref<9xi64>, %out: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i64
  linalg.generic {indexing_maps = [#cells], iterator_types = ["parallel"]} outs(%out : memref<4xi64>) {
  ^bb0(%old: i64):
    %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %n = arith.addi %s, %v : i64
      scf.yield %n : i64
    }
    %short = scf.for %k = %c0 to %c8 step %c1 iter_args(%s = %zero) -> (i64) {
      %v = memref.load %a[%k] : memref<9xi64>
      %n = arith.addi %s, %v : i64
      scf.yield %n : i64
    }
    %other = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (i64) {
      %v = memref.load %b[%k] : memref<9xi64>
      %n = arith.addi %s, %v : i64
      scf.yield %n : i64
    }
    %both = arith.addi %sum, %short : i64
    %r = arith.addi %both, %other : i64
    linalg.yield %r : i64
  }
  return
}

// Something is written between the loops.
// CHECK-LABEL: func.func @written(
// CHECK:         scf.for
// CHECK:         memref.store
// CHECK:         scf.for
func.func @written(%a: memref<9xi64>) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (i64) {
    %v = memref.load %a[%k] : memref<9xi64>
    %n = arith.addi %s, %v : i64
    scf.yield %n : i64
  }
  memref.store %sum, %a[%c0] : memref<9xi64>
  %again = scf.for %k = %c0 to %c9 step %c1 iter_args(%s = %zero) -> (i64) {
    %v = memref.load %a[%k] : memref<9xi64>
    %n = arith.addi %s, %v : i64
    scf.yield %n : i64
  }
  return %sum, %again : i64, i64
}
