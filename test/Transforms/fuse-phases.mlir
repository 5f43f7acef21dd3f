// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-fuse-phases{smallest=0 max-epochs=4 rows=2}),canonicalize)' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-fuse-phases))' | FileCheck %s --check-prefix=SMALL
// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(lci-fuse-phases{smallest=0 remarks=true}))' -o /dev/null
// A window of rows goes over the arrays once for four epochs; B is a row behind A, which it reads one
// row below, and an epoch is two rows behind the one before it, whose B it reads in A.

// SMALL-LABEL: func.func @two(
// SMALL-COUNT-1: scf.for
// SMALL-NOT: scf.for
// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: memref<9x9xf32> {{.*}}, %[[B:.*]]: memref<9x9xf32> {{.*}}, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64, %[[ON:.*]]: i1)
func.func @two(%a: memref<9x9xf32> {llvm.noalias}, %b: memref<9x9xf32> {llvm.noalias}, %first: i64, %last: i64, %on: i1) {
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
  // CHECK: %[[BEHIND:.*]] = arith.muli %[[T]], %c2
  // CHECK: %[[W:.*]] = arith.subi %[[P]], %[[BEHIND]]
  // CHECK: %[[E:.*]] = arith.addi %[[GROUP]], %{{.*}} : i64
  // CHECK: %[[END:.*]] = arith.addi %[[W]], %c2 : index
  // CHECK: lci.tick @A at %[[E]], {{.*}} box [%{{.*}}, 0] [%{{.*}}, 9] step [1, 1]
  // CHECK: scf.if %[[ON]]
  // CHECK: lci.tick @B at %[[E]], {{.*}} box [%{{.*}}, 0] [%{{.*}}, 9] step [2, 1]
  // The other epochs.
  // CHECK: scf.for %[[REST:.*]] = %[[MIDDLE]] to %[[LAST]] step %c1_i64
  // CHECK: lci.tick @A at %[[REST]], {{.*}} class_stride
  // CHECK: lci.tick @B at %[[REST]], {{.*}} box [0, 0] [4, 9] step [2, 1]
  scf.for %e = %first to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e inputs(%a, %b : memref<9x9xf32>, memref<9x9xf32>) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9x9xf32>, %other: memref<9x9xf32>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<9x9xf32> -> f32
      %w = lci.load %other[affine_map<(d0, d1) -> (d0 + 1, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<9x9xf32> -> f32
      %s = arith.addf %v, %w : f32
      %yes = arith.constant true
      lci.install %s if %yes : f32
    }
    scf.if %on {
      lci.tick @B at %e, %e, %e inputs(%a : memref<9x9xf32>) target(%b : memref<9x9xf32>) box [0, 0] [4, 9] step [2, 1] class_stride 1 {
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
// CHECK-COUNT-9: scf.for %
// CHECK-NOT: scf.for %
func.func @obstacles(%a: memref<9x9xf32> {llvm.noalias}, %b: memref<9x9xf32> {llvm.noalias}, %c: memref<9x9xf32>, %line: memref<9xf32> {llvm.noalias}, %scalar: memref<f32> {llvm.noalias}, %last: i64, %n: index) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %one = arith.constant 1.0 : f32
  // expected-remark @+1 {{the phases are not fused because of buffers that take turns}}
  %r:2 = scf.for %e = %c0 to %last step %c1 iter_args(%s = %a, %t = %b) -> (memref<9x9xf32>, memref<9x9xf32>) : i64 {
    lci.tick @A at %e, %e, %e inputs(%s : memref<9x9xf32>) target(%t : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9x9xf32>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>] (%x, %y) [#lci.boundary<open>, #lci.boundary<open>] : memref<9x9xf32> -> f32
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
    scf.yield %t, %s : memref<9x9xf32>, memref<9x9xf32>
  }
  // expected-remark @+1 {{not fused because of a loop that does not count epochs}}
  scf.for %e = %c0 to %last step %c2 : i64 {
    lci.tick @A at %e, %e, %e inputs(%one : f32) target(%a : memref<9x9xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
      %yes = arith.constant true
      lci.install %v if %yes : f32
    }
  }
  // expected-remark @+1 {{not fused because of an array with a halo or a second buffer}}
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
