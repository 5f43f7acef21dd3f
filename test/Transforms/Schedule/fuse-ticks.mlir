// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-fuse-ticks{min-cells=64}))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-fuse-ticks))' | FileCheck %s --check-prefix=SMALL
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-fuse-ticks{min-cells=64 max-operations=6}))' | FileCheck %s --check-prefix=LONG
// Ticks of values that share windows become one where they go over the same cells.

// SMALL-NOT: lci.tick @U.V
// The second one moves over the halo of the first one's target, which it has nothing to do with.
// CHECK-LABEL: func.func @switched(
// CHECK-SAME: %[[U:.*]]: memref<66xf32>{{.*}}, %[[N:.*]]: memref<66xf32>{{.*}}, %[[V:.*]]: memref<64xf32>{{.*}}, %[[A:.*]]: i1, %[[B:.*]]: i1
// CHECK: %[[ALL:.*]] = arith.andi %[[A]], %[[B]] : i1
// CHECK: scf.if %[[ALL]] {
// CHECK: lci.tick @U.V {{.*}} target(%{{.*}}, %[[V]] : {{.*}} box [0] [64] step [1]
// CHECK-COUNT-3: lci.load
// CHECK-NOT: lci.load
// CHECK: lci.install %{{.*}}, %{{.*}} if %{{.*}} : f32, f32
// CHECK: } else {
// CHECK: scf.if %[[A]] {
// CHECK-NEXT: lci.tick @U
// CHECK: scf.if %[[B]] {
// CHECK-NEXT: lci.tick @V
// CHECK: lci.refresh_halo %[[N]]
// LONG-LABEL: func.func @switched(
// LONG-NOT: lci.tick @U.V
// LONG-LABEL: func.func @alone(
func.func @switched(%u: memref<66xf32> {llvm.noalias}, %next: memref<66xf32> {llvm.noalias},
                    %v: memref<64xf32> {llvm.noalias}, %a: i1, %b: i1, %t: i64) {
  scf.if %a {
    %new = memref.subview %next[1] [64] [1] : memref<66xf32> to memref<64xf32, strided<[1], offset: 1>>
    lci.tick @U at %t, %t, %t inputs(%u, %v : memref<66xf32>, memref<64xf32>)
        target(%new : memref<64xf32, strided<[1], offset: 1>>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %us: memref<66xf32>, %vs: memref<64xf32>):
      %yes = arith.constant true
      %left = lci.load %us[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<66xf32> -> f32
      %w = lci.load %vs[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      %sum = arith.addf %left, %w : f32
      lci.install %sum if %yes : f32
    }
  }
  lci.refresh_halo %next low [1] high [1] [#lci.boundary<wrap>] : memref<66xf32>
  scf.if %b {
    lci.tick @V at %t, %t, %t inputs(%v, %u : memref<64xf32>, memref<66xf32>)
        target(%v : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %vs: memref<64xf32>, %us: memref<66xf32>):
      %yes = arith.constant true
      %w = lci.load %vs[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      %here = lci.load %us[affine_map<(d0) -> (d0 + 1)>] (%i) [#lci.boundary<open>] : memref<66xf32> -> f32
      %sum = arith.subf %w, %here : f32
      lci.install %sum if %yes : f32
    }
  }
  return
}

// -----

// Without a switch there is nothing to test, and boxes of computed rows are equal if they are made
// alike.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: scf.if
// CHECK: %[[COUNT:.*]] = arith.subi
// CHECK-NOT: arith.subi
// CHECK: lci.tick @A.B {{.*}} box [0] [%[[COUNT]]]
// SMALL-LABEL: func.func @alone(
// SMALL: lci.tick @{{[A-Z]+[.]}}
func.func @alone(%s: memref<64xf32> {llvm.noalias}, %x: memref<64xf32> {llvm.noalias},
                 %y: memref<64xf32> {llvm.noalias}, %from: index, %to: index, %t: i64) {
  %m = arith.subi %to, %from : index
  lci.tick @A at %t, %t, %t inputs(%s : memref<64xf32>) target(%x : memref<64xf32>) box [0] [%m] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
    lci.install %v if %yes : f32
  }
  %n = arith.subi %to, %from : index
  lci.tick @B at %t, %t, %t inputs(%s : memref<64xf32>) target(%y : memref<64xf32>) box [0] [%n] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
    lci.install %v if %yes : f32
  }
  return
}

// -----

// Ping-pong buffers do not alias; of others nothing is known.
// CHECK-LABEL: func.func @turns(
// CHECK: scf.for
// CHECK: lci.tick @{{[A-Z]+[.]}}
// CHECK-LABEL: func.func @strangers(
// CHECK-NOT: lci.tick @{{[A-Z]+[.]}}
// CHECK-LABEL: func.func @reads_what_is_written(
// CHECK-NOT: lci.tick @{{[A-Z]+[.]}}
// CHECK-LABEL: func.func @other_cells(
// CHECK-NOT: lci.tick @{{[A-Z]+[.]}}
func.func @turns(%p: memref<64xf32> {llvm.noalias}, %q: memref<64xf32> {llvm.noalias},
                 %y: memref<64xf32> {llvm.noalias}, %n: i64) {
  %one = arith.constant 1 : i64
  %r:2 = scf.for %t = %one to %n step %one iter_args(%s = %p, %x = %q) -> (memref<64xf32>, memref<64xf32>) : i64 {
    lci.tick @A at %t, %t, %t inputs(%s : memref<64xf32>) target(%x : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
      %yes = arith.constant true
      %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      lci.install %v if %yes : f32
    }
    lci.refresh_halo %x low [1] high [1] [#lci.boundary<wrap>] : memref<64xf32>
    lci.tick @B at %t, %t, %t inputs(%s : memref<64xf32>) target(%y : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
      %yes = arith.constant true
      %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      lci.install %v if %yes : f32
    }
    scf.yield %x, %s : memref<64xf32>, memref<64xf32>
  }
  return
}

func.func @strangers(%s: memref<64xf32>, %x: memref<64xf32>, %y: memref<64xf32>, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%s : memref<64xf32>) target(%x : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
    lci.install %v if %yes : f32
  }
  lci.refresh_halo %x low [1] high [1] [#lci.boundary<wrap>] : memref<64xf32>
  lci.tick @B at %t, %t, %t inputs(%s : memref<64xf32>) target(%y : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
    lci.install %v if %yes : f32
  }
  return
}

func.func @reads_what_is_written(%s: memref<64xf32> {llvm.noalias}, %x: memref<64xf32> {llvm.noalias},
                                 %y: memref<64xf32> {llvm.noalias}, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%s : memref<64xf32>) target(%x : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
    lci.install %v if %yes : f32
  }
  lci.refresh_halo %x low [1] high [1] [#lci.boundary<wrap>] : memref<64xf32>
  lci.tick @B at %t, %t, %t inputs(%s, %x : memref<64xf32>, memref<64xf32>) target(%y : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>, %new: memref<64xf32>):
    %yes = arith.constant true
    %v = lci.load %new[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
    lci.install %v if %yes : f32
  }
  return
}

func.func @other_cells(%s: memref<65xf32> {llvm.noalias}, %x: memref<65xf32> {llvm.noalias},
                       %y: memref<65xf32> {llvm.noalias}, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%s : memref<65xf32>) target(%x : memref<65xf32>) box [0] [64] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<65xf32>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<65xf32> -> f32
    lci.install %v if %yes : f32
  }
  lci.tick @B at %t, %t, %t inputs(%s : memref<65xf32>) target(%y : memref<65xf32>) box [1] [64] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<65xf32>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<65xf32> -> f32
    lci.install %v if %yes : f32
  }
  return
}

