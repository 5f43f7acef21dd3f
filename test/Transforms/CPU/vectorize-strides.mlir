// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-cpu-target{vector-bits=256},func.func(lci-vectorize-strides),canonicalize,cse)' | FileCheck %s
// Every other cell of a row is stored from vectors of all of them, after the next vector is loaded.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @colour(
// CHECK-SAME: %[[A:.*]]: memref<8x64xf32>, %[[COUNT:.*]]: memref<i64>
// CHECK-DAG: %[[REST:.*]] = arith.constant dense<[true, true, true, false, false, false, false, false]> : vector<8xi1>
// CHECK-DAG: %[[LAST:.*]] = arith.constant dense<[true, false, true, false, false, false, false, false]> : vector<8xi1>
// CHECK-DAG: %[[ALL:.*]] = arith.constant dense<[true, false, true, false, true, false, true, false]> : vector<8xi1>
// CHECK: %[[LEFT:.*]] = memref.subview %[[A]][1, 0] [3, 59] [2, 1] : memref<8x64xf32>
// CHECK: %[[OWN:.*]] = memref.subview %[[A]][1, 1] [3, 59] [2, 1] : memref<8x64xf32>
// CHECK: scf.for
// CHECK: vector.load %[[LEFT]]
// CHECK: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = {{.*}}) -> (vector<8xf32>)
// CHECK: vector.load %[[LEFT]]{{.*}} vector<8xf32>
// CHECK: %[[NEW:.*]] = arith.addf {{.*}} vector<8xf32>
// CHECK: %[[BITS:.*]] = vector.bitcast {{.*}} : vector<8xi1> to vector<1xi8>
// CHECK: math.ctpop
// CHECK: memref.store {{.*}}, %[[COUNT]][] : memref<i64>
// CHECK: vector.maskedstore %[[OWN]]{{.*}}, %[[ALL]], %[[BEFORE]]
// CHECK: scf.yield %[[NEW]]
// CHECK: vector.maskedload %[[LEFT]]{{.*}}, %[[REST]],
// CHECK: vector.maskedstore %[[OWN]]{{.*}}, %[[ALL]],
// CHECK: vector.maskedstore %[[OWN]]{{.*}}, %[[LAST]],
// CHECK-NOT: linalg.generic
func.func @colour(%a: memref<8x64xf32>, %count: memref<i64>) {
  %left = memref.subview %a[1, 0] [3, 30] [2, 2]
      : memref<8x64xf32> to memref<3x30xf32, strided<[128, 2], offset: 64>>
  %own = memref.subview %a[1, 1] [3, 30] [2, 2]
      : memref<8x64xf32> to memref<3x30xf32, strided<[128, 2], offset: 65>>
  linalg.generic {indexing_maps = [#id, #id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%left : memref<3x30xf32, strided<[128, 2], offset: 64>>)
      outs(%own, %count : memref<3x30xf32, strided<[128, 2], offset: 65>>, memref<i64>) {
  ^bb0(%x: f32, %old: f32, %n: i64):
    %new = arith.addf %x, %old : f32
    %changed = arith.cmpf one, %new, %old : f32
    %one = arith.extui %changed : i1 to i64
    %next = arith.addi %n, %one : i64
    linalg.yield %new, %next : f32, i64
  }
  return
}

// -----

// Cells side by side are LLVM's, and so is what is long, has regions, or another stride.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-4: linalg.generic
// CHECK-NOT: vector.
func.func @others(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) {
  %a1 = memref.subview %a[0] [30] [1] : memref<64xf32> to memref<30xf32, strided<[1]>>
  %a2 = memref.subview %a[0] [30] [2] : memref<64xf32> to memref<30xf32, strided<[2]>>
  %b1 = memref.subview %b[0] [30] [1] : memref<64xf32> to memref<30xf32, strided<[1]>>
  %b2 = memref.subview %b[0] [30] [2] : memref<64xf32> to memref<30xf32, strided<[2]>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a1 : memref<30xf32, strided<[1]>>) outs(%b1 : memref<30xf32, strided<[1]>>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a1 : memref<30xf32, strided<[1]>>) outs(%b2 : memref<30xf32, strided<[2]>>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a2 : memref<30xf32, strided<[2]>>) outs(%b2 : memref<30xf32, strided<[2]>>) {
  ^bb0(%x: f32, %old: f32):
    %i = linalg.index 0 : index
    %isFirst = arith.cmpi ult, %i, %n : index
    %y = arith.select %isFirst, %x, %old : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a2 : memref<30xf32, strided<[2]>>) outs(%b2 : memref<30xf32, strided<[2]>>) {
  ^bb0(%x: f32, %old: f32):
    %0 = arith.addf %x, %old : f32
    %1 = arith.mulf %0, %x : f32
    %2 = arith.addf %1, %old : f32
    %3 = arith.mulf %2, %x : f32
    %4 = arith.addf %3, %old : f32
    %5 = arith.mulf %4, %x : f32
    %6 = arith.addf %5, %old : f32
    %7 = arith.mulf %6, %x : f32
    %8 = arith.addf %7, %old : f32
    %9 = arith.mulf %8, %x : f32
    %10 = arith.addf %9, %old : f32
    %11 = arith.mulf %10, %x : f32
    %12 = arith.addf %11, %old : f32
    %13 = arith.mulf %12, %x : f32
    %14 = arith.addf %13, %old : f32
    %15 = arith.mulf %14, %x : f32
    %16 = arith.addf %15, %old : f32
    %17 = arith.mulf %16, %x : f32
    %18 = arith.addf %17, %old : f32
    %19 = arith.mulf %18, %x : f32
    %20 = arith.addf %19, %old : f32
    %21 = arith.mulf %20, %x : f32
    %22 = arith.addf %21, %old : f32
    %23 = arith.mulf %22, %x : f32
    %24 = arith.addf %23, %old : f32
    %25 = arith.mulf %24, %x : f32
    %26 = arith.addf %25, %old : f32
    %27 = arith.mulf %26, %x : f32
    linalg.yield %27 : f32
  }
  return
}

// -----

// How many rows there are may be computed, as in a part of a tick.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[A:.*]]: memref<64x64xf32>, %[[FIRST:.*]]: index, %[[ROWS:.*]]: index
// CHECK: %[[OWN:.*]] = memref.subview %[[A]][%[[FIRST]], 1] [%[[ROWS]], 63] [2, 1] : memref<64x64xf32>
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ROWS]]
// CHECK: vector.load %[[OWN]]
// CHECK-NOT: linalg.generic
func.func @rows(%a: memref<64x64xf32>, %first: index, %rows: index) {
  %own = memref.subview %a[%first, 1] [%rows, 32] [2, 2]
      : memref<64x64xf32> to memref<?x32xf32, strided<[128, 2], offset: ?>>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%own : memref<?x32xf32, strided<[128, 2], offset: ?>>) {
  ^bb0(%old: f32):
    %new = arith.addf %old, %old : f32
    linalg.yield %new : f32
  }
  return
}
