// RUN: lmpm-opt %s --lci-narrow-counters --canonicalize | FileCheck %s
// Counters become 8-bit sums over strips short enough for them.

// CHECK-LABEL: func @whole_strips
// CHECK:         scf.for %[[S:.*]] = %c0 to %c1024 step %c128 {
// CHECK:           %[[END:.*]] = arith.addi %[[S]], %c128
// CHECK:           %[[SUM:.*]] = scf.for %[[I:.*]] = %[[S]] to %[[END]] step %c1 iter_args(%[[ACC:.*]] = %c0_i8) -> (i8) {
// CHECK-NOT:         memref.store
// CHECK:             %[[ONE:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK:             %[[MORE:.*]] = arith.addi %[[ACC]], %[[ONE]] : i8
// CHECK:             scf.yield %[[MORE]]
// CHECK:           %[[OLD:.*]] = memref.load %[[COUNT:.*]][]
// CHECK:           %[[WIDE:.*]] = arith.extui %[[SUM]] : i8 to i64
// CHECK:           %[[NEW:.*]] = arith.addi %[[OLD]], %[[WIDE]]
// CHECK:           memref.store %[[NEW]], %[[COUNT]][]
func.func @whole_strips(%x: memref<1024xi1>, %count: memref<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    %changed = memref.load %x[%i] : memref<1024xi1>
    %old = memref.load %count[] : memref<i64>
    %one = arith.extui %changed : i1 to i64
    %new = arith.addi %old, %one : i64
    memref.store %new, %count[] : memref<i64>
  }
  return
}

// Two tallies of one counter halve what a strip holds; the last strip may be short.
// CHECK-LABEL: func @two_tallies
// CHECK:         scf.for %[[S:.*]] = %c0 to %c1000 step %c127
// CHECK:           %[[NEXT:.*]] = arith.addi %[[S]], %c127
// CHECK:           %[[END:.*]] = arith.minsi %[[NEXT]], %c1000
func.func @two_tallies(%x: memref<1000xi1>, %count: memref<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  scf.for %i = %c0 to %c1000 step %c1 {
    %changed = memref.load %x[%i] : memref<1000xi1>
    %old = memref.load %count[] : memref<i64>
    %one = arith.extui %changed : i1 to i64
    %new = arith.addi %old, %one : i64
    %newer = arith.addi %new, %one : i64
    memref.store %newer, %count[] : memref<i64>
  }
  return
}

// CHECK-LABEL: func @negative_not_a_truth_value
// CHECK-NOT:     iter_args
func.func @negative_not_a_truth_value(%x: memref<1024xi8>, %count: memref<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c1 {
    %much = memref.load %x[%i] : memref<1024xi8>
    %old = memref.load %count[] : memref<i64>
    %more = arith.extui %much : i8 to i64
    %new = arith.addi %old, %more : i64
    memref.store %new, %count[] : memref<i64>
  }
  return
}

// Next to cells of 32 bits a sum of as many holds the whole row.
// CHECK-LABEL: func @wide_cells
// CHECK:         %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %c1000 step %c1 iter_args(%{{.*}} = %c0_i32) -> (i32) {
// CHECK:           memref.store %{{.*}} : memref<1000xf32>
// CHECK:           arith.extui %{{.*}} : i1 to i32
// CHECK:         arith.extui %[[SUM]] : i32 to i64
func.func @wide_cells(%x: memref<1000xi1>, %y: memref<1000xf32>, %v: f32, %count: memref<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  scf.for %i = %c0 to %c1000 step %c1 {
    %changed = memref.load %x[%i] : memref<1000xi1>
    memref.store %v, %y[%i] : memref<1000xf32>
    %old = memref.load %count[] : memref<i64>
    %one = arith.extui %changed : i1 to i64
    %new = arith.addi %old, %one : i64
    memref.store %new, %count[] : memref<i64>
  }
  return
}
