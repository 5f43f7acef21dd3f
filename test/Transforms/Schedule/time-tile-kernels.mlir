// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-inner=0}))' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=1 columns=4 threads=16 min-tiles=1 min-inner=0}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=3 min-inner=0}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-inner=26}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-inner=0 max-work=7}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=65 columns=4 threads=1024 min-tiles=1 min-inner=0}))' | FileCheck %s --check-prefix=NONE
// Several epochs are one launch, in tiles that overlap. A word has 64 cells, of which the next one depends on
// the last: one word at each side is enough. Where there are too few tiles, or they are too small for what lies
// around them, or a cell takes many operations, each epoch stays a separate launch.

#id = affine_map<(d0, d1) -> (d0, d1)>

// NONE-NOT: gpu.launch

// CHECK-LABEL: func.func @words(
// CHECK-SAME:    %[[ON:.*]]: i1, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64, %[[COUNTS:[^:]*]]: memref<1xi64>
// CHECK:         %[[MANY:.*]] = arith.subi %[[LAST]], %[[FIRST]]
// CHECK:         %[[GROUPS:.*]] = arith.divui
// CHECK:         %[[SOME:.*]] = arith.select %[[ON]], %[[GROUPS]], %{{.*}} : i64
// CHECK:         %[[BLOCKED:.*]] = arith.muli %[[SOME]], %c4_i64
// CHECK:         %[[END:.*]] = arith.addi %[[FIRST]], %[[BLOCKED]]
// CHECK:         %[[G:.*]]:2 = scf.for %[[E:.*]] = %[[FIRST]] to %[[END]] step %c4_i64 iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// Two tiles of sixteen rows, whose thirty-two rows are four threads' each.
// CHECK:           gpu.launch blocks(%[[BX:.*]], %[[BY:.*]], %{{.*}}) in (%{{.*}} = %c1{{.*}}, %{{.*}} = %c2{{.*}}, %{{.*}}) threads(%[[TX:.*]], %[[TY:.*]], %{{.*}}) in (%{{.*}} = %c4{{.*}}, %{{.*}} = %c4{{.*}}, %{{.*}}) workgroup(%[[TILE:.*]] : memref<32x4xi64, #gpu.address_space<workgroup>>)
// CHECK-COUNT-8:     memref.load %[[A]]
// CHECK:             %[[NOW:.*]]:9 = scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(
// CHECK-COUNT-8:       memref.store %{{.*}}, %[[TILE]]
// CHECK:               gpu.barrier
// CHECK:               %[[TURN:.*]] = arith.index_cast %[[T]] : index to i64
// CHECK:               %[[EPOCH:.*]] = arith.addi %[[E]], %[[TURN]]
// Of the column itself only what lies above the thread's rows.
// CHECK-COUNT-9:       memref.load %[[TILE]]
// CHECK-NOT:           memref.load
// CHECK:               arith.andi %{{.*}}, %[[EPOCH]]
// CHECK:               gpu.barrier
// CHECK-NEXT:          scf.yield
// CHECK:             scf.if %{{.*}} {
// CHECK-COUNT-8:       memref.store %{{.*}}, %[[B]]
// CHECK:               memref.atomic_rmw addi %[[NOW]]#8, %[[COUNTS]]
// CHECK:             gpu.terminator
// CHECK:           scf.yield %[[B]], %[[A]]
// CHECK:         %[[ANY:.*]] = arith.cmpi ne, %[[FIRST]], %[[END]]
// CHECK:         scf.if %[[ANY]] {
// CHECK:           memref.subview %[[G]]#0
// CHECK:           linalg.copy
// CHECK:         scf.for %{{.*}} = %[[END]] to %[[LAST]] step %c1_i64 iter_args(%{{.*}} = %[[G]]#0, %{{.*}} = %[[G]]#1)
// CHECK:           scf.if %[[ON]]
func.func @words(%on: i1, %first: i64, %last: i64, %counts: memref<1xi64> {llvm.noalias},
    %B: memref<34x4xi64> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi64> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %c63 = arith.constant 63 : i64
  %zero = arith.constant 0 : index
  %af = memref.subview %A[1, 2] [32, 1] [1, 1] : memref<34x4xi64> to memref<32x1xi64, strided<[4, 1], offset: 6>>
  %at = memref.subview %A[1, 0] [32, 1] [1, 1] : memref<34x4xi64> to memref<32x1xi64, strided<[4, 1], offset: 4>>
  linalg.copy ins(%af : memref<32x1xi64, strided<[4, 1], offset: 6>>) outs(%at : memref<32x1xi64, strided<[4, 1], offset: 4>>)
  %ag = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi64> to memref<1x4xi64, strided<[4, 1], offset: 128>>
  %au = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi64> to memref<1x4xi64, strided<[4, 1]>>
  linalg.copy ins(%ag : memref<1x4xi64, strided<[4, 1], offset: 128>>) outs(%au : memref<1x4xi64, strided<[4, 1]>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi64>, memref<34x4xi64>) : i64 {
    %odd = arith.andi %c1, %e : i64
    scf.if %on {
      %up = memref.subview %a[0, 1] [32, 2] [1, 1] : memref<34x4xi64> to memref<32x2xi64, strided<[4, 1], offset: 1>>
      %left = memref.subview %a[1, 0] [32, 2] [1, 1] : memref<34x4xi64> to memref<32x2xi64, strided<[4, 1], offset: 4>>
      %self = memref.subview %a[1, 1] [32, 2] [1, 1] : memref<34x4xi64> to memref<32x2xi64, strided<[4, 1], offset: 5>>
      %next = memref.subview %b[1, 1] [32, 2] [1, 1] : memref<34x4xi64> to memref<32x2xi64, strided<[4, 1], offset: 5>>
      linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %left, %self : memref<32x2xi64, strided<[4, 1], offset: 1>>, memref<32x2xi64, strided<[4, 1], offset: 4>>, memref<32x2xi64, strided<[4, 1], offset: 5>>)
          outs(%next : memref<32x2xi64, strided<[4, 1], offset: 5>>) {
      ^bb0(%u: i64, %l: i64, %s: i64, %o: i64):
        %last_cell = arith.shrui %l, %c63 : i64
        %moved = arith.shli %s, %c1 : i64
        %west = arith.ori %last_cell, %moved : i64
        %near = arith.xori %west, %u : i64
        %now = arith.xori %near, %odd : i64
        %changed = arith.xori %now, %s : i64
        %many = math.ctpop %changed : i64
        memref.atomic_rmw addi %many, %counts[%zero] : (i64, memref<1xi64>) -> i64
        linalg.yield %now : i64
      }
    }
    %f = memref.subview %b[1, 2] [32, 1] [1, 1] : memref<34x4xi64> to memref<32x1xi64, strided<[4, 1], offset: 6>>
    %t = memref.subview %b[1, 0] [32, 1] [1, 1] : memref<34x4xi64> to memref<32x1xi64, strided<[4, 1], offset: 4>>
    linalg.copy ins(%f : memref<32x1xi64, strided<[4, 1], offset: 6>>) outs(%t : memref<32x1xi64, strided<[4, 1], offset: 4>>)
    %g = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi64> to memref<1x4xi64, strided<[4, 1], offset: 128>>
    %v = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi64> to memref<1x4xi64, strided<[4, 1]>>
    linalg.copy ins(%g : memref<1x4xi64, strided<[4, 1], offset: 128>>) outs(%v : memref<1x4xi64, strided<[4, 1]>>)
    scf.yield %b, %a : memref<34x4xi64>, memref<34x4xi64>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi64> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi64> -> index
  %differ = arith.cmpi ne, %p, %q : index
  scf.if %differ {
    linalg.copy ins(%end#0 : memref<34x4xi64>) outs(%A : memref<34x4xi64>)
  }
  return
}
