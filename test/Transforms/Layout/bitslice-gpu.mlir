// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,func.func(lci-bitslice,canonicalize,cse))' | FileCheck %s
// Words as threads: all loops are parallel, a thread takes as many planes of a draw as its cells need, and what it
// counts it adds atomically.

#layout = #lci.layout<split 1 planes 1 cells [3, 100] low [0, 0] high [0, 0]>
#small = #lci.layout<split 1 planes 1 cells [64] low [0] high [0]>

// CHECK-LABEL: func.func @draws
// CHECK-SAME:    %[[A:.*]]: memref<3x100xi8>, %[[P:.*]]: memref<3x4xi64>
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%c3, %c2)
// CHECK:           vector.maskedload %[[A]]
// CHECK:           memref.store %{{.*}}, %[[P]][%[[I]], %{{.*}}]
// CHECK:         lci.tick @B {{.*}} target(%{{.*}} : memref<3x2xi64{{.*}}counts(%{{.*}}box [0, 1] [3, 1] step [1, 1] class_stride 1 packed 64
// CHECK:           %[[ENDS:.*]]:3 = scf.while (%{{.*}}, %[[UNDECIDED:.*]] = %{{.*}}, %[[BLOCK:.*]] = %c3_i64)
// CHECK:             %[[ANY:.*]] = arith.cmpi ne, %[[UNDECIDED]], %c0_i64
// CHECK:             %[[LEFT:.*]] = arith.cmpi ult, %[[BLOCK]], %c8_i64
// CHECK:             arith.andi %[[ANY]], %[[LEFT]]
// CHECK:           } do {
// CHECK:             scf.yield
// CHECK:           %[[MANY:.*]] = math.ctpop
// CHECK:           lci.install %{{.*}} if %{{.*}} tally %[[MANY]] : i64 to [1] : i64
// CHECK:         vector.maskedstore %[[A]]
func.func @draws(%a: memref<3x100xi8>, %p: memref<3x100xi8, #layout>, %e: i64, %counts: memref<2xi64>) {
  linalg.copy ins(%a : memref<3x100xi8>) outs(%p : memref<3x100xi8, #layout>)
  lci.tick @B at %e, %e, %e target(%p : memref<3x100xi8, #layout>) counts(%counts : memref<2xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %chance = arith.constant 0.3 : f32
    %u = lci.bernoulli %chance stream <1, 0>
    %x = arith.extui %u : i1 to i8
    lci.install %x if %true tally %u to [1] : i8
  }
  linalg.copy ins(%p : memref<3x100xi8, #layout>) outs(%a : memref<3x100xi8>)
  return
}

// For a single word a warp is started, of which one thread copies it: a loop of one iteration would be folded.
// CHECK-LABEL: func.func @word
// CHECK:         scf.parallel (%[[I:.*]]) = (%c0) to (%c32)
// CHECK:           %[[IS:.*]] = arith.cmpi eq, %[[I]], %c0
// CHECK:           scf.if %[[IS]] {
// CHECK:             vector.load
// CHECK:             memref.store
func.func @word(%a: memref<64xi8>, %p: memref<64xi8, #small>) {
  linalg.copy ins(%a : memref<64xi8>) outs(%p : memref<64xi8, #small>)
  return
}

// The halo of a torus whose rows fill their words is whole words on both axes, each of which a thread copies from where
// the torus has it, in each plane; of rows that do not, the last axis comes first.
#whole = #lci.layout<split 2 planes 1 cells [3, 256] low [1, 1] high [1, 1]>
#parts = #lci.layout<split 1 planes 1 cells [3, 100] low [1, 1] high [1, 1]>

// CHECK-LABEL: func.func @whole_words
// CHECK-SAME:    %[[EVEN:[a-z0-9]*]]: memref<5x4xi64>{{.*}} %[[ODD:[a-z0-9]*]]: memref<5x4xi64>
// CHECK-NOT:     linalg.generic
// CHECK:         lci.refresh_halo %[[EVEN]] low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>]
// CHECK-NEXT:    lci.refresh_halo %[[ODD]] low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>]
// CHECK-NEXT:    return
func.func @whole_words(%p: memref<5x258xi8, #whole>) {
  lci.refresh_halo %p low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<5x258xi8, #whole>
  return
}

// CHECK-LABEL: func.func @parts_of_words
// CHECK:         linalg.generic
// CHECK:         lci.refresh_halo %{{.*}} low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>]
// CHECK-NEXT:    return
func.func @parts_of_words(%p: memref<5x102xi8, #parts>) {
  lci.refresh_halo %p low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<5x102xi8, #parts>
  return
}

// CHECK-LABEL: func.func @open_rows
// CHECK:         linalg.generic
// CHECK:         lci.refresh_halo %{{.*}} low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>]
func.func @open_rows(%p: memref<5x258xi8, #whole>) {
  %none = arith.constant 0 : i8
  lci.refresh_halo %p low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<open>] fill %none : memref<5x258xi8, #whole>, i8
  return
}
