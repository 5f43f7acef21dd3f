// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-gpu-target{multiprocessors=8},func.func(lci-fuse-launches{max-work=150},cse))' | FileCheck %s
// Launches that do not wait for each other are one, whose blocks are those of the first one, then those of the next.

// The even and the odd rows of an array, and one behind a view of a view: none reads what another one writes. All may
// add to one number.
// CHECK-LABEL: func.func @rows(
// CHECK:         gpu.launch blocks({{[^,]*}}, %[[BLOCK:[a-z0-9]*]], {{[^)]*}}) in ({{[^=]*}} = %c1, {{[^=]*}} = %c11, {{[^=]*}} = %c1) threads(%[[X:[a-z0-9]*]], {{[^)]*}}) in ({{[^=]*}} = %c16, {{[^=]*}} = %c1, {{[^=]*}} = %c1)
// CHECK:           %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK]], %c4
// CHECK:           scf.if %[[FIRST]] {
// CHECK:             memref.load %{{.*}}[%[[BLOCK]], %[[X]]]
// CHECK:             memref.atomic_rmw
// CHECK:           } else {
// CHECK:             %[[REST:.*]] = arith.subi %[[BLOCK]], %c4
// CHECK:             %[[SECOND:.*]] = arith.cmpi ult, %[[REST]], %c3
// CHECK:             scf.if %[[SECOND]] {
// CHECK:               memref.load %{{.*}}[%[[REST]], %[[X]]]
// CHECK:               memref.atomic_rmw
// CHECK:             } else {
// CHECK:               %[[LAST:.*]] = arith.subi %[[REST]], %c3
// CHECK:               %[[COLUMN:.*]] = arith.remui %[[LAST]], %c2
// CHECK:               %[[ROW:.*]] = arith.divui %[[LAST]], %c2
// CHECK:               memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[COLUMN]]]
// CHECK:         gpu.terminator
// CHECK-NOT:     gpu.launch
// CHECK:         return
func.func @rows(%u: memref<9x16xf32> {llvm.noalias}, %counts: memref<1xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i64
  %even = memref.subview %u[0, 0] [4, 16] [2, 1] : memref<9x16xf32> to memref<4x16xf32, strided<[32, 1]>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c4, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %x = memref.load %even[%by, %tx] : memref<4x16xf32, strided<[32, 1]>>
    %y = arith.addf %x, %x : f32
    memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<1xi64>) -> i64
    memref.store %y, %even[%by, %tx] : memref<4x16xf32, strided<[32, 1]>>
    gpu.terminator
  }
  %inner = memref.subview %u[1, 0] [7, 16] [1, 1] : memref<9x16xf32> to memref<7x16xf32, strided<[16, 1], offset: 16>>
  %odd = memref.subview %inner[0, 0] [3, 16] [2, 1] : memref<7x16xf32, strided<[16, 1], offset: 16>> to memref<3x16xf32, strided<[32, 1], offset: 16>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c3, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %x = memref.load %odd[%by, %tx] : memref<3x16xf32, strided<[32, 1], offset: 16>>
    %y = arith.mulf %x, %x : f32
    memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<1xi64>) -> i64
    memref.store %y, %odd[%by, %tx] : memref<3x16xf32, strided<[32, 1], offset: 16>>
    gpu.terminator
  }
  %last = memref.subview %u[8, 0] [1, 2] [1, 1] : memref<9x16xf32> to memref<1x2xf32, strided<[16, 1], offset: 128>>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c2, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %last[%by, %bx] : memref<1x2xf32, strided<[16, 1], offset: 128>>
    gpu.terminator
  }
  return
}

// -----

