// RUN: lmpm-opt %s --lci-bufferize-state --canonicalize --cse --split-input-file | FileCheck %s
// A phase that reads what it overwrites has a second buffer, in a ping-pong pair with the first.

// CHECK-DAG: #[[BEFORE:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[SELF:.*]] = affine_map<(d0) -> (d0 + 1)>
// CHECK-LABEL: func @loop
// CHECK-SAME:    %[[A:.*]]: memref<9xi8> {lci.extents = array<i64: 8>, lci.halo_high = array<i64: 0>, lci.halo_low = array<i64: 1>, lci.name = "A", lci.role = "state", llvm.noalias}
// CHECK-SAME:    %[[K:[a-z0-9]*]]: memref<1xi64>
// CHECK-SAME:    %[[ON:[a-z0-9]*]]: i1
// CHECK-SAME:    %[[B:[a-z0-9]*]]: memref<9xi8> {{{.*}}lci.name = "A", lci.role = "scratch", llvm.noalias}) {
func.func @loop(%A: tensor<8xi8> {lci.role = "state", lci.name = "A"}, %t: i64, %k: tensor<1xi64>, %on: i1) -> (tensor<8xi8>, tensor<1xi64>) {
  %one = arith.constant 1 : i64
  // CHECK: lci.refresh_halo %[[A]] low [1] high [0] [#lci.boundary<wrap>] : memref<9xi8>
  // The switch of the only rule is tested once for all cells; without it both buffers stay the same.
  // CHECK: %[[OFF:.*]] = arith.xori %[[ON]], %true
  // CHECK: scf.if %[[OFF]]
  // CHECK:   linalg.copy
  // CHECK: %[[R:.*]]:2 = scf.for %{{.*}} iter_args(%[[CUR:.*]] = %[[A]], %[[NEXT:.*]] = %[[B]])
  %r:2 = scf.for %e = %one to %t step %one iter_args(%s = %A, %c = %k) -> (tensor<8xi8>, tensor<1xi64>) : i64 {
    // CHECK: scf.if %[[ON]]
    // CHECK: %[[CELLS:.*]] = memref.subview %[[NEXT]][1] [8] [1]
    // CHECK-NOT: linalg.copy
    // CHECK: lci.tick @A at {{.*}} inputs(%[[CUR]] : memref<9xi8>) target(%[[CELLS]]
    // CHECK-SAME: counts(%[[K]] : memref<1xi64>)
    %n:2 = lci.tick @A at %e, %e, %e inputs(%s, %on : tensor<8xi8>, i1) target(%s : tensor<8xi8>)
        counts(%c : tensor<1xi64>) cells affine_set<(i)[p] : (i - 3 >= 0)> class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi8>, %yes: i1):
      // CHECK: %[[NEW:.*]] = lci.load %{{.*}}[#[[BEFORE]]]
      %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi8> -> i8
      // CHECK: %[[MEMBER:.*]] = arith.cmpi sge
      // CHECK: %[[OLD:.*]] = lci.load %{{.*}}[#[[SELF]]]
      // CHECK: %[[TOKEN:.*]] = arith.select %[[MEMBER]], %[[NEW]], %[[OLD]]
      // CHECK: lci.install %[[TOKEN]] if %true{{.*}} tally %[[MEMBER]] to [0]
      lci.install %v if %yes tally %yes to [0] : i8
    } -> tensor<8xi8>, tensor<1xi64>
    // CHECK: lci.refresh_halo %[[NEXT]] low [1]
    // CHECK: scf.yield %[[NEXT]], %[[CUR]]
    scf.yield %n#0, %n#1 : tensor<8xi8>, tensor<1xi64>
  }
  // CHECK: %[[WHERE:.*]] = memref.extract_aligned_pointer_as_index %[[R]]#0
  // CHECK: %[[HOME:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
  // CHECK: %[[AWAY:.*]] = arith.cmpi ne, %[[WHERE]], %[[HOME]]
  // CHECK: scf.if %[[AWAY]]
  // CHECK:   linalg.copy
  // CHECK: return{{$}}
  return %r#0, %r#1 : tensor<8xi8>, tensor<1xi64>
}

