// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules{counters=changed},canonicalize,cse)' | FileCheck %s
// A rule becomes one tick per phase; windows become loads, border reads compare indices, agreement
// is arithmetic.

// CHECK-DAG: #[[RED:.*]] = affine_set<(d0)[s0] : ((d0 - s0) mod 2 == 0)>
// CHECK-DAG: #[[LEFT:.*]] = affine_map<(d0) -> (d0 - 1)>

// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[A:.*]]: tensor<8xi64> {lci.arrangement = #lci.arrangement<planes>, lci.may_be_absent, lci.name = "A", lci.role = "state", lci.vocabulary = 3 : i64}
// CHECK-SAME: %[[ON:.*]]: i1 {lci.name = "Copy", lci.role = "enable"}
// CHECK-SAME: lci.counters = ["A.changed"]
// CHECK: scf.for %[[E:.*]] = %{{.*}} iter_args(%[[S:.*]] = %[[A]], %[[K:.*]] =
// CHECK: %[[RED0:.*]]:2 = lci.tick @A at %[[E]], %{{.*}}, %{{.*}} inputs(%[[S]], %[[ON]] :
// CHECK-SAME: target(%[[S]] : tensor<8xi64>) counts(%[[K]] : tensor<1xi64>) cells #[[RED]] class_stride 2
// CHECK: lci.load %{{.*}}[#[[LEFT]]]
// CHECK: lci.tick @A at %[[E]], %{{.*}} target(%[[RED0]]#0
// CHECK: func.func @open.init
// CHECK: arith.constant dense<3> : tensor<8xi64>
lci.program @open sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<open>] attributes {lci.arrangement = #lci.arrangement<planes>} {
  }
  lci.rule @Copy on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(i) -> (i - 1)>](%i) : i64
    %zero = arith.constant 0 : i64
    %w = arith.select %p, %v, %zero : i64
    lci.emit %w : i64
  }
  lci.schedule @A using red_black
  lci.commit @A using accept {
  }
}

// A family of more than 128 tuples becomes a loop.
// CHECK-LABEL: func.func @row(
// CHECK: lci.tick @B
// CHECK: scf.for
// CHECK: lci.load %{{.*}} : tensor<1000xf32> -> f32
// CHECK: arith.maximumf
lci.program @row sizes [] = [] {
  lci.value @B f32 shape affine_map<() -> (1000)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Top on @B {
  ^bb0(%i: index):
    %m, %some = lci.reduce max [affine_set<(i, k) : (k >= 0, 999 - k >= 0)>](%i) : f32 {
    ^bb0(%k: index, %rank: index):
      %v, %p = lci.read @B[affine_map<(i, k) -> (k)>](%i, %k) : f32
      lci.yield %v present %p : f32
    }
    lci.emit %m : f32
  }
  lci.commit @B using accept {
  }
}

// Any token: the agreement compares them all under the constraints.
// CHECK-LABEL: func.func @paint(
// CHECK-SAME: tensor<5xi1> {lci.name = "blue", lci.role = "palette"}
// CHECK: lci.agree
// CHECK: lci.candidate %{{.*}} levels(%{{.*}}) score
lci.program @paint sizes [] = [] {
  lci.value @C token vocabulary affine_map<() -> (5)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.palette "blue"
  lci.rule @Any on @C {
  ^bb0(%i: index):
    lci.emit any score {
    ^bb0(%candidate: i64):
      %s = arith.sitofp %candidate : i64 to f32
      lci.yield %s : f32
    }
  }
  lci.constraint @Blue require on @C priority 50 {
  ^bb0(%i: index, %candidate: i64):
    %in = lci.in_palette %candidate, "blue"
    lci.yield %in : i1
  }
  lci.commit @C using satisfy_max {
  }
}

// A model that was bound by hand gets our functions too.
// CHECK-LABEL: func.func @net(
// CHECK: lci.elementary {{ *}}tanh
func.func @net(%x: f32) -> f32 {
  %y = math.tanh %x : f32
  return %y : f32
}
lci.program @asks sizes [] = [] {
  lci.model "M" is "net"
}

// A family that tests each of many tuples for membership becomes loops, whose bounds are functions
// of the cell's indices.
// CHECK-LABEL: func @box(
// CHECK:         lci.tick @A
// CHECK:           %[[LOW:.*]] = arith.maxsi
// CHECK:           %[[HIGH:.*]] = arith.minsi
// CHECK:           scf.for %{{.*}} = %[[LOW]] to %[[HIGH]]
// CHECK:             %[[LOW1:.*]] = arith.maxsi
// CHECK:             %[[HIGH1:.*]] = arith.minsi
// CHECK:             scf.for %{{.*}} = %[[LOW1]] to %[[HIGH1]]
// CHECK-COUNT-1:       lci.load
// CHECK-NOT:       lci.load
// CHECK:           lci.install
lci.program @box sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (11, 11)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%r: index, %c: index):
    %s, %p = lci.reduce sum [
        affine_set<(r, c, i, j) : (i - r - 1 >= 0, i >= 0, 10 - i >= 0, j >= 0, 10 - j >= 0, r floordiv 3 - i floordiv 3 == 0, c floordiv 3 - j floordiv 3 == 0)>,
        affine_set<(r, c, i, j) : (r - i - 1 >= 0, i >= 0, 10 - i >= 0, j >= 0, 10 - j >= 0, r floordiv 3 - i floordiv 3 == 0, c floordiv 3 - j floordiv 3 == 0)>
        ](%r, %c) : f32 {
    ^bb0(%i: index, %j: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(r, c, i, j) -> (i, j)>](%r, %c, %i, %j) : f32
      lci.yield %v present %q : f32
    }
    lci.emit %s : f32
  }
  lci.commit @A using accept {
  }
}
