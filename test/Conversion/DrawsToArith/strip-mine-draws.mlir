// RUN: lmpm-opt %s --lci-strip-mine-draws --loop-invariant-code-motion | FileCheck %s
// A loop over cells is cut where their group changes, so that what depends on the group moves out.

// CHECK-LABEL: func @threshold
// CHECK-SAME: (%{{.*}}: memref<80xi64>, %[[FIRST:.*]]: index, %[[LAST:.*]]: index)
func.func @threshold(%out: memref<80xi64>, %first: index, %last: index) {
  %one = arith.constant 1 : index
  %five = arith.constant 5 : i64
  %factor = arith.constant 3528531795 : i64
  // CHECK: scf.while (%[[I:.*]] = %[[FIRST]]) : (index) -> index {
  // CHECK:   arith.cmpi slt, %[[I]], %[[LAST]] : index
  // CHECK: } do {
  // CHECK: ^bb0(%[[START:.*]]: index):
  // CHECK:   %[[CELL:.*]] = arith.index_cast %[[START]] : index to i64
  // CHECK:   %[[GROUP:.*]] = arith.shrui %[[CELL]]
  // CHECK:   %[[PRODUCT:.*]] = arith.muli %[[GROUP]]
  // CHECK:   scf.while (%[[J:.*]] = %[[START]]) : (index) -> index {
  // CHECK:     memref.store %[[PRODUCT]], %{{.*}}[%[[J]]]
  // CHECK:     %[[NEXT:.*]] = arith.addi %[[J]]
  // CHECK:     %[[INSIDE:.*]] = arith.cmpi slt, %[[NEXT]], %[[LAST]]
  // CHECK:     %[[OTHER:.*]] = arith.shrui
  // CHECK:     %[[SAME:.*]] = arith.cmpi eq, %[[OTHER]], %[[GROUP]]
  // CHECK:     %[[ON:.*]] = arith.andi %[[INSIDE]], %[[SAME]]
  // CHECK:     scf.condition(%[[ON]]) %[[NEXT]]
  scf.for %i = %first to %last step %one {
    %cell = arith.index_cast %i : index to i64
    %group = arith.shrui %cell, %five : i64
    %product = arith.muli %group, %factor : i64
    memref.store %product, %out[%i] : memref<80xi64>
  }
  return
}

// Carried values go through both loops.
// CHECK-LABEL: func @carried
func.func @carried(%first: index, %last: index, %start: i64) -> i64 {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : i64
  // CHECK: %[[OUTER:.*]]:2 = scf.while
  // CHECK: %[[INNER:.*]]:2 = scf.while
  // CHECK: scf.yield %[[INNER]]#0, %[[INNER]]#1
  // CHECK: return %[[OUTER]]#1
  %sum = scf.for %i = %first to %last step %one iter_args(%a = %start) -> (i64) {
    %cell = arith.index_cast %i : index to i64
    %group = arith.shrui %cell, %two : i64
    %b = arith.addi %a, %group : i64
    scf.yield %b : i64
  }
  return %sum : i64
}

// A shift of what the loop carries, or of what does not change in it, is no group of cells.
// CHECK-LABEL: func @no_group
func.func @no_group(%first: index, %last: index, %start: i64) -> i64 {
  // CHECK-NOT: scf.while
  %one = arith.constant 1 : index
  %five = arith.constant 5 : i64
  %sum = scf.for %i = %first to %last step %one iter_args(%a = %start) -> (i64) {
    %group = arith.shrui %a, %five : i64
    %outer = arith.shrui %start, %five : i64
    %b = arith.addi %group, %outer : i64
    scf.yield %b : i64
  }
  return %sum : i64
}

// Each iteration makes vectors of a group or more: none shares anything with the next one.
// CHECK-LABEL: func @whole_groups
func.func @whole_groups(%first: index, %last: index, %start: i64) -> i64 {
  // CHECK-NOT: scf.while
  %many = arith.constant 32 : index
  %five = arith.constant 5 : i64
  %sum = scf.for %i = %first to %last step %many iter_args(%a = %start) -> (i64) {
    %cell = arith.index_cast %i : index to i64
    %group = arith.shrui %cell, %five : i64
    %b = arith.addi %a, %group : i64
    scf.yield %b : i64
  }
  return %sum : i64
}

// Half of a group is left for the next iteration.
// CHECK-LABEL: func @half_groups
func.func @half_groups(%first: index, %last: index, %start: i64) -> i64 {
  // CHECK-COUNT-2: scf.while
  %some = arith.constant 16 : index
  %five = arith.constant 5 : i64
  %sum = scf.for %i = %first to %last step %some iter_args(%a = %start) -> (i64) {
    %cell = arith.index_cast %i : index to i64
    %group = arith.shrui %cell, %five : i64
    %b = arith.addi %a, %group : i64
    scf.yield %b : i64
  }
  return %sum : i64
}