// A block of another shape is the first threads of the largest; memory of a thread is reserved once.
// CHECK-LABEL: func.func @shapes(
// CHECK:         gpu.launch blocks(%[[BLOCK:[a-z0-9]*]], {{[^)]*}}) in ({{[^=]*}} = %c2, {{[^=]*}} = %c1, {{[^=]*}} = %c1) threads(%[[THREAD:[a-z0-9]*]], {{[^)]*}}) in ({{[^=]*}} = %c8, {{[^=]*}} = %c1, {{[^=]*}} = %c1)
// CHECK:           %[[OWN:.*]] = memref.alloca() : memref<2xf32>
// CHECK:           %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK]], %c1
// CHECK:           scf.if %[[FIRST]] {
// CHECK:             %[[IS:.*]] = arith.cmpi ult, %[[THREAD]], %c6
// CHECK:             scf.if %[[IS]] {
// CHECK:               %[[X:.*]] = arith.remui %[[THREAD]], %c2
// CHECK:               %[[Y:.*]] = arith.divui %[[THREAD]], %c2
// CHECK-NOT:           memref.alloca
// CHECK:               memref.store %{{.*}}, %[[OWN]]
// CHECK:               memref.store %{{.*}}, %{{.*}}[%[[Y]], %[[X]]]
// CHECK:           } else {
// CHECK-NOT:         arith.cmpi
// CHECK:             memref.store %{{.*}}, %{{.*}}[%[[THREAD]]]
// CHECK-NOT:     gpu.launch
// CHECK:         return
func.func @shapes(%u: memref<3x2xf32> {llvm.noalias}, %v: memref<8xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c2, %sy = %c3, %sz = %c1) {
    %own = memref.alloca() : memref<2xf32>
    memref.store %x, %own[%c0] : memref<2xf32>
    memref.store %x, %u[%ty, %tx] : memref<3x2xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %v[%tx] : memref<8xf32>
    gpu.terminator
  }
  return
}

// -----

// The second one reads what the first one writes, and the third one does not wait for either: it runs with the first.
// Nobody may look at a number while others add to it, and the fifth writes what the second reads.
// CHECK-LABEL: func.func @rounds(
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}}, %arg1[
// CHECK:           memref.store %{{.*}}, %arg3[
// CHECK:           memref.atomic_rmw
// CHECK:         gpu.launch
// CHECK:           memref.load %arg1[
// CHECK:           memref.store %{{.*}}, %arg2[
// CHECK:           memref.load %arg4[
// CHECK:         gpu.launch
// CHECK-NOT:       arith.cmpi
// CHECK:           memref.store %{{.*}}, %arg1[
// CHECK-NOT:     gpu.launch
// CHECK:         return
func.func @rounds(%a: memref<8xi64> {llvm.noalias}, %b: memref<8xi64> {llvm.noalias}, %c: memref<8xi64> {llvm.noalias}, %d: memref<8xi64> {llvm.noalias}, %n: memref<1xi64> {llvm.noalias}, %e: memref<8xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<8xi64>
    memref.store %x, %b[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %x = memref.load %b[%tx] : memref<8xi64>
    memref.store %x, %c[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<8xi64>
    memref.store %x, %d[%tx] : memref<8xi64>
    memref.atomic_rmw addi %x, %n[%c0] : (i64, memref<1xi64>) -> i64
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %x = memref.load %n[%c0] : memref<1xi64>
    memref.store %x, %e[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %x = memref.load %a[%tx] : memref<8xi64>
    memref.store %x, %b[%tx] : memref<8xi64>
    gpu.terminator
  }
  return
}

// -----

// Alone stay launches of sizes that are no constants, without threads, whose threads meet or share memory, that nobody
// waits for yet, with something between that nobody knows; and those of buffers that may be one.
// CHECK-LABEL: func.func @alone(
// CHECK-COUNT-9: gpu.launch
// CHECK-NOT:   gpu.launch
// CHECK:       return
func.func private @stranger()
func.func @alone(%many: index, %a: memref<8xi64> {llvm.noalias}, %b: memref<8xi64> {llvm.noalias}, %c: memref<8xi64>, %d: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 7 : i64
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %many, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c0, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %b[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%tx] : memref<8xi64>
    gpu.barrier
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) workgroup(%tile : memref<8xi64, #gpu.address_space<workgroup>>) {
    memref.store %x, %tile[%tx] : memref<8xi64, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %c[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %d[%tx] : memref<8xi64>
    gpu.terminator
  }
  func.call @stranger() : () -> ()
  %token = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %b[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.wait [%token]
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %b[%tx] : memref<8xi64>
    gpu.terminator
  }
  return
}

// -----

// A large launch takes a small one along that has as little to do for each thread; not one with much more, and not
// another large one.
// CHECK-LABEL: func.func @sizes(
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}}, %arg0[
// CHECK:           memref.store %{{.*}}, %arg1[
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}}, %arg2[
// CHECK:         gpu.launch
// CHECK:           memref.store %{{.*}}, %arg3[
// CHECK:         return
func.func @sizes(%a: memref<800xi64> {llvm.noalias}, %b: memref<8xi64> {llvm.noalias}, %c: memref<8xvector<16xi64>> {llvm.noalias}, %d: memref<800xi64> {llvm.noalias}) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c100 = arith.constant 100 : index
  %x = arith.constant 7 : i64
  %y = arith.constant dense<7> : vector<16xi64>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c100, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%bx] : memref<800xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %b[%tx] : memref<8xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    %sum = arith.addi %y, %y : vector<16xi64>
    memref.store %sum, %c[%tx] : memref<8xvector<16xi64>>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c100, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %x, %d[%bx] : memref<800xi64>
    gpu.terminator
  }
  return
}

