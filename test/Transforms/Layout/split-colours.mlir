// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-split-colours))' | FileCheck %s
// Arrays of which ticks take every second cell are stored as two, and the ticks are those of a part.

// CHECK-DAG: #[[MOVED:.*]] = affine_map<(d0, d1) -> (d0, d1 - 1)>
// CHECK-DAG: #[[SAME:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ABOVE:.*]] = affine_map<(d0, d1) -> (d0 - 1, d1)>
// CHECK-LABEL: func.func @even(
// CHECK-SAME: %[[U:.*]]: memref<8x9xf32> {{{[^}]*}}}, %[[F:.*]]: memref<8x9xf32> {{{[^}]*}}}, %{{.*}}: i64,
// CHECK-SAME: %[[U0:.*]]: memref<8x5xf32> {lci.extents = array<i64: 8, 5>, lci.name = "U", lci.role = "scratch", llvm.noalias},
// CHECK-SAME: %[[U1:.*]]: memref<8x4xf32> {lci.extents = array<i64: 8, 4>, lci.name = "U", lci.role = "scratch", llvm.noalias},
// CHECK-SAME: %[[F0:.*]]: memref<8x5xf32> {{{.*}}"scratch"{{.*}}}, %[[F1:.*]]: memref<8x4xf32>
func.func @even(%u: memref<8x9xf32> {lci.extents = array<i64: 8, 9>, lci.name = "U", lci.role = "state", llvm.noalias}, %f: memref<8x9xf32> {lci.extents = array<i64: 8, 9>, lci.name = "F", lci.role = "input", llvm.noalias}, %e: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[EVEN:.*]] = memref.subview %[[U]][0, 0] [8, 5] [1, 2]
  // CHECK-DAG: linalg.copy ins(%[[EVEN]] : {{.*}}) outs(%[[U0]] :
  // CHECK-DAG: %[[ODD:.*]] = memref.subview %[[U]][0, 1] [8, 4] [1, 2]
  // CHECK-DAG: linalg.copy ins(%[[ODD]] : {{.*}}) outs(%[[U1]] :
  // CHECK-DAG: %[[EVENF:.*]] = memref.subview %[[F]][0, 0] [8, 5] [1, 2]
  // CHECK: scf.for
  scf.for %i = %c0 to %c1 step %c1 {
    // The cells [2, 4, 6] are the cells [1, 2, 3] of the even part.
    // CHECK: lci.tick @U at {{.*}} inputs(%[[F0]], %[[U0]], %[[U1]] : {{.*}}) target(%[[U0]] : memref<8x5xf32>) box [2, 1] [3, 3] step [2, 1]
    lci.tick @U at %e, %e, %e inputs(%u, %f : memref<8x9xf32>, memref<8x9xf32>) target(%u : memref<8x9xf32>)
        box [2, 2] [3, 3] step [2, 2] class_stride 2 {
    // CHECK: ^bb0(%{{.*}}: index, %[[J:.*]]: index, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %[[IN_F0:[a-z0-9]*]]: memref<8x5xf32>, %[[IN_U0:[a-z0-9]*]]: memref<8x5xf32>, %[[IN_U1:[a-z0-9]*]]: memref<8x4xf32>):
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8x9xf32>, %source: memref<8x9xf32>):
      // CHECK: %[[TWICE:.*]] = arith.muli %[[J]], %c2
      // CHECK: %[[OWN:.*]] = arith.addi %[[TWICE]], %c0{{.*}}
      // CHECK: lci.load %[[IN_U0]][#[[ABOVE]]]
      // CHECK: lci.load %[[IN_U1]][#[[MOVED]]]
      // CHECK: lci.load %[[IN_U1]][#[[SAME]]]
      // CHECK: lci.load %[[IN_F0]][#[[SAME]]]
      // CHECK: arith.index_cast %[[OWN]]
      %a = lci.load %in[affine_map<(d0, d1) -> (d0 - 1, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x9xf32> -> f32
      %l = lci.load %in[affine_map<(d0, d1) -> (d0, d1 - 1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x9xf32> -> f32
      %r = lci.load %in[affine_map<(d0, d1) -> (d0, d1 + 1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x9xf32> -> f32
      %s = lci.load %source[affine_map<(d0, d1) -> (d0, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x9xf32> -> f32
      %number = arith.index_cast %y : index to i64
      %n = arith.sitofp %number : i64 to f32
      %p = arith.addf %l, %r : f32
      %q = arith.addf %p, %s : f32
      %t = arith.addf %q, %n : f32
      %v = arith.addf %t, %a : f32
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    // The cells [1, 3, 5, 7] are the first four of the odd part; their left neighbours are as far.
    // CHECK: lci.tick @U at {{.*}} inputs(%[[U0]] : {{.*}}) target(%[[U1]] : memref<8x4xf32>) box [1, 0] [3, 4] step [2, 1]
    // CHECK: lci.load %{{.*}}[#[[SAME]]]
    lci.tick @U at %e, %e, %e inputs(%u : memref<8x9xf32>) target(%u : memref<8x9xf32>)
        box [1, 1] [3, 4] step [2, 2] class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8x9xf32>):
      %l = lci.load %in[affine_map<(d0, d1) -> (d0, d1 - 1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x9xf32> -> f32
      %yes = arith.constant true
      lci.install %l if %yes : f32
    }
  }
  // Only the state is copied back.
  // CHECK: %[[BACK0:.*]] = memref.subview %[[U]][0, 0] [8, 5] [1, 2]
  // CHECK: linalg.copy ins(%[[U0]] : {{.*}}) outs(%[[BACK0]] :
  // CHECK: %[[BACK1:.*]] = memref.subview %[[U]][0, 1] [8, 4] [1, 2]
  // CHECK: linalg.copy ins(%[[U1]] : {{.*}}) outs(%[[BACK1]] :
  // CHECK-NOT: linalg.copy
  // CHECK: return
  return
}

// -----

// Whole stays what a tick reads cell by cell, what is drawn for, and what others than ticks touch.
// CHECK-LABEL: func.func @whole(
// CHECK-NOT: scratch
// CHECK-NOT: linalg.copy
// CHECK: return
func.func @whole(%a: memref<8x8xf32> {lci.extents = array<i64: 8, 8>, lci.name = "A", lci.role = "state", llvm.noalias}, %b: memref<8x8xf32> {lci.extents = array<i64: 8, 8>, lci.name = "B", lci.role = "state", llvm.noalias}, %c: memref<8x8xf32> {lci.extents = array<i64: 8, 8>, lci.name = "C", lci.role = "state", llvm.noalias}, %d: memref<8x8xf32> {lci.extents = array<i64: 8, 8>, lci.name = "D", lci.role = "state", llvm.noalias}, %e: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    // A in steps, but B in one.
    lci.tick @A at %e, %e, %e inputs(%b : memref<8x8xf32>) target(%a : memref<8x8xf32>)
        box [0, 0] [8, 4] step [1, 2] class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8x8xf32>):
      %l = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x8xf32> -> f32
      %yes = arith.constant true
      lci.install %l if %yes : f32
    }
    lci.tick @B at %e, %e, %e inputs(%b : memref<8x8xf32>) target(%b : memref<8x8xf32>)
        box [0, 0] [8, 8] step [1, 1] class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8x8xf32>):
      %l = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x8xf32> -> f32
      %yes = arith.constant true
      lci.install %l if %yes : f32
    }
    // Draws.
    lci.tick @C at %e, %e, %e target(%c : memref<8x8xf32>)
        box [0, 0] [8, 4] step [1, 2] class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64):
      %u = lci.uniform stream <0, 0>
      %yes = arith.constant true
      lci.install %u if %yes : f32
    }
    lci.tick @D at %e, %e, %e inputs(%d : memref<8x8xf32>) target(%d : memref<8x8xf32>)
        box [0, 0] [8, 4] step [1, 2] class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8x8xf32>):
      %l = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<8x8xf32> -> f32
      %yes = arith.constant true
      lci.install %l if %yes : f32
    }
  }
  // A test of the whole array.
  %zero = memref.load %d[%c0, %c0] : memref<8x8xf32>
  memref.store %zero, %d[%c1, %c1] : memref<8x8xf32>
  return
}

