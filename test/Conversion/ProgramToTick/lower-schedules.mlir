// RUN: lmpm-opt %s --lci-lower-rules --canonicalize --cse --split-input-file | FileCheck %s
// Every strategy is a tick whose cells depend on the phase: few phases are unrolled, many are a loop.

// CHECK-LABEL: func.func @raster(
// CHECK: scf.for %[[EPOCH:.*]] = {{.*}} iter_args(%[[BEFORE:.*]] = %arg0
// CHECK:   scf.for %[[PHASE:.*]] = %c0{{.*}} to %c6{{.*}} iter_args(%[[STATE:.*]] = %[[BEFORE]]
// CHECK:     %[[NUMBER:.*]] = arith.index_cast %[[PHASE]]
// CHECK:     %[[COLUMN:.*]] = arith.remui %[[NUMBER]], %c3
// CHECK:     %[[REST:.*]] = arith.divui %[[NUMBER]], %c3
// CHECK:     %[[ROW:.*]] = arith.remui %[[REST]], %c2
// CHECK:     lci.tick @A at %[[EPOCH]], %[[PHASE]], {{.*}} target(%[[STATE]] : {{.*}}) box [%[[ROW]], %[[COLUMN]]] [1, 1] step [1, 1] class_stride 1
lci.program @raster sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (2, 3)>
    boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @Any on @A {
  ^bb0(%i: index, %j: index):
    lci.emit any
  }
  lci.schedule @A using raster
  lci.commit @A using accept {
  }
}

// -----

// Along one axis a phase is a box of all cells with one index on it; along two in the order of the axes
// it is one place on both.
// CHECK-LABEL: func.func @sweep(
// CHECK:   %[[NUMBER:.*]] = arith.index_cast %[[PHASE:.*]] : i64 to index
// CHECK:   %[[COLUMN:.*]] = arith.remui %[[NUMBER]], %c5
// CHECK:   lci.tick @A at %{{.*}}, %[[PHASE]], {{.*}} box [0, %[[COLUMN]], 0] [6, 1, 3] step [1, 1, 1] class_stride 1
// CHECK: scf.for
// CHECK:   %[[NUMBER:.*]] = arith.index_cast %[[AT:.*]] : i64 to index
// CHECK:   %[[PLACE:.*]] = arith.subi %[[NUMBER]], %c5
// CHECK:   %[[FIRST:.*]] = arith.remui %[[PLACE]], %c6
// CHECK:   %[[REST:.*]] = arith.divui %[[PLACE]], %c6
// CHECK:   %[[LAST:.*]] = arith.remui %[[REST]], %c3
// CHECK:   lci.tick @B at %{{.*}}, %[[AT]], {{.*}} box [%[[FIRST]], 0, %[[LAST]]] [1, 5, 1] step [1, 1, 1]
lci.program @sweep sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (6, 5, 3)>
    boundary [#lci.boundary<open>, #lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.value @B token vocabulary affine_map<() -> (2)> shape affine_map<() -> (6, 5, 3)>
    boundary [#lci.boundary<open>, #lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @RA on @A {
  ^bb0(%i: index, %j: index, %k: index):
    lci.emit any
  }
  lci.rule @RB on @B {
  ^bb0(%i: index, %j: index, %k: index):
    lci.emit any
  }
  lci.schedule @A using wavefront axes [1]
  lci.schedule @B using raster axes [2, 0] phase 5
  lci.commit @A using accept {
  }
  lci.commit @B using accept {
  }
}

// -----

// The waves of A go on when B, with its one phase, is done: the first phase stands alone.
// CHECK-DAG: #[[WAVE:.*]] = affine_set<(d0, d1)[s0] : (d0 - s0 + d1 == 0)>
// CHECK-LABEL: func.func @wavefront(
// CHECK: lci.tick @A {{.*}} cells #[[WAVE]] class_stride 1
// CHECK: lci.tick @B
// CHECK: scf.for %[[PHASE:.*]] = %c1{{.*}} to %c6
// CHECK:   lci.tick @A at %{{.*}}, %[[PHASE]], {{.*}} cells #[[WAVE]]
// CHECK-NOT: lci.tick @B
// CHECK: return
lci.program @wavefront sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4, 3)>
    boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.value @B token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @RA on @A {
  ^bb0(%i: index, %j: index):
    lci.emit any
  }
  lci.rule @RB on @B {
  ^bb0(%i: index):
    lci.emit any
  }
  lci.schedule @A using wavefront
  lci.commit @A using accept {
  }
  lci.commit @B using accept {
  }
}

