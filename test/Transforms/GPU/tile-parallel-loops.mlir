// RUN: lmpm-opt %s --lci-attach-gpu-target=block-threads=64 --lci-tile-parallel-loops --split-input-file | FileCheck %s
// Threads follow the last axis, whatever the rank.

// CHECK-LABEL: func @two_axes
// CHECK:         %[[BLOCK:.*]] = arith.muli %c1{{.*}}, %c64{{.*}}
// CHECK:         scf.parallel ({{.*}}) = (%c0{{.*}}, %c0{{.*}}) to (%c16{{.*}}, %c256{{.*}}) step (%{{.*}}, %[[BLOCK]]) {
// CHECK:           scf.parallel
func.func @two_axes(%m: memref<16x256xi8>, %v: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c256) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<16x256xi8>
    scf.reduce
  }
  return
}

// -----

// A grid has three axes: the first two of four become one.
// CHECK-LABEL: func @four_axes
// CHECK:         %[[THREE:.*]] = arith.muli %{{.*}}, %c3{{.*}} : index
// CHECK:         %[[NINE:.*]] = arith.muli %[[THREE]], %c3{{.*}} : index
// CHECK:         scf.parallel (%{{.*}}, %{{.*}}, %{{.*}}) = (%{{.*}}) to (%[[NINE]], %{{.*}}, %{{.*}}) step
// CHECK:           arith.remsi %[[FIRST:.*]], %c3{{.*}} : index
// CHECK:           arith.divsi %[[FIRST]], %c3{{.*}} : index
func.func @four_axes(%m: memref<3x3x2x2xi8>, %v: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i, %j, %k, %l) = (%c0, %c0, %c0, %c0) to (%c3, %c3, %c2, %c2) step (%c1, %c1, %c1, %c1) {
    memref.store %v, %m[%i, %j, %k, %l] : memref<3x3x2x2xi8>
    scf.reduce
  }
  return
}

// -----

// Of short rows a block takes several: eight words to a row, eight rows; and no more than there are.
// CHECK-LABEL: func @short_rows
// CHECK:         %[[ROWS:.*]] = arith.muli %c1, %c8
// CHECK:         %[[WORDS:.*]] = arith.muli %c1, %c8
// CHECK:         scf.parallel ({{.*}}) = (%c0, %c0) to (%c512, %c7) step (%[[ROWS]], %[[WORDS]]) {
// CHECK:         %[[FEW:.*]] = arith.muli %c1, %c4
// CHECK:         %[[WORDS:.*]] = arith.muli %c1, %c8
// CHECK:         scf.parallel ({{.*}}) = (%c0, %c0) to (%c3, %c7) step (%[[FEW]], %[[WORDS]]) {
func.func @short_rows(%m: memref<512x7xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c512 = arith.constant 512 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c512, %c7) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<512x7xi64>
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c7) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<512x7xi64>
    scf.reduce
  }
  return
}

// -----

// Loops with other steps count by one first.
// CHECK:       #[[AT:.*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK:       func.func @steps
// CHECK:         %[[TURNS:.*]] = arith.muli %{{.*}}, %c16
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[TURNS]])
// CHECK:           arith.cmpi ult, %{{.*}}, %[[TURNS]]
// CHECK:           affine.apply #[[AT]]
func.func @steps(%m: memref<64xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c4) {
    memref.store %v, %m[%i] : memref<64xi64>
    scf.reduce
  }
  return
}

// -----

// Only the first axis of a grid has room for more than 65,535 blocks: all cells follow it.
// CHECK-LABEL: func @tall
// CHECK:         %[[ALL:.*]] = arith.muli %{{.*}}, %c64
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[ALL]])
// CHECK:           arith.remsi
// CHECK:           arith.divsi
func.func @tall(%m: memref<100000x64xi8>, %v: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %many = arith.constant 100000 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%many, %c64) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<100000x64xi8>
    scf.reduce
  }
  return
}

// -----

// Who wants other threads beside each other says how many follow the last axis.
// CHECK-LABEL: func @rows
// CHECK:         %[[ROWS:.*]] = arith.muli %c1{{.*}}, %c4{{.*}}
// CHECK:         %[[COLUMNS:.*]] = arith.muli %c1{{.*}}, %c16{{.*}}
// CHECK:         scf.parallel ({{.*}}) = {{.*}} to (%c16{{.*}}, %c256{{.*}}) step (%[[ROWS]], %[[COLUMNS]]) {
func.func @rows(%m: memref<16x256xi8>, %v: i8) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c256 = arith.constant 256 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c256) step (%c1, %c1) {
    memref.store %v, %m[%i, %j] : memref<16x256xi8>
    scf.reduce
  } {lci.row_threads = 16 : i64}
  return
}