// -----

// The blocks of the others fill whole slices of the largest grid; those that are too many do nothing.
// CHECK-LABEL: func.func @slices(
// CHECK:         gpu.launch blocks(%[[X:[a-z0-9]*]], %[[Y:[a-z0-9]*]], {{[^)]*}}) in ({{[^=]*}} = %c3, {{[^=]*}} = %c10, {{[^=]*}} = %c1)
// CHECK:           %[[OWN:.*]] = arith.cmpi ult, %[[Y]], %c8
// CHECK:           scf.if %[[OWN]] {
// CHECK:             memref.store %{{.*}}, %arg0[%[[Y]], %[[X]]]
// CHECK:           } else {
// CHECK:             %[[BEYOND:.*]] = arith.subi %[[Y]], %c8
// CHECK:             %[[ROWS:.*]] = arith.muli %[[BEYOND]], %c3
// CHECK:             %[[NUMBER:.*]] = arith.addi %[[X]], %[[ROWS]]
// CHECK:             %[[IS:.*]] = arith.cmpi ult, %[[NUMBER]], %c4
// CHECK:             scf.if %[[IS]] {
// CHECK:               memref.store %{{.*}}, %arg1[%[[NUMBER]]]
// CHECK-NOT:         else
// CHECK:         gpu.terminator
// CHECK:         return
func.func @slices(%a: memref<8x3xi64> {llvm.noalias}, %b: memref<4xi64> {llvm.noalias}) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 7 : i64
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c3, %gy = %c8, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%by, %bx] : memref<8x3xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %b[%bx] : memref<4xi64>
    gpu.terminator
  }
  return
}

// -----

// Where most of a slice would be for nothing, the largest one divides as well.
// CHECK-LABEL: func.func @line(
// CHECK:         gpu.launch blocks(%[[X:[a-z0-9]*]], {{[^)]*}}) in ({{[^=]*}} = %c13, {{[^=]*}} = %c1, {{[^=]*}} = %c1)
// CHECK:           scf.if
// CHECK:             %[[COLUMN:.*]] = arith.remui %[[X]], %c6
// CHECK:             %[[ROW:.*]] = arith.divui %[[X]], %c6
// CHECK:             memref.store %{{.*}}, %arg0[%[[ROW]], %[[COLUMN]]]
// CHECK:           } else {
// CHECK:             memref.store %{{.*}}, %arg1[%c0]
// CHECK:         return
func.func @line(%a: memref<2x6xi64> {llvm.noalias}, %b: memref<1xi64> {llvm.noalias}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %x = arith.constant 7 : i64
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c6, %gy = %c2, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %a[%by, %bx] : memref<2x6xi64>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %zero = arith.constant 0 : index
    memref.store %x, %b[%zero] : memref<1xi64>
    gpu.terminator
  }
  return
}
