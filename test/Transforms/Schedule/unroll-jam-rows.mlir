// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=2 min-groups=1},canonicalize,cse))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-groups=1}))' | FileCheck %s --check-prefix=FOUR
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-more=40 min-groups=1}))' | FileCheck %s --check-prefix=HALF
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-groups=3}))' | FileCheck %s --check-prefix=HALF
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-gpu-target,func.func(lci-unroll-jam-rows{rows=2 min-groups=1 load-cost=8},canonicalize,cse))' | FileCheck %s --check-prefix=THREADS
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=2 min-groups=1 max-accesses=5}))' | FileCheck %s --check-prefix=FEW
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=2 min-groups=1 max-operations=4}))' | FileCheck %s --check-prefix=FEW
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=7 min-more=0 min-groups=2 min-saved=0}))' | FileCheck %s --check-prefix=BELOW
// Rows whose windows overlap are computed together, in a tick whose targets are views of one array, a row apart; what they
// share is loaded and computed once.

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>

// Of as many rows as may be, half are taken where the others would add little. The seventh row is alone.
// FOUR-LABEL: func.func @overlap(
// FOUR: box [0, 0] [1, 16] step [4, 1]
// HALF-LABEL: func.func @overlap(
// HALF: box [0, 0] [3, 16] step [2, 1]
// FEW-LABEL: func.func @overlap(
// FEW-NOT: step [2, 1]
// FEW: return
// CHECK-LABEL: func.func @overlap(
// CHECK-SAME: %[[A:.*]]: memref<10x16xi64>, %[[B:.*]]: memref<8x16xi64>
// CHECK-DAG: %[[EVEN:.*]] = memref.subview %[[B]][0, 0] [7, 16] [1, 1]
// CHECK-DAG: %[[ODD:.*]] = memref.subview %[[B]][1, 0] [7, 16] [1, 1]
// CHECK: lci.tick @A {{.*}} inputs(%[[A]] : {{.*}} target(%[[EVEN]], %[[ODD]] : {{.*}} box [0, 0] [3, 16] step [2, 1]
// CHECK-COUNT-4: lci.load
// CHECK-NOT: lci.load
// CHECK-COUNT-2: arith.addi %{{.*}}, %{{.*}} : i64
// CHECK: lci.install %{{.*}}, %{{.*}} if %{{.*}} : i64, i64
// CHECK: lci.tick @A {{.*}} target(%[[B]] : {{.*}} box [6, 0] [1, 16] step [1, 1]
// CHECK-COUNT-3: lci.load
// CHECK-NOT: lci.tick
func.func @overlap(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) box [0, 0] [7, 16] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t if %yes : i64
  }
  return
}

// -----

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>
// A row's index is the cell's.
// CHECK-LABEL: func.func @numbers(
// CHECK: lci.tick @A
// CHECK: ^bb0(%[[I:.*]]: index, %{{.*}}: index, %{{.*}}: i64
// CHECK: arith.index_cast %[[I]] : index to i64
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK: arith.index_cast %[[NEXT]] : index to i64
// CHECK-NOT: lci.tick
func.func @numbers(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    %number = arith.index_cast %i : index to i64
    %w = arith.addi %t, %number : i64
    lci.install %w if %yes : i64
  }
  return
}

// -----

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// Alone stay rows that load nothing in common, that loop, that read at other places than windows, that are too few, or
// whose extents are not known; and cells that lie apart, of which whole vectors are made.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: step [2,
// CHECK: return
// THREADS-LABEL: func.func @alone(
// THREADS-COUNT-1: step [2, 2]
func.func @alone(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %u: memref<?x16xi64>, %n: index, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    lci.install %p if %yes : i64
  }
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %same = arith.cmpi eq, %x, %y : i64
    %w = scf.if %same -> i64 {
      scf.yield %x : i64
    } else {
      scf.yield %y : i64
    }
    lci.install %w if %yes : i64
  }
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    %g = lci.load %in[affine_map<(d0, d1) -> (d0 mod 2, d1)>](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %w = arith.addi %t, %g : i64
    lci.install %w if %yes : i64
  }
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) box [0, 0] [1, 16] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t if %yes : i64
  }
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%u : memref<?x16xi64>) box [0, 0] [%n, 16] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t if %yes : i64
  }
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) box [0, 0] [8, 8] step [1, 2] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t if %yes : i64
  }
  return
}

// -----

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>
// Rows may begin at one that is computed, as those of a part of a tick do.
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[FIRST:[a-z0-9]*]]: index
// CHECK: lci.tick @A {{.*}} box [%[[FIRST]], 0] [2, 16] step [2, 1]
// CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %c4
// CHECK: lci.tick @A {{.*}} box [%[[LAST]], 0] [1, 16] step [1, 1]
func.func @part(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %e: i64, %first: index) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) box [%first, 0] [5, 16] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t if %yes : i64
  }
  return
}

// -----

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>
// The rows of a window are computed: how many there are, and from where. One row may be left.
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[FIRST:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index
// CHECK: %[[PAIRS:.*]] = arith.divui %[[N]], %c2
// CHECK: lci.tick @A {{.*}} box [%[[FIRST]], 0] [%[[PAIRS]], 16] step [2, 1]
// CHECK: %[[DONE:.*]] = arith.muli %[[PAIRS]], %c2
// CHECK: %[[REST:.*]] = arith.subi %[[N]], %[[DONE]]
// CHECK: %[[FROM:.*]] = arith.addi %[[FIRST]], %[[DONE]]
// CHECK: lci.tick @A {{.*}} box [%[[FROM]], 0] [%[[REST]], 16] step [1, 1]
func.func @window(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %e: i64, %first: index, %n: index) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) box [%first, 0] [%n, 16] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t if %yes : i64
  }
  return
}

