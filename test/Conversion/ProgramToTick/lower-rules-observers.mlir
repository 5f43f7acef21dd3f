// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules,canonicalize,cse)' --split-input-file | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules,lci-to-llvm-pipeline)' --split-input-file | FileCheck %s --check-prefix=LLVM
// Observers become one function, in which each is a tick on a single cell; sums of numbers are
// trees.

// CHECK-LABEL: func.func @p.observe(
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<300xf32> {lci.name = "A", lci.role = "input"}
// CHECK-NOT: lci.name = "Unseen"
// CHECK-SAME: %[[EPOCH:[a-z0-9]*]]: i64 {lci.name = "", lci.role = "epoch"}
// CHECK-SAME: %[[COUNTS:[a-z0-9]*]]: tensor<2xi64> {lci.name = "", lci.role = "counts"}
// CHECK-SAME: -> (tensor<f32> {lci.name = "total", lci.role = "observation"}, tensor<i64> {lci.name = "warm", lci.role = "observation"}, tensor<2xi64>)
// CHECK-SAME: lci.counters = ["total", "warm"]
// CHECK: %[[TOTAL:.*]]:2 = lci.tick @total at %[[EPOCH]], {{.*}} inputs(%[[A]] : tensor<300xf32>) target(%{{.*}} : tensor<f32>) counts(%[[COUNTS]]
// A member that finds a tree of one joins it, and so on: nine sizes hold 300 members.
// CHECK: scf.for
// CHECK-SAME: -> (i64, i64, f32, f32, f32, f32, f32, f32, f32, f32, f32, i64)
// CHECK: %[[BIT:.*]] = arith.andi
// CHECK: scf.if
// CHECK-NEXT: arith.addf
// CHECK: lci.install %{{.*}} if %{{.*}} tally %{{.*}} to [0] : f32
// CHECK: lci.tick @warm at %[[EPOCH]], {{.*}} counts(%[[TOTAL]]#1
// CHECK: lci.install %{{.*}} if %{{.*}} tally %{{.*}} to [1] : i64
// LLVM: llvm.func @p.observe(
lci.program @p sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (300)> boundary [#lci.boundary<wrap>] {
  }
  lci.value @Unseen f32 shape affine_map<() -> (300)> boundary [#lci.boundary<wrap>] {
  }
  lci.observe @total {
    %n, %some = lci.reduce sum [affine_set<(d0) : (d0 >= 0, 299 - d0 >= 0)>]() : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : f32
      lci.yield %v present %p : f32
    }
    lci.yield %n : f32
  }
  lci.observe @warm {
    %v, %p = lci.read @A[affine_map<() -> (7)>]() : f32
    %half = arith.constant 0.5 : f32
    %is = arith.cmpf ogt, %v, %half : f32
    lci.yield %is : i1
  }
}

// -----

// Few members unroll to the tree itself; reductions inside of others go on one at a time.
// CHECK-LABEL: func.func @few.observe(
// CHECK: %[[V0:.*]] = lci.load
// CHECK: %[[V1:.*]] = lci.load
// CHECK: %[[V01:.*]] = arith.mulf %[[V0]], %[[V1]]
// CHECK: %[[V2:.*]] = lci.load
// CHECK: %[[V3:.*]] = lci.load
// CHECK: %[[V23:.*]] = arith.mulf %[[V2]], %[[V3]]
// CHECK: %[[V0123:.*]] = arith.mulf %[[V01]], %[[V23]]
// CHECK: %[[V4:.*]] = lci.load
// CHECK: arith.mulf %[[V0123]], %[[V4]]
// LLVM: llvm.func @few.observe(
lci.program @few sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (5)> boundary [#lci.boundary<wrap>] {
  }
  lci.observe @o {
    %n, %some = lci.reduce product [affine_set<(d0) : (d0 >= 0, 4 - d0 >= 0)>]() : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : f32
      lci.yield %v present %p : f32
    }
    lci.yield %n : f32
  }
}

// -----

// A program without observers has no such function.
// CHECK-LABEL: func.func @none(
// CHECK-NOT: none.observe
// LLVM: llvm.func @none(
lci.program @none sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (5)> boundary [#lci.boundary<wrap>] {
  }
}
