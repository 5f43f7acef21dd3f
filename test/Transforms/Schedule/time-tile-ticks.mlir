// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-time-tile-ticks{min-bytes=0 max-epochs=4 rows=2}),canonicalize)' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-time-tile-ticks))' | FileCheck %s --check-prefix=SMALL
// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(lci-time-tile-ticks{min-bytes=0 remarks=true}))' -o /dev/null
// RUN: not lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-time-tile-ticks{rows=0}))' 2>&1 | FileCheck %s --check-prefix=BAD
// A window of rows goes over the arrays once for four epochs; B is a row behind A, which it reads one
// row below, and an epoch is two rows behind the one before it, whose B it reads in A.

// BAD: error: expected 'rows' from 1 to 1099511627776, but got 0

// SMALL-LABEL: func.func @two(
// SMALL-COUNT-1: scf.for
// SMALL-NOT: scf.for
// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: memref<9x9xf32> {{.*}}, %[[B:.*]]: memref<10x9xf32> {{.*}}, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64, %[[ON:.*]]: i1)
func.func @two(%a: memref<9x9xf32> {llvm.noalias}, %b: memref<10x9xf32> {llvm.noalias}, %first: i64, %last: i64, %on: i1) {
  %c1 = arith.constant 1 : i64
  // Whole groups of four epochs.
  // CHECK-DAG: %[[N:.*]] = arith.subi %[[LAST]], %[[FIRST]]
  // CHECK: %[[SOME:.*]] = arith.maxsi %[[N]], %c0_i64
  // CHECK: %[[GROUPS:.*]] = arith.divui %[[SOME]], %c4_i64
  // CHECK: %[[GROUPED:.*]] = arith.muli %[[GROUPS]], %c4_i64
  // CHECK: %[[MIDDLE:.*]] = arith.addi %[[FIRST]], %[[GROUPED]]
  // CHECK: scf.for %[[GROUP:.*]] = %[[FIRST]] to %[[MIDDLE]] step %c4_i64
  // The last A ends at row 9, six rows behind the first epoch's.
  // CHECK: scf.for %[[P:.*]] = %c0 to %c15 step %c2
  // CHECK: scf.for %[[T:.*]] = %c0 to %c4 step %c1
  // CHECK: %[[E:.*]] = arith.addi %[[GROUP]], %{{.*}} : i64
  // CHECK: %[[BEHIND:.*]] = arith.muli %[[T]], %c2
  // CHECK: %[[W:.*]] = arith.subi %[[P]], %[[BEHIND]]
  // CHECK: %[[END:.*]] = arith.addi %[[W]], %c2 : index
  // CHECK: lci.tick @A at %[[E]], {{.*}} box [%{{.*}}, 0] [%{{.*}}, 9] step [1, 1]
  // CHECK: scf.if %[[ON]]
  // CHECK: lci.tick @B at %[[E]], {{.*}} box [%{{.*}}, 0] [%{{.*}}, 9] step [2, 1]
  // The other epochs.
  // CHECK: scf.for %[[REST:.*]] = %[[MIDDLE]] to %[[LAST]] step %c1_i64
  // CHECK: lci.tick @A at %[[REST]], {{.*}} class_stride
  // CHECK: lci.tick @B at %[[REST]], {{.*}} box [0, 0] [4, 9] step [2, 1]
  scf.for %e = %first to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%a, %b : memref<9x9xf32>, memref<10x9xf32>) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9x9xf32>, %other: memref<10x9xf32>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<9x9xf32> -> f32
      %w = lci.load %other[affine_map<(d0, d1) -> (d0 + 1, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<10x9xf32> -> f32
      %s = arith.addf %v, %w : f32
      %yes = arith.constant true
      lci.install %s if %yes : f32
    }
    scf.if %on {
      lci.tick @B at %e, %e, %e inputs(%a : memref<9x9xf32>) target(%b : memref<10x9xf32>) box [0, 0] [4, 9] step [2, 1] class_stride 1 {
      ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9x9xf32>):
        %v = lci.load %in[affine_map<(d0, d1) -> (d0 + 1, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<9x9xf32> -> f32
        %yes = arith.constant true
        lci.install %v if %yes : f32
      }
    }
  }
  return
}

// -----

// Inputs may hold indices or vectors.
// SMALL-LABEL: func.func @indices(
// CHECK-LABEL: func.func @indices(
// CHECK-COUNT-4: scf.for
func.func @indices(%a: memref<9x9xf32> {llvm.noalias}, %where: memref<9xindex> {llvm.noalias}, %vectors: memref<9xvector<3xf32>> {llvm.noalias}, %first: i64, %last: i64) {
  %c1 = arith.constant 1 : i64
  scf.for %e = %first to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%where, %vectors : memref<9xindex>, memref<9xvector<3xf32>>) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9xindex>, %parts: memref<9xvector<3xf32>>):
      %i = memref.load %in[%x] : memref<9xindex>
      %n = arith.index_cast %i : index to i64
      %v = arith.sitofp %n : i64 to f32
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  return
}

