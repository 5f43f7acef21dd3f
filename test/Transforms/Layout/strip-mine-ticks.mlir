// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-strip-mine-ticks{words=8}))' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-strip-mine-ticks{words=8},lci-bitslice,canonicalize,cse))' | FileCheck %s --check-prefix=SLICED
// RUN: not lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-strip-mine-ticks{words=0}))' 2>&1 | FileCheck %s --check-prefix=BAD
// A tick on planes that draws is cut into strips of so many words; others stay whole.

// BAD: error: expected 'words' from 1 to 1099511627776, but got 0

#layout = #lci.layout<split 1 planes 1 cells [10, 128] low [0, 0] high [0, 0]>

// CHECK-LABEL: func.func @draws(
// CHECK:       scf.for %[[STRIP:.*]] = %{{.*}} to %{{.*}} step
// CHECK:         %[[FIRST:.*]] = arith.muli %[[STRIP]], %c4{{.*}} : index
// CHECK:         %[[ROWS:.*]] = arith.minsi
// CHECK:         lci.tick @A {{.*}} box [%[[FIRST]], 0] [%[[ROWS]], 128]
// CHECK:       } {lci.strips}
// What thresholds are is found once, and the list is that of a strip.
// SLICED-LABEL: func.func @draws(
// SLICED-DAG:   memref.alloc() : memref<34xi64>
// SLICED-DAG:   memref.alloc() : memref<4x32xi32>
// SLICED:       memref.store %{{.*}} : memref<34xi64>
// SLICED:       scf.for %{{.*}} = %c0 to %c3 step %c1
// SLICED-NOT:     memref<34xi64>{{$}}
// SLICED:         lci.tick @A {{.*}} packed 64
// SLICED:       } {lci.strips}
func.func @draws(%a: memref<10x128xi8, #layout>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<10x128xi8, #layout>) box [0, 0] [10, 128] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %half = arith.constant 0.3 : f32
    %up = lci.bernoulli %half stream <1, 0>
    %x = arith.extui %up : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// Every other row: the first one is no constant, so that both boxes are one function.
// CHECK-LABEL: func.func @every_other_row(
// CHECK:         %[[ODD:.*]] = lci.varying 1 : index
// CHECK:         %[[FIRST:.*]] = arith.addi %{{.*}}, %[[ODD]] : index
// CHECK:         lci.tick @A {{.*}} box [%[[FIRST]], 0] [%{{.*}}, 128] step [2, 1]
func.func @every_other_row(%a: memref<10x128xi8, #layout>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<10x128xi8, #layout>) box [1, 0] [5, 128] step [2, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %half = arith.constant 0.3 : f32
    %up = lci.bernoulli %half stream <1, 0>
    %x = arith.extui %up : i1 to i8
    lci.install %x if %true : i8
  }
  return
}

// CHECK-LABEL: func.func @draws_nothing(
// CHECK-NOT:   scf.for
func.func @draws_nothing(%a: memref<10x128xi8, #layout>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%a : memref<10x128xi8, #layout>) box [0, 0] [10, 128] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %true = arith.constant true
    %x = arith.constant 1 : i8
    lci.install %x if %true : i8
  }
  return
}
