// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules{steps},canonicalize,cse)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules{steps},lci-to-llvm-pipeline)' | FileCheck %s --check-prefix=LLVM
// With steps, the caller selects the phases to run, and each phase is a separate branch.

// CHECK-LABEL: func.func @p(
// CHECK-SAME: %[[SEED:[a-z0-9]*]]: i64 {lci.name = "", lci.role = "seed"}
// CHECK-SAME: %[[BEGIN:[a-z0-9]*]]: i64 {lci.name = "", lci.role = "first_phase"}
// CHECK-SAME: %[[END:[a-z0-9]*]]: i64 {lci.name = "", lci.role = "last_phase"}
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i64
// CHECK: scf.for %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK: %[[BEGUN:.*]] = arith.cmpi sle, %[[BEGIN]], %[[ZERO]]
// CHECK: %[[GOING:.*]] = arith.cmpi sgt, %[[END]], %[[ZERO]]
// CHECK: %[[IS:.*]] = arith.andi %[[BEGUN]], %[[GOING]]
// Both values have a first phase, and read what was before it.
// CHECK: %[[FIRST:.*]]:2 = scf.if %[[IS]]
// CHECK: lci.tick @A at {{.*}} inputs(%[[A]]{{.*}} target(%[[A]]
// CHECK: lci.tick @B at {{.*}} inputs(%[[B]], %{{[a-z0-9]*}}, %[[A]] : {{.*}} target(%[[B]]
// CHECK: else
// CHECK: scf.yield %[[A]], %[[B]]
// CHECK: arith.cmpi sle, %[[BEGIN]], %[[ONE]]
// Only one has a second.
// CHECK: scf.if
// CHECK: lci.tick @A at {{.*}} inputs(%[[FIRST]]#0
// CHECK-NOT: lci.tick @B
// CHECK: func.func @p.init

// LLVM: llvm.func @p(
lci.program @p sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.value @B token vocabulary affine_map<() -> (3)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Copy on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(i) -> (i - 1)>](%i) : i64
    lci.emit %v : i64
  }
  lci.rule @Follow on @B {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
    lci.emit %v : i64
  }
  lci.schedule @A using red_black
  lci.commit @A using accept {
  }
  lci.commit @B using accept {
  }
}