// -----

// Where the boxes do not hold all cells, the others are copied first.

// CHECK-LABEL: func @partial
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<10xi64> {{.*}}, %[[B:[a-z0-9]*]]: memref<10xi64>
func.func @partial(%A: tensor<8xi64>, %t: i64) -> tensor<8xi64> {
  // CHECK-DAG: %[[FROM:.*]] = memref.subview %[[A]][0] [8] [1]
  // CHECK-DAG: %[[TO:.*]] = memref.subview %[[B]][0] [8] [1]
  // CHECK: linalg.copy ins(%[[FROM]] : {{.*}}) outs(%[[TO]] :
  // CHECK: lci.tick
  // CHECK-SAME: inputs(%[[A]] : memref<10xi64>) target(%[[TO]] : {{.*}}) box [3] [3] step [2]
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi64>) target(%A : tensor<8xi64>)
      box [3] [3] step [2] class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %v = lci.load %in[affine_map<(i) -> (i + 2)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
    // CHECK: %[[BIG:.*]] = arith.cmpi
    %big = arith.cmpi sgt, %v, %epoch : i64
    // CHECK: lci.install %{{.*}} if %[[BIG]]
    lci.install %v if %big : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// -----

// Interior and border write one new state and read one old one.

// CHECK-LABEL: func @pieces
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<9xi64> {{.*}}, %[[B:[a-z0-9]*]]: memref<9xi64>
// CHECK-NOT:     linalg.copy
// CHECK:         lci.tick @A {{.*}} inputs(%[[A]] : memref<9xi64>) {{.*}} box [1] [7] step [1]
// CHECK-NOT:     lci.refresh_halo
// CHECK:         lci.tick @A {{.*}} inputs(%[[A]] : memref<9xi64>) {{.*}} box [0] [1] step [1]
// CHECK:         lci.refresh_halo %[[B]]
// CHECK-NOT:     lci.tick
func.func @pieces(%A: tensor<8xi64>, %t: i64) -> tensor<8xi64> {
  %m = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi64>) target(%A : tensor<8xi64>)
      box [1] [7] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  } -> tensor<8xi64>
  %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi64>) target(%m : tensor<8xi64>)
      box [0] [1] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
    %v = lci.load %in[affine_map<(i) -> (i - 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}

// -----

// Two values that see each other: the one that comes first must leave the other its old state.

// CHECK-LABEL: func @mutual
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<4xf32> {{.*}}, %[[B:[a-z0-9]*]]: memref<4xf32> {{.*}}, %[[SCRATCH:[a-z0-9]*]]: memref<4xf32> {{{.*}}lci.name = "A", lci.role = "scratch"
// CHECK:         lci.tick @A {{.*}} inputs(%[[A]], %[[B]] {{.*}} target(%[[SCRATCH]]
// CHECK:         lci.tick @B {{.*}} inputs(%[[A]], %[[B]] {{.*}} target(%[[B]]
func.func @mutual(%A: tensor<4xf32> {lci.name = "A"}, %B: tensor<4xf32> {lci.name = "B"}, %t: i64) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = lci.tick @A at %t, %t, %t inputs(%A, %B : tensor<4xf32>, tensor<4xf32>) target(%A : tensor<4xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %own: tensor<4xf32>, %other: tensor<4xf32>):
    %u = lci.load %own[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<4xf32> -> f32
    %v = lci.load %other[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<4xf32> -> f32
    %w = arith.addf %u, %v : f32
    %yes = arith.constant true
    lci.install %w if %yes : f32
  } -> tensor<4xf32>
  %b = lci.tick @B at %t, %t, %t inputs(%A, %B : tensor<4xf32>, tensor<4xf32>) target(%B : tensor<4xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %other: tensor<4xf32>, %own: tensor<4xf32>):
    %u = lci.load %own[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<4xf32> -> f32
    %v = lci.load %other[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<4xf32> -> f32
    %w = arith.subf %u, %v : f32
    %yes = arith.constant true
    lci.install %w if %yes : f32
  } -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// A branch hands on both buffers, whichever of them holds the state. What the other value of the
// branch reads is what was before it.

// CHECK-LABEL: func @branch
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<9xi64> {{.*}}, %[[C:[a-z0-9]*]]: memref<8xi64> {{.*}}, %[[B:[a-z0-9]*]]: memref<9xi64>
func.func @branch(%A: tensor<8xi64>, %C: tensor<8xi64>, %on: i1, %t: i64) -> (tensor<8xi64>, tensor<8xi64>) {
  // CHECK: %[[R:.*]] = arith.select %{{.*}}, %[[B]], %[[A]] : memref<9xi64>
  // CHECK: scf.if
  // CHECK: %[[CELLS:.*]] = memref.subview %[[B]][1] [8] [1]
  // CHECK: lci.tick @A at {{.*}} inputs(%[[A]] : memref<9xi64>) target(%[[CELLS]]
  // CHECK: lci.tick @C at {{.*}} inputs(%[[A]] : memref<9xi64>) target(%[[C]]
  %r:2 = scf.if %on -> (tensor<8xi64>, tensor<8xi64>) {
    %n = lci.tick @A at %t, %t, %t inputs(%A : tensor<8xi64>) target(%A : tensor<8xi64>) class_stride 1 {
    ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
      %u = lci.load %in[affine_map<(x) -> (x - 1)>](%x) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
      %yes = arith.constant true
      lci.install %u if %yes : i64
    } -> tensor<8xi64>
    %m = lci.tick @C at %t, %t, %t inputs(%A : tensor<8xi64>) target(%C : tensor<8xi64>) class_stride 1 {
    ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
      %u = lci.load %in[affine_map<(x) -> (x)>](%x) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
      %yes = arith.constant true
      lci.install %u if %yes : i64
    } -> tensor<8xi64>
    scf.yield %n, %m : tensor<8xi64>, tensor<8xi64>
  } else {
    scf.yield %A, %C : tensor<8xi64>, tensor<8xi64>
  }
  // CHECK: memref.extract_aligned_pointer_as_index %[[R]]
  return %r#0, %r#1 : tensor<8xi64>, tensor<8xi64>
}

// -----

// In place but for a value of the same branch that reads the state before: that needs a second
// buffer too.

// CHECK-LABEL: func @in_place
// CHECK-SAME:    %[[A:[a-z0-9]*]]: memref<8xi64> {{.*}}, %[[C:[a-z0-9]*]]: memref<8xi64> {{.*}}, %[[B:[a-z0-9]*]]: memref<8xi64>
func.func @in_place(%A: tensor<8xi64>, %C: tensor<8xi64>, %on: i1, %t: i64) -> (tensor<8xi64>, tensor<8xi64>) {
  // CHECK: scf.if
  // CHECK: lci.tick @A at {{.*}} target(%[[B]]
  // CHECK: lci.tick @C at {{.*}} inputs(%[[A]]
  %r:2 = scf.if %on -> (tensor<8xi64>, tensor<8xi64>) {
    %n = lci.tick @A at %t, %t, %t target(%A : tensor<8xi64>) class_stride 1 {
    ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64):
      %yes = arith.constant true
      lci.install %epoch if %yes : i64
    } -> tensor<8xi64>
    %m = lci.tick @C at %t, %t, %t inputs(%A : tensor<8xi64>) target(%C : tensor<8xi64>) class_stride 1 {
    ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>):
      %u = lci.load %in[affine_map<(x) -> (x)>](%x) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
      %yes = arith.constant true
      lci.install %u if %yes : i64
    } -> tensor<8xi64>
    scf.yield %n, %m : tensor<8xi64>, tensor<8xi64>
  } else {
    scf.yield %A, %C : tensor<8xi64>, tensor<8xi64>
  }
  return %r#0, %r#1 : tensor<8xi64>, tensor<8xi64>
}