// A window at the edge of its array has one row at most, whatever its size is called.
// CHECK-LABEL: func.func @edge(
// CHECK-NOT: step [2, 1]
// CHECK: return
func.func @edge(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %e: i64, %n: index) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) box [7, 0] [%n, 16] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t if %yes : i64
  }
  return
}

// -----

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>
// Cells that keep what they hold install it, those outside of a set, too. Each row counts; threads add up what rows
// count, and add it to memory once.
// CHECK-LABEL: func.func @conditions(
// CHECK-SAME: %[[B:[a-z0-9]*]]: memref<8x16xi64>
// CHECK: lci.tick @A {{.*}} counts(%{{.*}} box [0, 0] [4, 16] step [2, 1] class_stride 1 {
// CHECK: ^bb0(%[[I:[a-z0-9]*]]: index, {{.*}}, %[[OWN:[a-z0-9]*]]: memref<8x16xi64>):
// CHECK-DAG: lci.load %[[OWN]][#{{.*}}] (%[[I]]
// CHECK-DAG: lci.load %[[OWN]][#{{.*}}] (%[[I]]
// CHECK-DAG: arith.select
// CHECK: lci.install %{{.*}}, %{{.*}} if %true tally %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i1, i64, i1, i64 to [0, 1, 0, 1]
// THREADS-LABEL: func.func @conditions(
// THREADS: arith.extui
// THREADS: arith.addi %{{.*}}, %{{.*}} : i64
// THREADS: lci.install %{{.*}}, %{{.*}} if %true tally %{{.*}}, %{{.*}} : i64, i64 to [0, 1]
func.func @conditions(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %k: memref<2xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b : memref<8x16xi64>) counts(%k : memref<2xi64>) cells affine_set<(d0, d1)[s0] : ((d0 + d1 - s0) mod 2 == 0)> class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %x0 = math.ctpop %x : i64
    %x1 = arith.muli %x0, %x : i64
    %x2 = arith.muli %x1, %x : i64
    %x3 = arith.muli %x2, %x : i64
    %x4 = arith.muli %x3, %x : i64
    %x5 = arith.muli %x4, %x : i64
    %x6 = arith.muli %x5, %x : i64
    %y0 = math.ctpop %y : i64
    %y1 = arith.muli %y0, %y : i64
    %y2 = arith.muli %y1, %y : i64
    %y3 = arith.muli %y2, %y : i64
    %y4 = arith.muli %y3, %y : i64
    %y5 = arith.muli %y4, %y : i64
    %y6 = arith.muli %y5, %y : i64
    %z0 = math.ctpop %z : i64
    %z1 = arith.muli %z0, %z : i64
    %z2 = arith.muli %z1, %z : i64
    %z3 = arith.muli %z2, %z : i64
    %z4 = arith.muli %z3, %z : i64
    %z5 = arith.muli %z4, %z : i64
    %z6 = arith.muli %z5, %z : i64
    %s = arith.addi %x6, %y6 : i64
    %t = arith.addi %s, %z6 : i64
    %more = arith.cmpi sgt, %t, %y : i64
    %bits = math.ctpop %t : i64
    lci.install %t if %more tally %more, %bits : i1, i64 to [0, 1] : i64
  }
  return
}

// -----

#row0 = affine_map<(d0, d1) -> (d0, d1)>
#row1 = affine_map<(d0, d1) -> (d0 + 1, d1)>
#row2 = affine_map<(d0, d1) -> (d0 + 2, d1)>
// A tick with two targets has four for two rows, in the order of the rows.
// CHECK-LABEL: func.func @several(
// CHECK-SAME: %[[B:[a-z0-9]*]]: memref<8x16xi64>, %[[C:[a-z0-9]*]]: memref<8x16xi64>
// CHECK-DAG: %[[B0:.*]] = memref.subview %[[B]][0, 0] [7, 16]
// CHECK-DAG: %[[C0:.*]] = memref.subview %[[C]][0, 0] [7, 16]
// CHECK-DAG: %[[B1:.*]] = memref.subview %[[B]][1, 0] [7, 16]
// CHECK-DAG: %[[C1:.*]] = memref.subview %[[C]][1, 0] [7, 16]
// CHECK: lci.tick @A {{.*}} target(%[[B0]], %[[C0]], %[[B1]], %[[C1]] :
func.func @several(%a: memref<10x16xi64>, %b: memref<8x16xi64>, %c: memref<8x16xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%a : memref<10x16xi64>) target(%b, %c : memref<8x16xi64>, memref<8x16xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10x16xi64>):
    %yes = arith.constant true
    %x = lci.load %in[#row0](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %y = lci.load %in[#row1](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %z = lci.load %in[#row2](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x16xi64> -> i64
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    lci.install %t, %s if %yes : i64, i64
  }
  return
}

// Where seven rows are too many for two groups, four are taken; where nothing is taken, no view is left behind.
// BELOW-LABEL: func.func @several(
// BELOW-COUNT-8: memref.subview {{.*}} [5, 16]
// BELOW-NOT: memref.subview
// BELOW: lci.tick @A
// FEW-LABEL: func.func @several(
// FEW-NOT: memref.subview
// FEW: return
