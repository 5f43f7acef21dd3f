// RUN: lmpm-opt %s --lci-sink-into-kernels | FileCheck %s
// Kernels compute what a launch plan cannot: numbers, what follows from them, and elements of buffers that
// are only read. Integers stay with the host.

// CHECK-LABEL: func @numbers
// CHECK-SAME:    %[[E:.*]]: i64, %[[M:.*]]: memref<4xf32>, %[[P:.*]]: memref<2xf32>
// CHECK-NOT:     arith.sitofp
// CHECK:         %[[DOUBLE:.*]] = arith.addi %[[E]], %[[E]]
// CHECK-NOT:     memref.load
// CHECK:         gpu.launch
// CHECK-DAG:       %[[RATE:.*]] = arith.constant 5.000000e-01
// CHECK-DAG:       %[[X:.*]] = arith.sitofp %[[DOUBLE]]
// CHECK-DAG:       %[[LOADED:.*]] = memref.load %[[P]]
// CHECK-DAG:       %[[SCALED:.*]] = arith.mulf %[[X]], %[[RATE]]
// CHECK:           %[[SUM:.*]] = arith.addf %[[SCALED]], %[[LOADED]]
// CHECK:           memref.store %[[SUM]], %[[M]]
func.func @numbers(%e: i64, %m: memref<4xf32>, %p: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  %rate = arith.constant 0.5 : f32
  %double = arith.addi %e, %e : i64
  %x = arith.sitofp %double : i64 to f32
  %scaled = arith.mulf %x, %rate : f32
  %loaded = memref.load %p[%c1] : memref<2xf32>
  %sum = arith.addf %scaled, %loaded : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %sum, %m[%tx] : memref<4xf32>
    gpu.terminator
  }
  return
}

// A choice between integers follows from a comparison of numbers.
// CHECK-LABEL: func @follows
// CHECK-NOT:     arith.select
// CHECK:         gpu.launch
// CHECK:           arith.cmpf
// CHECK:           arith.select
// What a buffer holds that the function writes may change: it is loaded where it stands.
// CHECK-LABEL: func @written
// CHECK:         memref.load
// CHECK:         gpu.launch
// CHECK-NOT:       memref.load
func.func @follows(%x: f32, %m: memref<4xi64>, %a: i64, %b: i64) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %isLess = arith.cmpf olt, %x, %zero : f32
  %chosen = arith.select %isLess, %a, %b : i64
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %chosen, %m[%tx] : memref<4xi64>
    gpu.terminator
  }
  return
}

func.func @written(%m: memref<4xi64>) {
  %c1 = arith.constant 1 : index
  %old = memref.load %m[%c1] : memref<4xi64>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %old, %m[%tx] : memref<4xi64>
    gpu.terminator
  }
  return
}

// A table is a symbol, which the kernels' module gets a copy of.
memref.global "private" constant @table : memref<2xi32> = dense<[3, 4]>
// CHECK-LABEL: func @tables
// CHECK-NOT:     memref.get_global
// CHECK:         gpu.launch
// CHECK:           memref.get_global @table
func.func @tables(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %table = memref.get_global @table : memref<2xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %entry = memref.load %table[%tx] : memref<2xi32>
    memref.store %entry, %m[%tx] : memref<4xi32>
    gpu.terminator
  }
  return
}

// What a stranger hangs on an operation is no function that the kernel calls.
// CHECK-LABEL: func @names_of_symbols
// CHECK:         gpu.launch
// CHECK-NOT:       @nothing
// CHECK:         return
func.func @names_of_symbols(%m: memref<4xi64>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %x = arith.index_cast %tx {told = [@nothing]} : index to i64
    memref.store %x, %m[%tx] : memref<4xi64>
    gpu.terminator
  }
  return
}

// A division by a number that may be zero is not hoisted; a kernel divides under the condition of the host.
// CHECK-LABEL: func @divided
// CHECK-NOT:     arith.divui
// CHECK:         gpu.launch
// CHECK:           memref.load %{{.*}}[%{{.*}}] : memref<5xi64>
// CHECK:           arith.divui
func.func @divided(%m: memref<4xi64>, %p: memref<5xi64>, %i: index) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %element = memref.load %p[%i] : memref<5xi64>
  %divisor = arith.maxsi %element, %one : i64
  %share = arith.divui %eight, %divisor : i64
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %share, %m[%tx] : memref<4xi64>
    gpu.terminator
  }
  return
}
