// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-assign-layouts))' | FileCheck %s --check-prefix=LAYOUT
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-assign-layouts,lci-bitslice,canonicalize,cse,convert-lci-to-linalg),canonicalize,cse)' | FileCheck %s
// A row of 100 bits is two words; a neighbour is a shift of two words, and the last word is
// computed separately, for the cells that it has.

#left = affine_map<(d0) -> (d0)>
#middle = affine_map<(d0) -> (d0 + 1)>
#right = affine_map<(d0) -> (d0 + 2)>

// LAYOUT-LABEL: func.func @edges
// LAYOUT-SAME: %[[STATE:[a-z0-9]+]]: memref<100xi8> {{{.*}}lci.halo_high = array<i64: 0>, lci.halo_low = array<i64: 0>, {{.*}}lci.role = "state"
// LAYOUT-SAME: %[[BUFFER:[a-z0-9]+]]: memref<102xi8, #lci.layout<split 1 planes 1 cells[100] low[1] high[1]>>
// LAYOUT-SAME: %[[OWN:[a-z0-9]+]]: memref<102xi8, #lci.layout<split 1 planes 1 cells[100] low[1] high[1]>> {{{.*}}lci.role = "scratch"
// LAYOUT: linalg.copy ins(%[[STATE]] : memref<100xi8>) outs({{.*}} #lci.layout
// LAYOUT: scf.for {{.*}} iter_args({{.*}} = %[[OWN]], {{.*}} = %[[BUFFER]])
// LAYOUT: linalg.copy ins({{.*}} #lci.layout{{.*}}) outs(%[[STATE]] : memref<100xi8>)