// -----

// Loops that stay as they are say why.
// SMALL-LABEL: func.func @obstacles(
// CHECK-LABEL: func.func @obstacles(
// CHECK-COUNT-14: scf.for %
// CHECK-NOT: scf.for %
func.func @obstacles(%a: memref<9x9xf32> {llvm.noalias}, %b: memref<9x9xf32> {llvm.noalias}, %c: memref<9x9xf32>, %d: memref<9x9xf32> {llvm.noalias}, %f: memref<9x9xf32> {llvm.noalias}, %g: memref<9x9xf32> {llvm.noalias}, %line: memref<9xf32> {llvm.noalias}, %scalar: memref<f32> {llvm.noalias}, %last: i64, %n: index) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %one = arith.constant 1.0 : f32
  // expected-remark @+1 {{the phases are not fused because of a loop that carries more than buffers}}
  %r:2 = scf.for %e = %c0 to %last step %c1 iter_args(%s = %a, %k = %c0) -> (memref<9x9xf32>, i64) : i64 {
    lci.tick @A at %e, %k, %e inputs(%one : f32) target(%s : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    %next = arith.addi %k, %c1 : i64
    scf.yield %s, %next : memref<9x9xf32>, i64
  }
  // expected-remark @+1 {{not fused because of many ping-pong buffers}}
  %m:5 = scf.for %e = %c0 to %last step %c1 iter_args(%p = %a, %q = %b, %s = %d, %t = %f, %u = %g) -> (memref<9x9xf32>, memref<9x9xf32>, memref<9x9xf32>, memref<9x9xf32>, memref<9x9xf32>) : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%p : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    scf.yield %q, %s, %t, %u, %p : memref<9x9xf32>, memref<9x9xf32>, memref<9x9xf32>, memref<9x9xf32>, memref<9x9xf32>
  }
  // expected-remark @+1 {{not fused because of a halo that is filled or in part}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    lci.refresh_halo %a low [1, 1] high [1, 1] [#lci.boundary<open>, #lci.boundary<open>] fill %one : memref<9x9xf32>, f32
  }
  // expected-remark @+1 {{not fused because of tori of different heights}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    lci.refresh_halo %a low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<9x9xf32>
    lci.refresh_halo %b low [2, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<9x9xf32>
  }
  // expected-remark @+1 {{not fused because of tori of different heights}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    lci.refresh_halo %b low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<9x9xf32>
  }
  // expected-remark @+1 {{not fused because of a loop that does not count epochs}}
  scf.for %e = %c0 to %last step %c2 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of an array that may have another name}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @C at %e, %e, %e inputs(%one : f32) target(%c : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of a tick of one axis, with scores or with a model}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @L at %e, %e, %e inputs(%one : f32) target(%line : memref<9xf32>) class_stride 1 {
    ^bb0(%x: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of a tick of several targets, or of elements that are no cells}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) class_stride 1 packed 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of a box whose rows are not known}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) box [%n, 0] [1, 9] step [1, 1] class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of a read of no window that follows the rows}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%a : memref<9x9xf32>) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9x9xf32>):
      %v = memref.load %in[%y, %x] : memref<9x9xf32>
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of a read of no window that follows the rows}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%scalar : memref<f32>) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<f32>):
      %v = lci.load %in[affine_map<(d0, d1) -> ()>](%x, %y) [] : memref<f32> -> f32
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    lci.tick @S at %e, %e, %e inputs(%one : f32) target(%scalar : memref<f32>) class_stride 1 {
    ^bb0(%epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of ticks that threads share}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    scf.forall (%part) in (3) {
      lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) box [%part, 0] [3, 9] step [3, 1] class_stride 1 {
      ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
        %yes = arith.constant true
        lci.install %v if %yes : f32
      }
    }
  }
  // expected-remark @+1 {{not fused because of 'memref.store'}}
  scf.for %e = %c0 to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    memref.store %one, %a[%n, %n] : memref<9x9xf32>
  }
  return
}

// -----