// -----

// Rows shorter than there are colours: the last two have no cells, and buffers that nothing touches.
// CHECK-LABEL: func.func @short(
// CHECK-SAME:    memref<6x2xf32> {{{.*}}memref<6x1xf32> {{{.*}}memref<6x1xf32> {{{.*}}memref<6x1xf32> {{{.*}}memref<6x1xf32> {
func.func @short(%u: memref<6x2xf32> {lci.extents = array<i64: 6, 2>, lci.name = "U", lci.role = "state", llvm.noalias}, %e: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK-DAG: memref.subview %{{.*}}[0, 0] [6, 1] [1, 4]
  // CHECK-DAG: memref.subview %{{.*}}[0, 1] [6, 1] [1, 4]
  // CHECK-NOT: memref.subview
  // CHECK: scf.for
  scf.for %i = %c0 to %c1 step %c1 {
    lci.tick @U at %e, %e, %e inputs(%u : memref<6x2xf32>) target(%u : memref<6x2xf32>)
        box [0, 1] [6, 1] step [1, 4] class_stride 4 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<6x2xf32>):
      %l = lci.load %in[affine_map<(d0, d1) -> (d0, d1 - 1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<6x2xf32> -> f32
      %yes = arith.constant true
      lci.install %l if %yes : f32
    }
  }
  return
}
