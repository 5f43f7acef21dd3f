// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules,func.func(canonicalize,cse))' | FileCheck %s
// Proposals of several rules are a list that is compared in straight-line code; if one of them is any
// token, all tokens are visited, and for a draw twice more.

// CHECK-LABEL: func.func @list
// CHECK-NOT: lci.agree
// CHECK: lci.install
lci.program @list sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (5)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @One on @A {
  ^bb0(%i: index):
    %t = arith.index_cast %i : index to i64
    lci.emit %t : i64
  }
  lci.rule @Two on @A {
  ^bb0(%i: index):
    %t = arith.constant 2 : i64
    lci.emit %t : i64
  }
  lci.commit @A using quorum of 2 {
  }
}

// The rule decides between proposals that score alike.
// CHECK-LABEL: func.func @any
// CHECK: lci.agree
// CHECK: lci.candidate %{{.*}} levels(%{{.*}}) score %{{.*}} ties(%{{.*}}) proposed
// CHECK: lci.install
lci.program @any sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (5)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @One on @A {
  ^bb0(%i: index):
    %t = arith.index_cast %i : index to i64
    lci.emit %t : i64
  }
  lci.rule @Two on @A {
  ^bb0(%i: index):
    lci.emit any
  }
  lci.commit @A using accept {
  }
}

// One draw, which is compared with the share of each token.
// CHECK-LABEL: func.func @draw
// CHECK: lci.agree
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: %[[WHOLE:.*]] = math.absf %[[SUM]]
// CHECK: scf.for
// CHECK: %[[SHARE:.*]] = arith.divf %{{.*}}, %[[WHOLE]]
// CHECK: lci.bernoulli %[[SHARE]] stream <2, 0>
lci.program @draw sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (5)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @Any on @A {
  ^bb0(%i: index):
    lci.emit any score {
    ^bb0(%c: i64):
      %s = arith.sitofp %c : i64 to f32
      lci.yield %s : f32
    }
  }
  lci.commit @A using sample {
    %t = arith.constant 1.0 : f32
    lci.yield %t : f32
  }
}

// What holds is a weight of the score, and no level.
// CHECK-LABEL: func.func @weighted
// CHECK: %[[WEIGHT:.*]] = arith.sitofp
// CHECK: arith.addf %[[WEIGHT]], %{{.*}} : f32
// CHECK: lci.candidate %{{.*}} levels() score
lci.program @weighted sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (5)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @Any on @A {
  ^bb0(%i: index):
    lci.emit any
  }
  lci.constraint @Low require on @A priority 3 {
  ^bb0(%i: index, %c: i64):
    %two = arith.constant 2 : i64
    %low = arith.cmpi slt, %c, %two : i64
    lci.yield %low : i1
  }
  lci.commit @A using satisfy_max weighted {
  }
}

// For a large vocabulary a few tokens are tested, and the cell's previous one.
// CHECK-LABEL: func.func @few
// CHECK-DAG: %[[LOW:.*]] = arith.constant 40 : i64
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 46 : i64
// CHECK: lci.agree %[[LOW]] to %[[HIGH]]
// CHECK: arith.select
// CHECK: lci.install
lci.program @few sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (70000)> shape affine_map<() -> (4)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @One on @A {
  ^bb0(%i: index):
    lci.emit any in affine_map<() -> (40, 43)>
  }
  lci.rule @Two on @A {
  ^bb0(%i: index):
    lci.emit any in affine_map<() -> (45, 45)>
  }
  lci.commit @A using accept {
  }
}
