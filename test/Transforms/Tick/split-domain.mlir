// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-split-domain,canonicalize,cse))' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-split-domain{max-boxes=2}))' | FileCheck %s --check-prefix=FEW
// Colours become strided boxes, tests on indices cut them and fold.

#b = #lci.boundary<open>

// The first red cell has no left neighbour; all others have one, without a test.
// CHECK-LABEL: @red
// CHECK: %[[FIRST:.*]] = lci.tick @A {{.*}} inputs(%[[OLD:.*]] : tensor<8xi64>) target(%[[OLD]] : tensor<8xi64>) box [0] [1] step [2] class_stride 2
// CHECK-NOT: lci.load
// CHECK: lci.install
// CHECK: lci.tick @A {{.*}} inputs(%[[OLD]] : tensor<8xi64>) target(%[[FIRST]] : tensor<8xi64>) box [2] [3] step [2] class_stride 2
// CHECK-NOT: arith.cmpi
// CHECK: lci.load
func.func @red(%a: tensor<8xi64>, %e: i64, %s: i64) -> tensor<8xi64> {
  %p = arith.constant 0 : i64
  %n = lci.tick @A at %e, %p, %s inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>)
      cells affine_set<(i)[p] : ((i - p) mod 2 == 0)> class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %c0 = arith.constant 0 : index
    %m1 = arith.constant -1 : index
    %zero = arith.constant 0 : i64
    %left = arith.addi %i, %m1 : index
    %there = arith.cmpi sge, %left, %c0 : index
    %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#b] : tensor<8xi64> -> i64
    %w = arith.select %there, %v, %zero : i64
    %yes = arith.constant true
    lci.install %w if %yes : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// Two axes: four boxes of phase 1, none tests anything.
// CHECK-LABEL: @checkered
// CHECK: box [0, 1] [3, 2] step [2, 2]
// CHECK: box [1, 0] [2, 3] step [2, 2]
// CHECK-NOT: lci.tick
// FEW-LABEL: @checkered
// FEW: box [0, 1] [3, 2] step [2, 2]
func.func @checkered(%a: tensor<5x5xi64>, %e: i64, %s: i64) -> tensor<5x5xi64> {
  %p = arith.constant 1 : i64
  %n = lci.tick @A at %e, %p, %s inputs(%a : tensor<5x5xi64>) target(%a : tensor<5x5xi64>)
      cells affine_set<(i, j)[p] : ((i + j - p) mod 2 == 0)> class_stride 2 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<5x5xi64>):
    %v = lci.load %in[affine_map<(i, j) -> (i, j)>](%i, %j) [#b, #b] : tensor<5x5xi64> -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  } -> tensor<5x5xi64>
  return %n : tensor<5x5xi64>
}

// A locked stretch 2..4 is cut out at both ends; counts go along the chain.
// CHECK-LABEL: @locked
// CHECK: %[[ONE:.*]]:2 = lci.tick {{.*}} counts(%{{.*}} : tensor<1xi64>) box [0] [2] step [1]
// CHECK: %[[TWO:.*]]:2 = lci.tick {{.*}} target(%[[ONE]]#0 : tensor<8xi64>) counts(%[[ONE]]#1 : tensor<1xi64>) box [2] [3] step [1]
// CHECK: %[[THREE:.*]]:2 = lci.tick {{.*}} counts(%[[TWO]]#1 : tensor<1xi64>) box [5] [3] step [1]
// CHECK: return %[[THREE]]#0, %[[THREE]]#1
// FEW-LABEL: @locked
// FEW: box [0] [8] step [1]
func.func @locked(%a: tensor<8xi64>, %k: tensor<1xi64>, %e: i64, %s: i64) -> (tensor<8xi64>, tensor<1xi64>) {
  %p = arith.constant 0 : i64
  %n:2 = lci.tick @A at %e, %p, %s inputs(%a : tensor<8xi64>) target(%a : tensor<8xi64>)
      counts(%k : tensor<1xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : tensor<8xi64> -> i64
    %low = arith.cmpi sge, %i, %c2 : index
    %high = arith.cmpi sle, %i, %c4 : index
    %in_it = arith.andi %low, %high : i1
    %true = arith.constant true
    %free = arith.xori %in_it, %true : i1
    lci.install %v if %free tally %free to [0] : i64
  } -> tensor<8xi64>, tensor<1xi64>
  return %n#0, %n#1 : tensor<8xi64>, tensor<1xi64>
}

// Not a colouring: the set stays.
// CHECK-LABEL: @diagonal
// CHECK: lci.tick {{.*}} box [0, 0] [4, 4] step [1, 1] cells
func.func @diagonal(%a: tensor<4x4xi64>, %e: i64, %s: i64) -> tensor<4x4xi64> {
  %p = arith.constant 3 : i64
  %n = lci.tick @A at %e, %p, %s target(%a : tensor<4x4xi64>)
      cells affine_set<(i, j)[p] : (i + j - p == 0)> class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %zero = arith.constant 0 : i64
    %yes = arith.constant true
    lci.install %zero if %yes : i64
  } -> tensor<4x4xi64>
  return %n : tensor<4x4xi64>
}

// A scalar has no axis to cut.
// CHECK-LABEL: func.func @negative_scalar
// CHECK-NOT: box
// CHECK: return
func.func @negative_scalar(%A: tensor<i64>, %t: i64) -> tensor<i64> {
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<i64>) target(%A : tensor<i64>) class_stride 1 {
  ^bb0(%e: i64, %p: i64, %s: i64, %in: tensor<i64>):
    %v = lci.load %in[affine_map<() -> ()>]() [] : tensor<i64> -> i64
    %w = arith.addi %v, %e : i64
    %yes = arith.constant true
    lci.install %w if %yes : i64
  } -> tensor<i64>
  return %n : tensor<i64>
}

// Every eighth cell from the sixth on, of four, of which there is none: the array stays as it is. A body that loops is
// not cut further.
// CHECK-LABEL: func.func @colour_without_cells
// CHECK-SAME: (%[[A:.*]]: tensor<4xi64>
// CHECK-NOT: lci.tick
// CHECK: return %[[A]]
func.func @colour_without_cells(%a: tensor<4xi64>, %t: i64) -> tensor<4xi64> {
  %p = arith.constant 0 : i64
  %n = lci.tick @A at %t, %p, %t target(%a : tensor<4xi64>)
      cells affine_set<(i)[p] : ((i - 5) mod 8 - p == 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %sum = scf.for %k = %zero to %i step %one iter_args(%s = %epoch) -> i64 {
      %next = arith.addi %s, %s : i64
      scf.yield %next : i64
    }
    %yes = arith.constant true
    lci.install %sum if %yes : i64
  } -> tensor<4xi64>
  return %n : tensor<4xi64>
}