// -----

// Ticks on words, which have as many cells as bits. C, of other cells, and a halo, which is no tick, stand between.
// CHECK-LABEL: func.func @words(
// CHECK: scf.if
// CHECK: lci.tick @A.B {{.*}} packed 64
// CHECK: } else {
// CHECK: scf.if %{{.*}} {
// CHECK: lci.tick @A
// CHECK: scf.if %{{.*}} {
// CHECK: lci.tick @B
// CHECK: }
// CHECK: }
// CHECK: lci.tick @C
// CHECK-NOT: lci.tick
// CHECK: return
// LONG-LABEL: func.func @words(
// LONG-NOT: lci.tick @A.B
#own = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (0)>
func.func @words(%s: memref<2xi64> {llvm.noalias}, %x: memref<2xi64> {llvm.noalias},
                 %y: memref<2xi64> {llvm.noalias}, %z: memref<3xi64> {llvm.noalias},
                 %halo: memref<1xi64> {llvm.noalias}, %a: i1, %b: i1, %t: i64) {
  scf.if %a {
    lci.tick @A at %t, %t, %t inputs(%s, %x : memref<2xi64>, memref<2xi64>) target(%x : memref<2xi64>) class_stride 1 packed 64 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<2xi64>, %out: memref<2xi64>):
      %yes = arith.constant true
      %v = lci.load %in[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
      %w = lci.load %out[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
      %new = arith.xori %v, %w : i64
      lci.install %new if %yes : i64
    }
  }
  lci.tick @C at %t, %t, %t inputs(%z, %z : memref<3xi64>, memref<3xi64>) target(%z : memref<3xi64>) class_stride 1 packed 64 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<3xi64>, %out: memref<3xi64>):
    %yes = arith.constant true
    %v = lci.load %in[#own] (%i) [#lci.boundary<open>] : memref<3xi64> -> i64
    %w = lci.load %out[#own] (%i) [#lci.boundary<open>] : memref<3xi64> -> i64
    %new = arith.xori %v, %w : i64
    lci.install %new if %yes : i64
  }
  linalg.generic {indexing_maps = [#first, #own], iterator_types = ["parallel"]}
      ins(%s : memref<2xi64>) outs(%halo : memref<1xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  }
  scf.if %b {
    lci.tick @B at %t, %t, %t inputs(%s, %y : memref<2xi64>, memref<2xi64>) target(%y : memref<2xi64>) class_stride 1 packed 64 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<2xi64>, %out: memref<2xi64>):
      %yes = arith.constant true
      %v = lci.load %in[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
      %w = lci.load %out[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
      %new = arith.andi %v, %w : i64
      lci.install %new if %yes : i64
    }
  }
  return
}

// -----

// A word that a halo takes from B's target, before B writes it, keeps B where it is; ticks that draw, whose undecided
// words are listed between them, stay as well.
// CHECK-LABEL: func.func @words_in_order(
// CHECK-NOT: lci.tick @{{[A-Z]+[.]}}
// CHECK-LABEL: func.func @words_that_draw(
// CHECK-NOT: lci.tick @{{[A-Z]+[.]}}
#own = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (0)>
func.func @words_in_order(%s: memref<2xi64> {llvm.noalias}, %x: memref<2xi64> {llvm.noalias},
                          %y: memref<2xi64> {llvm.noalias}, %halo: memref<1xi64> {llvm.noalias}, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%s, %x : memref<2xi64>, memref<2xi64>) target(%x : memref<2xi64>) class_stride 1 packed 64 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<2xi64>, %out: memref<2xi64>):
    %yes = arith.constant true
    %v = lci.load %in[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %w = lci.load %out[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %new = arith.xori %v, %w : i64
    lci.install %new if %yes : i64
  }
  linalg.generic {indexing_maps = [#first, #own], iterator_types = ["parallel"]}
      ins(%y : memref<2xi64>) outs(%halo : memref<1xi64>) {
  ^bb0(%in: i64, %out: i64):
    linalg.yield %in : i64
  }
  lci.tick @B at %t, %t, %t inputs(%s, %y : memref<2xi64>, memref<2xi64>) target(%y : memref<2xi64>) class_stride 1 packed 64 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<2xi64>, %out: memref<2xi64>):
    %yes = arith.constant true
    %v = lci.load %in[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %w = lci.load %out[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %new = arith.andi %v, %w : i64
    lci.install %new if %yes : i64
  }
  return
}

func.func @words_that_draw(%s: memref<2xi64> {llvm.noalias}, %x: memref<2xi64> {llvm.noalias},
                           %y: memref<2xi64> {llvm.noalias}, %box: memref<2xi64> {llvm.noalias}, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%s, %x : memref<2xi64>, memref<2xi64>) target(%x : memref<2xi64>) boxed(%box : memref<2xi64>) class_stride 1 packed 64 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<2xi64>, %out: memref<2xi64>):
    %yes = arith.constant true
    %v = lci.load %in[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %w = lci.load %out[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %new = arith.xori %v, %w : i64
    lci.install %new boxed(%v : i64) if %yes : i64
  }
  lci.tick @B at %t, %t, %t inputs(%s, %y : memref<2xi64>, memref<2xi64>) target(%y : memref<2xi64>) class_stride 1 packed 64 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<2xi64>, %out: memref<2xi64>):
    %yes = arith.constant true
    %v = lci.load %in[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %w = lci.load %out[#own] (%i) [#lci.boundary<open>] : memref<2xi64> -> i64
    %new = arith.andi %v, %w : i64
    lci.install %new if %yes : i64
  }
  return
}

// -----

// Branches that are brought together, and in each of which there are ticks to be.
// CHECK-LABEL: func.func @groups_in_groups(
// CHECK: arith.andi
// CHECK-COUNT-2: lci.tick @A.B
// CHECK: } else {
// CHECK: lci.tick @A at {{.*}} target(%{{.*}}, %{{.*}} :
// CHECK-NOT: lci.tick @A
// CHECK: lci.tick @B at {{.*}} target(%{{.*}}, %{{.*}} :
// CHECK-NOT: lci.tick
func.func @groups_in_groups(%s: memref<64xf32> {llvm.noalias}, %w: memref<64xf32> {llvm.noalias}, %x: memref<64xf32> {llvm.noalias},
                            %y: memref<64xf32> {llvm.noalias}, %z: memref<64xf32> {llvm.noalias}, %a: i1, %b: i1, %t: i64) {
  scf.if %a {
    lci.tick @A at %t, %t, %t inputs(%s : memref<64xf32>) target(%w : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
      %yes = arith.constant true
      %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      lci.install %v if %yes : f32
    }
    lci.tick @A at %t, %t, %t inputs(%s : memref<64xf32>) target(%x : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
      %yes = arith.constant true
      %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      lci.install %v if %yes : f32
    }
  }
  scf.if %b {
    lci.tick @B at %t, %t, %t inputs(%s : memref<64xf32>) target(%y : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
      %yes = arith.constant true
      %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      lci.install %v if %yes : f32
    }
    lci.tick @B at %t, %t, %t inputs(%s : memref<64xf32>) target(%z : memref<64xf32>) box [0] [64] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xf32>):
      %yes = arith.constant true
      %v = lci.load %in[affine_map<(d0) -> (d0)>] (%i) [#lci.boundary<open>] : memref<64xf32> -> f32
      lci.install %v if %yes : f32
    }
  }
  return
}