// CHECK-LABEL: func.func @edges
// CHECK-SAME: memref<100xi8>
// CHECK-SAME: memref<4xi64> {lci.extents = array<i64: 4>, lci.halo_high = array<i64: 0>, lci.halo_low = array<i64: 0>, lci.name = "A", lci.role = "scratch"
// CHECK-SAME: memref<4xi64>
// CHECK: scf.for {{.*}} iter_args(%[[FROM:.*]] = {{.*}}, %[[TO:.*]] = {{.*}}) -> (memref<4xi64>, memref<4xi64>)
// The full word.
// CHECK: %[[BEFORE:.*]] = memref.subview %[[FROM]][0] [1] [1]
// CHECK: %[[HERE:.*]] = memref.subview %[[FROM]][1] [1] [1]
// CHECK: %[[AFTER:.*]] = memref.subview %[[FROM]][2] [1] [1]
// CHECK: linalg.generic
// CHECK: ^bb0(%[[P:.*]]: i64, %[[W:.*]]: i64, %[[N:.*]]: i64, %{{.*}}: i64, %[[SUM:.*]]: i64):
// CHECK-DAG: %[[P1:.*]] = arith.shrui %[[P]], %c63_i64
// CHECK-DAG: %[[W1:.*]] = arith.shli %[[W]], %c1_i64
// CHECK-DAG: %[[LEFT:.*]] = arith.ori %[[P1]], %[[W1]]
// CHECK-DAG: %[[W2:.*]] = arith.shrui %[[W]], %c1_i64
// CHECK-DAG: %[[N2:.*]] = arith.shli %[[N]], %c63_i64
// CHECK-DAG: %[[RIGHT:.*]] = arith.ori %[[W2]], %[[N2]]
// CHECK: %[[NEW:.*]] = arith.xori %[[LEFT]], %[[RIGHT]]
// CHECK: math.ctpop
// CHECK: linalg.yield %[[NEW]]
// The other 36 cells.
// CHECK: memref.subview %[[FROM]][3] [1] [1]
// CHECK: linalg.generic
// CHECK: arith.andi %{{.*}}, %c68719476735_i64
// CHECK: linalg.yield
// The halo, both ends in one loop: the last cell before the first, and the first behind the last, in
// the same word.
// CHECK: linalg.generic
// CHECK: arith.shli %{{.*}}, %c28_i64
// CHECK: arith.shli %{{.*}}, %c36_i64
// CHECK: linalg.yield %{{.*}}, %{{.*}} : i64, i64
func.func @edges(%a: memref<102xi8> {lci.extents = array<i64: 100>, lci.halo_low = array<i64: 1>, lci.halo_high = array<i64: 1>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64},
    %first: i64, %last: i64, %counts: memref<1xi64>,
    %b: memref<102xi8> {lci.extents = array<i64: 100>, lci.halo_low = array<i64: 1>, lci.halo_high = array<i64: 1>, lci.name = "A", lci.role = "scratch", lci.vocabulary = 2 : i64}) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  lci.refresh_halo %a low [1] high [1] [#lci.boundary<wrap>] : memref<102xi8>
  %r:2 = scf.for %e = %first to %last step %one iter_args(%from = %a, %to = %b) -> (memref<102xi8>, memref<102xi8>) : i64 {
    %cells = memref.subview %to[1] [100] [1] : memref<102xi8> to memref<100xi8, strided<[1], offset: 1>>
    lci.tick @A at %e, %zero, %zero inputs(%from : memref<102xi8>) target(%cells : memref<100xi8, strided<[1], offset: 1>>) counts(%counts : memref<1xi64>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<102xi8>):
      %true = arith.constant true
      %l = lci.load %in[#left] (%i) [#lci.boundary<open>] : memref<102xi8> -> i8
      %r = lci.load %in[#right] (%i) [#lci.boundary<open>] : memref<102xi8> -> i8
      %m = lci.load %in[#middle] (%i) [#lci.boundary<open>] : memref<102xi8> -> i8
      %x = arith.xori %l, %r : i8
      %changed = arith.cmpi ne, %x, %m : i8
      lci.install %x if %true tally %changed to [0] : i8
    }
    lci.refresh_halo %to low [1] high [1] [#lci.boundary<wrap>] : memref<102xi8>
    scf.yield %to, %from : memref<102xi8>, memref<102xi8>
  }
  return
}

// Two of the three or all of them: both comparisons begin with the high bits, which are the same for
// both. Whether any of two is set is tested on them, not on their sum and carry. A word without cells
// becomes the word at the other end, whose other bits are not used.
// CHECK-LABEL: func.func @counted
// CHECK: ^bb0(%[[FIRST:.*]]: i64, %[[LAST:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64):
// CHECK-NEXT: linalg.yield %[[FIRST]], %[[LAST]] : i64, i64
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: ^bb0(%[[P:.*]]: i64, %[[W:.*]]: i64, %[[N:.*]]: i64,
// CHECK: %[[LEFT:.*]] = arith.ori
// CHECK: %[[RIGHT:.*]] = arith.ori
// CHECK: %[[HALF:.*]] = arith.xori %[[LEFT]], %[[RIGHT]]
// CHECK: %[[HIGH:.*]] = arith.ori
// CHECK: %[[LOW:.*]] = arith.xori %[[HALF]], %[[W]]
// CHECK: %[[NOT_TWO:.*]] = arith.xori %[[HIGH]], %c-1_i64
// CHECK: arith.ori %[[NOT_TWO]], %[[LOW]]
// CHECK: %[[NOT_LOW:.*]] = arith.xori %[[LOW]], %c-1_i64
// CHECK: arith.ori %[[NOT_TWO]], %[[NOT_LOW]]
// CHECK: arith.ori %[[LEFT]], %[[RIGHT]]
// CHECK: linalg.yield
func.func @counted(%a: memref<66xi8> {lci.extents = array<i64: 64>, lci.halo_low = array<i64: 1>, lci.halo_high = array<i64: 1>, lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64},
    %first: i64, %last: i64,
    %b: memref<66xi8> {lci.extents = array<i64: 64>, lci.halo_low = array<i64: 1>, lci.halo_high = array<i64: 1>, lci.name = "A", lci.role = "scratch", lci.vocabulary = 2 : i64}) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  lci.refresh_halo %a low [1] high [1] [#lci.boundary<wrap>] : memref<66xi8>
  %r:2 = scf.for %e = %first to %last step %one iter_args(%from = %a, %to = %b) -> (memref<66xi8>, memref<66xi8>) : i64 {
    %cells = memref.subview %to[1] [64] [1] : memref<66xi8> to memref<64xi8, strided<[1], offset: 1>>
    lci.tick @A at %e, %zero, %zero inputs(%from : memref<66xi8>) target(%cells : memref<64xi8, strided<[1], offset: 1>>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<66xi8>):
      %true = arith.constant true
      %two = arith.constant 2 : i64
      %three = arith.constant 3 : i64
      %l = lci.load %in[#left] (%i) [#lci.boundary<open>] : memref<66xi8> -> i8
      %r = lci.load %in[#right] (%i) [#lci.boundary<open>] : memref<66xi8> -> i8
      %m = lci.load %in[#middle] (%i) [#lci.boundary<open>] : memref<66xi8> -> i8
      %wide_l = arith.extui %l : i8 to i64
      %wide_r = arith.extui %r : i8 to i64
      %wide_m = arith.extui %m : i8 to i64
      %some = arith.addi %wide_l, %wide_r : i64
      %all = arith.addi %some, %wide_m : i64
      %is_two = arith.cmpi eq, %all, %two : i64
      %is_three = arith.cmpi eq, %all, %three : i64
      %nothing = arith.constant 0 : i64
      %pair = arith.addi %wide_r, %wide_l : i64
      %is_any = arith.cmpi ne, %pair, %nothing : i64
      %kept = arith.andi %is_two, %is_three : i1
      %chosen = arith.andi %kept, %is_any : i1
      %x = arith.extui %chosen : i1 to i8
      lci.install %x if %true : i8
    }
    lci.refresh_halo %to low [1] high [1] [#lci.boundary<wrap>] : memref<66xi8>
    scf.yield %to, %from : memref<66xi8>, memref<66xi8>
  }
  return
}
