// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-fuse-nests))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-gpu-target,func.func(lci-fuse-nests))' | FileCheck %s --check-prefix=THREADS
// Operations over the same cells that share inputs are one.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// The first one reads the elements that the second one writes; counters are two numbers. The
// operation between them stays.
// Reductions are no threads.
// THREADS-LABEL: func.func @share(
// THREADS-COUNT-3: linalg.generic
// CHECK-LABEL: func.func @share(
// CHECK-SAME: %[[U:.*]]: memref<8x16xf32> {{.*}}, %[[V:.*]]: memref<8x16xf32> {{.*}}, %[[N:.*]]: memref<8x16xf32> {{.*}}, %[[O:.*]]: memref<8x16xf32> {{.*}}, %[[C:.*]]: memref<2xi64>
// CHECK-DAG: %[[C0:.*]] = memref.subview %[[C]][0] [1] [1]
// CHECK-DAG: %[[C1:.*]] = memref.subview %[[C]][1] [1] [1]
// CHECK: linalg.generic {{.*}} outs(%[[O]] :
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["reduction", "reduction"]
// CHECK-SAME: ins(%[[U]], %[[V]] :
// CHECK-SAME: outs(%[[N]], %[[C0]], %[[V]], %[[C1]] :
// CHECK: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32, %[[M:.*]]: i64, %{{.*}}: f32, %[[K:.*]]: i64):
// CHECK-NEXT: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[SQUARE]], %[[Y]]
// CHECK-NEXT: %[[M1:.*]] = arith.addi %[[M]]
// CHECK-NEXT: %[[DIFFERENCE:.*]] = arith.subf %[[Y]], %[[SQUARE]]
// CHECK-NEXT: %[[K1:.*]] = arith.addi %[[K]]
// CHECK-NEXT: linalg.yield %[[SUM]], %[[M1]], %[[DIFFERENCE]], %[[K1]]
// CHECK-NOT: linalg.generic
func.func @share(%u: memref<8x16xf32> {llvm.noalias}, %v: memref<8x16xf32> {llvm.noalias},
                 %next: memref<8x16xf32> {llvm.noalias}, %other: memref<8x16xf32> {llvm.noalias},
                 %counts: memref<2xi64> {llvm.noalias}) {
  %one = arith.constant 1 : i64
  %first = memref.subview %counts[0] [1] [1] : memref<2xi64> to memref<i64, strided<[]>>
  %second = memref.subview %counts[1] [1] [1] : memref<2xi64> to memref<i64, strided<[], offset: 1>>
  linalg.generic {indexing_maps = [#id, #id, #id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%u, %v : memref<8x16xf32>, memref<8x16xf32>) outs(%next, %first : memref<8x16xf32>, memref<i64, strided<[]>>) {
  ^bb0(%x: f32, %y: f32, %o: f32, %n: i64):
    %square = arith.mulf %x, %x : f32
    %sum = arith.addf %square, %y : f32
    %m = arith.addi %n, %one : i64
    linalg.yield %sum, %m : f32, i64
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%other : memref<8x16xf32>) {
  ^bb0(%o: f32):
    %zero = arith.constant 0.0 : f32
    linalg.yield %zero : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%v, %u : memref<8x16xf32>, memref<8x16xf32>) outs(%v, %second : memref<8x16xf32>, memref<i64, strided<[], offset: 1>>) {
  ^bb0(%y: f32, %x: f32, %o: f32, %n: i64):
    %square = arith.mulf %x, %x : f32
    %difference = arith.subf %y, %square : f32
    %m = arith.addi %n, %one : i64
    linalg.yield %difference, %m : f32, i64
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @reads_what_is_written(
// CHECK-COUNT-2: linalg.generic
func.func @reads_what_is_written(%u: memref<16xf32> {llvm.noalias}, %v: memref<16xf32> {llvm.noalias}, %w: memref<16xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%u : memref<16xf32>) outs(%v : memref<16xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%u, %v : memref<16xf32>, memref<16xf32>) outs(%w : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
// The first one reads a neighbour of what the second one writes.
// CHECK-LABEL: func.func @neighbour(
// CHECK-COUNT-2: linalg.generic
func.func @neighbour(%u: memref<17xf32> {llvm.noalias}, %v: memref<16xf32> {llvm.noalias}) {
  %right = memref.subview %u[1] [16] [1] : memref<17xf32> to memref<16xf32, strided<[1], offset: 1>>
  %here = memref.subview %u[0] [16] [1] : memref<17xf32> to memref<16xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%right, %here : memref<16xf32, strided<[1], offset: 1>>, memref<16xf32, strided<[1]>>) outs(%v : memref<16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%here : memref<16xf32, strided<[1]>>) outs(%here : memref<16xf32, strided<[1]>>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
// Nothing is shared; other trip counts; memory of which nothing is known; a call between.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-6: linalg.generic
func.func private @elsewhere()
func.func @apart(%a: memref<16xf32> {llvm.noalias}, %b: memref<16xf32> {llvm.noalias}, %c: memref<16xf32> {llvm.noalias},
                 %d: memref<16xf32> {llvm.noalias}, %x: memref<16xf32>, %y: memref<16xf32>) {
  %half = memref.subview %a[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  %some = memref.subview %d[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%half : memref<8xf32, strided<[1]>>) outs(%some : memref<8xf32, strided<[1]>>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  call @elsewhere() : () -> ()
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%c : memref<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%b : memref<16xf32>) outs(%d : memref<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  call @elsewhere() : () -> ()
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%x : memref<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  }
  return
}

// -----

// A view of a view is of the same buffer: the first operation reads what the one between writes. What
// is dead goes with its blocks.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @views_of_views(
// CHECK-NOT: scf.if
// CHECK-COUNT-3: linalg.generic
func.func @views_of_views(%a: memref<5xi8> {llvm.noalias}, %h: memref<6xi8> {llvm.noalias}, %b: memref<5xi8> {llvm.noalias},
                          %c: memref<1xi8> {llvm.noalias}, %yes: i1) {
  %inner = memref.subview %h[1] [5] [1] : memref<6xi8> to memref<5xi8, strided<[1], offset: 1>>
  %last = memref.subview %a[4] [1] [1] : memref<5xi8> to memref<1xi8, strided<[1], offset: 4>>
  %left = memref.subview %h[4] [1] [1] : memref<6xi8> to memref<1xi8, strided<[1], offset: 4>>
  %out = memref.subview %b[4] [1] [1] : memref<5xi8> to memref<1xi8, strided<[1], offset: 4>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%last, %left : memref<1xi8, strided<[1], offset: 4>>, memref<1xi8, strided<[1], offset: 4>>)
      outs(%out : memref<1xi8, strided<[1], offset: 4>>) {
  ^bb0(%u: i8, %v: i8, %o: i8):
    %s = arith.addi %u, %v : i8
    linalg.yield %s : i8
  }
  scf.if %yes {
    %dead = arith.addi %yes, %yes : i1
  }
  %written = memref.subview %inner[1] [3] [1] : memref<5xi8, strided<[1], offset: 1>> to memref<3xi8, strided<[1], offset: 2>>
  %there = memref.subview %a[1] [3] [1] : memref<5xi8> to memref<3xi8, strided<[1], offset: 1>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%there : memref<3xi8, strided<[1], offset: 1>>) outs(%written : memref<3xi8, strided<[1], offset: 2>>) {
  ^bb0(%u: i8, %o: i8):
    linalg.yield %u : i8
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%last : memref<1xi8, strided<[1], offset: 4>>) outs(%c : memref<1xi8>) {
  ^bb0(%u: i8, %o: i8):
    linalg.yield %u : i8
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// Even and odd rows of one array never meet: what the first one writes the second one does not read.
// Both may add to the same number.
// CHECK-LABEL: func.func @rows_that_never_meet(
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK-NEXT: memref.atomic_rmw
// CHECK: scf.if
// CHECK-NEXT: memref.atomic_rmw
// CHECK-NOT: linalg.generic
// CHECK: return
// THREADS-LABEL: func.func @rows_that_never_meet(
// THREADS: linalg.generic
// THREADS-NOT: linalg.generic
// THREADS: return
func.func @rows_that_never_meet(%u: memref<8x16xf32> {llvm.noalias}, %v: memref<8x16xf32> {llvm.noalias}, %counts: memref<1xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %even = memref.subview %u[0, 0] [4, 16] [2, 1] : memref<8x16xf32> to memref<4x16xf32, strided<[32, 1]>>
  %odd = memref.subview %u[1, 0] [4, 16] [2, 1] : memref<8x16xf32> to memref<4x16xf32, strided<[32, 1], offset: 16>>
  %shared = memref.subview %v[0, 0] [4, 16] [2, 1] : memref<8x16xf32> to memref<4x16xf32, strided<[32, 1]>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%even, %shared : memref<4x16xf32, strided<[32, 1]>>, memref<4x16xf32, strided<[32, 1]>>) outs(%even : memref<4x16xf32, strided<[32, 1]>>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %sum = arith.addf %x, %y : f32
    %is = arith.cmpf une, %sum, %x : f32
    scf.if %is {
      memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<1xi64>) -> i64
    }
    linalg.yield %sum : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%odd, %shared : memref<4x16xf32, strided<[32, 1], offset: 16>>, memref<4x16xf32, strided<[32, 1]>>) outs(%odd : memref<4x16xf32, strided<[32, 1], offset: 16>>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %difference = arith.subf %x, %y : f32
    %is = arith.cmpf une, %difference, %x : f32
    scf.if %is {
      memref.atomic_rmw addi %one, %counts[%c0] : (i64, memref<1xi64>) -> i64
    }
    linalg.yield %difference : f32
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// Rows two further on are even as well.
// CHECK-LABEL: func.func @rows_that_meet(
// CHECK-COUNT-2: linalg.generic
func.func @rows_that_meet(%u: memref<8x16xf32> {llvm.noalias}, %v: memref<8x16xf32> {llvm.noalias}) {
  %even = memref.subview %u[0, 0] [3, 16] [2, 1] : memref<8x16xf32> to memref<3x16xf32, strided<[32, 1]>>
  %next = memref.subview %u[2, 0] [3, 16] [2, 1] : memref<8x16xf32> to memref<3x16xf32, strided<[32, 1], offset: 32>>
  %shared = memref.subview %v[0, 0] [3, 16] [2, 1] : memref<8x16xf32> to memref<3x16xf32, strided<[32, 1]>>
  %odd = memref.subview %v[1, 0] [3, 16] [2, 1] : memref<8x16xf32> to memref<3x16xf32, strided<[32, 1], offset: 16>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%shared : memref<3x16xf32, strided<[32, 1]>>) outs(%even : memref<3x16xf32, strided<[32, 1]>>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%shared, %next : memref<3x16xf32, strided<[32, 1]>>, memref<3x16xf32, strided<[32, 1], offset: 32>>) outs(%odd : memref<3x16xf32, strided<[32, 1], offset: 16>>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
// What one counts the other one reads.
// CHECK-LABEL: func.func @reads_what_is_counted(
// CHECK-COUNT-2: linalg.generic
func.func @reads_what_is_counted(%u: memref<8xf32> {llvm.noalias}, %v: memref<8xf32> {llvm.noalias}, %n: memref<8xi64> {llvm.noalias}, %m: memref<8xi64> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%u : memref<8xf32>) outs(%v : memref<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %is = arith.cmpf une, %x, %x : f32
    scf.if %is {
      memref.atomic_rmw addi %one, %n[%c0] : (i64, memref<8xi64>) -> i64
    }
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%u, %n : memref<8xf32>, memref<8xi64>) outs(%m : memref<8xi64>) {
  ^bb0(%x: f32, %k: i64, %o: i64):
    linalg.yield %k : i64
  }
  return
}