// -----

// Tiles have the colour of their indices, and no classes of draws.
// CHECK-DAG: #[[TILED:.*]] = affine_set<(d0, d1)[s0] : ((d0 floordiv 2 - s0 + d1 floordiv 3) mod 2 == 0)>
// CHECK-LABEL: func.func @tiles(
// CHECK: lci.tick @A {{.*}} cells #[[TILED]] class_stride 1
// CHECK: lci.tick @A {{.*}} cells #[[TILED]] class_stride 1
lci.program @tiles sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4, 6)>
    boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @Any on @A {
  ^bb0(%i: index, %j: index):
    lci.emit any
  }
  lci.schedule @A using red_black tile [2, 3]
  lci.commit @A using accept {
  }
}

// -----

// A masked cell takes part where it holds nothing.
// CHECK-LABEL: func.func @masked(
// CHECK: %[[HELD:.*]] = lci.load
// CHECK: %[[ABSENT:.*]] = arith.cmpi eq, %[[HELD]], %c2
// CHECK: %[[ACTIVE:.*]] = arith.andi %{{.*}}, %[[ABSENT]]
lci.program @masked sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @One on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    lci.emit %one : i64
  }
  lci.schedule @A using masked
  lci.commit @A using accept {
  }
}

// -----

// Greedy colours of N8 are regular where the grid is open: a digit for each axis.
// CHECK-DAG: #[[FOUR:.*]] = affine_set<(d0, d1)[s0] : ((d0 - s0 floordiv 2) mod 2 == 0, (d1 - s0) mod 2 == 0)>
// CHECK-LABEL: func.func @regular(
// CHECK-COUNT-4: lci.tick @A {{.*}} cells #[[FOUR]] class_stride 1
// CHECK-NOT: lci.tick @A {{.*}} cells
// CHECK: return
lci.program @regular sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4, 6)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @Sum on @A {
  ^bb0(%i: index, %j: index):
    %sum, %some = lci.reduce sum [affine_set<(i, j, a, b) : (a + 1 >= 0, 1 - a >= 0, b + 1 >= 0, 1 - b >= 0)>](%i, %j) : f32 {
    ^bb0(%a: index, %b: index, %rank: index):
      %v, %p = lci.read @A[affine_map<(i, j, a, b) -> (i + a, j + b)>](%i, %j, %a, %b) : f32
      lci.yield %v present %p : f32
    }
    lci.emit %sum : f32
  }
  lci.schedule @A using recolor
  lci.commit @A using accept {
  }
}

// -----

// On a ring of five cells no formula gives the three colours: they are data, and looked up.
// CHECK-LABEL: func.func @ring(
// CHECK: %[[COLOURS:.*]] = arith.constant dense<[0, 1, 0, 1, 2]> : tensor<5xi32>
// CHECK-COUNT-3: lci.tick @A {{.*}} inputs({{.*}}%[[COLOURS]]
// CHECK: return
lci.program @ring sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (5)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Left on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(i) -> (i - 1)>](%i) : f32
    lci.emit %v : f32
  }
  lci.schedule @A using recolor
  lci.commit @A using accept {
  }
}

// -----

// A draw for each cell says whether it is up: one phase.
// CHECK-LABEL: func.func @random(
// CHECK: lci.tick @A
// CHECK: %[[UP:.*]] = lci.bernoulli %{{.*}} stream <2, 0>
// CHECK: arith.andi %{{.*}}, %[[UP]]
// CHECK-NOT: lci.tick
// CHECK: return
lci.program @random sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @Any on @A {
  ^bb0(%i: index):
    lci.emit any
  }
  lci.schedule @A using random fraction 5.000000e-01
  lci.commit @A using accept {
  }
}

// -----

// The tick writes scores as well, in one pass; then the surest are chosen.
// CHECK-LABEL: func.func @confidence(
// CHECK: %[[SCORES:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[AFTER:.*]]:2 = lci.tick @A {{.*}} target(%[[BEFORE:.*]] : tensor<4xi64>) scores(%[[SCORES]] : tensor<4xf32>) class_stride 1
// CHECK: lci.install %{{.*}} if %{{.*}} score %{{.*}} : i64
// CHECK: lci.keep_surest 5.000000e-01 of %[[BEFORE]], %[[AFTER]]#0 by %[[AFTER]]#1
lci.program @confidence sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @Any on @A {
  ^bb0(%i: index):
    lci.emit any
  }
  lci.schedule @A using confidence fraction 5.000000e-01
  lci.commit @A using accept {
  }
}
