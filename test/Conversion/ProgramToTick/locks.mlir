// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules{counters=changed},canonicalize,cse)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-lower-rules{counters=full},canonicalize,cse)' | FileCheck %s --check-prefix=FULL
// A lock that nothing can outvote settles its cells before the rule is looked at, and no candidate
// is checked against it; only a report needs to know what would have won without it.

// CHECK-LABEL: func.func @lock(
// CHECK-SAME: %[[LOCK:[^:]*]]: i1 {lci.name = "Lock", lci.role = "enable"}
// CHECK: lci.tick @V {{.*}} inputs(%{{.*}}, %{{.*}}, %[[LOCK]] :
// CHECK-NEXT: ^bb0(%[[I:[^:]*]]: index, {{.*}}, %[[BIT:[^:]*]]: i1):
// CHECK: %[[REST:.*]] = arith.subi %c3, %[[I]]
// CHECK: %[[IN:.*]] = arith.cmpi sge, %[[REST]], %c0
// CHECK: %[[SETTLED:.*]] = arith.andi %[[BIT]], %[[IN]]
// CHECK-NOT: arith.extui
// CHECK: lci.install %{{.*}} if %{{.*}} unless %[[SETTLED]] tally

// FULL-LABEL: func.func @lock(
// FULL: arith.extui
// FULL: lci.install
// FULL-NOT: unless
// FULL-SAME: tally
lci.program @lock sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.rule @R on @V {
  ^bb0(%i: index):
    %v, %p = lci.read @V[affine_map<(d0) -> (d0 - 1)>](%i) : i64
    lci.emit %v : i64
  }
  lci.constraint @Lock forbid on @V where [affine_set<(i) : (3 - i >= 0)>] priority 100 {
  ^bb0(%i: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    lci.yield %c : i1
  }
  lci.commit @V using satisfy_max {
  }
}

// What the lock cannot outrank is voted on, cell by cell.
// CHECK-LABEL: func.func @outvoted(
// CHECK: arith.extui
// CHECK: lci.install
// CHECK-NOT: unless
// CHECK-SAME: tally
lci.program @outvoted sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.rule @R on @V {
  ^bb0(%i: index):
    %v, %p = lci.read @V[affine_map<(d0) -> (d0 - 1)>](%i) : i64
    lci.emit %v : i64
  }
  lci.constraint @Lock forbid on @V where [affine_set<(i) : (3 - i >= 0)>] priority 100 {
  ^bb0(%i: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    lci.yield %c : i1
  }
  lci.constraint @Zero require on @V priority 100 {
  ^bb0(%i: index, %candidate: i64):
    %zero = arith.constant 0 : i64
    %is = arith.cmpi eq, %candidate, %zero : i64
    lci.yield %is : i1
  }
  lci.commit @V using satisfy_max {
  }
}

// A cell that may be empty is settled only where it is not; a region is tested.
// CHECK-LABEL: func.func @absent(
// CHECK: %[[HELD:.*]] = lci.load
// CHECK: %[[THERE:.*]] = arith.cmpi ne, %[[HELD]], %c4
// CHECK: %[[IN:.*]] = tensor.extract
// CHECK: %[[HERE:.*]] = arith.andi %{{.*}}, %[[IN]]
// CHECK: %[[SETTLED:.*]] = arith.andi %[[HERE]], %[[THERE]]
// CHECK: lci.install %{{.*}} if %{{.*}} unless %[[SETTLED]] tally
lci.program @absent sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.region "Sky"
  lci.rule @R on @V {
  ^bb0(%i: index):
    %v, %p = lci.read @V[affine_map<(d0) -> (d0 - 1)>](%i) : i64
    lci.emit %v : i64
  }
  lci.constraint @Lock forbid on @V region "Sky" axis 0 priority 100 {
  ^bb0(%i: index, %candidate: i64):
    %c = lci.changes %candidate : i64
    lci.yield %c : i1
  }
  lci.commit @V using satisfy_max {
  }
}