// The ping-pong period is two epochs: one iteration, four rows of which reach two rows on.
// SMALL-LABEL: func.func @turns(
// CHECK-LABEL: func.func @turns(
// CHECK-SAME: %[[A:.*]]: memref<32x9xf32> {{.*}}, %[[B:.*]]: memref<32x9xf32> {{.*}}, %[[LAST:.*]]: i64)
func.func @turns(%a: memref<32x9xf32> {llvm.noalias}, %b: memref<32x9xf32> {llvm.noalias}, %last: i64) -> memref<32x9xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: scf.for %[[GROUP:.*]] = %c0_i64 to %{{.*}} step %c4_i64
  // CHECK: scf.for %{{.*}} = %c0 to %c34 step %c2
  // CHECK: scf.for %[[T:.*]] = %c0 to %c2 step %c1
  // CHECK: %[[E:.*]] = arith.addi %[[GROUP]], %{{.*}} : i64
  // CHECK: lci.tick @A at %[[E]], {{.*}} inputs(%[[A]] {{.*}} target(%[[B]]
  // CHECK: %[[NEXT:.*]] = arith.addi %[[E]], %c1_i64
  // CHECK: lci.tick @A at %[[NEXT]], {{.*}} inputs(%[[B]] {{.*}} target(%[[A]]
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[A]], %{{.*}} = %[[B]])
  %r:2 = scf.for %e = %c0 to %last step %c1 iter_args(%s = %a, %t = %b) -> (memref<32x9xf32>, memref<32x9xf32>) : i64 {
    lci.tick @A at %e, %e, %e inputs(%s : memref<32x9xf32>) target(%t : memref<32x9xf32>) box [0, 0] [31, 9] step [1, 1] class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<32x9xf32>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0 + 1, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<32x9xf32> -> f32
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    scf.yield %t, %s : memref<32x9xf32>, memref<32x9xf32>
  }
  return %r#0 : memref<32x9xf32>
}

// -----

// Around a torus a stage begins below those before it and ends above them; what is left of all stages
// next to the seam comes last. Halos are refreshed where their cells have changed.
// SMALL-LABEL: func.func @torus(
// CHECK-LABEL: func.func @torus(
// CHECK-SAME: %[[A:.*]]: memref<34x10xf32> {{.*}}, %[[B:.*]]: memref<34x10xf32> {{.*}}, %[[LAST:.*]]: i64)
func.func @torus(%a: memref<34x10xf32> {llvm.noalias}, %b: memref<34x10xf32> {llvm.noalias}, %last: i64) -> memref<34x10xf32> {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  // CHECK: scf.for %[[GROUP:.*]] = %c0_i64 to %{{.*}} step %c4_i64
  // CHECK: scf.for %[[P:.*]] = %c0 to %c32 step %c2
  // CHECK: scf.for %[[T:.*]] = %c0 to %c2 step %c1
  // CHECK: arith.addi %[[GROUP]]
  // CHECK: %[[BEHIND:.*]] = arith.muli %[[T]], %c2
  // CHECK: %[[BEGIN:.*]] = arith.subi %[[P]], %[[BEHIND]]
  // CHECK: %[[LOW:.*]] = arith.muli %[[T]], %c2
  // CHECK: %[[HIGH:.*]] = arith.subi %c32, %[[BEHIND]]
  // CHECK: arith.maxsi %[[BEGIN]], %[[LOW]]
  // CHECK: arith.minsi %{{.*}}, %[[HIGH]]
  // CHECK: lci.tick @A {{.*}} inputs(%[[A]]
  // CHECK: lci.refresh_halo %[[B]] rows[%{{.*}}, %{{.*}}] low [1, 1] high [1, 1]
  // CHECK: lci.tick @A {{.*}} inputs(%[[B]]
  // CHECK: lci.refresh_halo %[[A]] rows
  // CHECK: scf.for %[[T:.*]] = %c0 to %c2 step %c1
  // CHECK-COUNT-2: lci.tick @A {{.*}} inputs(%[[A]]
  // CHECK-COUNT-2: lci.refresh_halo %[[B]] rows
  // CHECK-COUNT-2: lci.tick @A {{.*}} inputs(%[[B]]
  // CHECK-COUNT-2: lci.refresh_halo %[[A]] rows
  %r:2 = scf.for %e = %c0 to %last step %c1 iter_args(%s = %a, %t = %b) -> (memref<34x10xf32>, memref<34x10xf32>) : i64 {
    %cells = memref.subview %t[1, 1] [32, 8] [1, 1] : memref<34x10xf32> to memref<32x8xf32, strided<[10, 1], offset: 11>>
    lci.tick @A at %e, %e, %e inputs(%s : memref<34x10xf32>) target(%cells : memref<32x8xf32, strided<[10, 1], offset: 11>>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x10xf32>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0, d1 + 1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x10xf32> -> f32
      %w = lci.load %in[affine_map<(d0, d1) -> (d0 + 2, d1 + 1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x10xf32> -> f32
      %sum = arith.addf %v, %w : f32
      %yes = arith.constant true
      lci.install %sum if %yes : f32
    }
    lci.refresh_halo %t low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<34x10xf32>
    scf.yield %t, %s : memref<34x10xf32>, memref<34x10xf32>
  }
  return %r#0 : memref<34x10xf32>
}
