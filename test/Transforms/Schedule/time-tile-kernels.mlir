// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-interior=0}))' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=1 columns=4 threads=16 min-tiles=1 min-interior=0}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=3 min-interior=0}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-interior=26}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-interior=0 max-operations=6}))' | FileCheck %s --check-prefix=NONE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=65 columns=4 threads=1024 min-tiles=1 min-interior=0}))' | FileCheck %s --check-prefix=NONE
// Several epochs are one launch, in tiles that overlap. A word has 64 cells, of which the next one depends on
// the last: one word at each side is enough. Where there are too few tiles, or they are too small for what lies
// around them, or a cell takes many operations, each epoch stays a separate launch.

#up = affine_map<(d0, d1) -> (d0, d1 + 1)>
#left = affine_map<(d0, d1) -> (d0 + 1, d1)>
#self = affine_map<(d0, d1) -> (d0 + 1, d1 + 1)>

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
// CHECK:           lci.refresh_halo %[[G]]#0
// CHECK:         scf.for %{{.*}} = %[[END]] to %[[LAST]] step %c1_i64 iter_args(%{{.*}} = %[[G]]#0, %{{.*}} = %[[G]]#1)
// CHECK:           scf.if %[[ON]]
func.func @words(%on: i1, %first: i64, %last: i64, %counts: memref<1xi64> {llvm.noalias},
    %B: memref<34x4xi64> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi64> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<34x4xi64>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi64>, memref<34x4xi64>) : i64 {
    %odd = arith.andi %c1, %e : i64
    scf.if %on {
      %next = memref.subview %b[1, 1] [32, 2] [1, 1] : memref<34x4xi64> to memref<32x2xi64, strided<[4, 1], offset: 5>>
      lci.tick @Cell at %e, %first, %last inputs(%a, %odd : memref<34x4xi64>, i64)
          target(%next : memref<32x2xi64, strided<[4, 1], offset: 5>>) counts(%counts : memref<1xi64>)
          box [0, 0] [32, 2] step [1, 1] class_stride 1 packed 64 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi64>, %turn: i64):
        %yes = arith.constant true
        %one = arith.constant 1 : i64
        %c63 = arith.constant 63 : i64
        %u = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi64> -> i64
        %l = lci.load %in[#left](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi64> -> i64
        %s = lci.load %in[#self](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi64> -> i64
        %last_cell = arith.shrui %l, %c63 : i64
        %moved = arith.shli %s, %one : i64
        %west = arith.ori %last_cell, %moved : i64
        %near = arith.xori %west, %u : i64
        %now = arith.xori %near, %turn : i64
        %changed = arith.xori %now, %s : i64
        %many = math.ctpop %changed : i64
        lci.install %now if %yes tally %many : i64 to [0] : i64
      }
    }
    lci.refresh_halo %b low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<34x4xi64>
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
