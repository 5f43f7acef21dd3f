// RUN: lmpm-opt %s --lci-attach-cpu-target=threads=4 --lci-parallelize-ticks=grain=0 | FileCheck %s
// RUN: lmpm-opt %s --lci-attach-cpu-target=threads=4 --lci-parallelize-ticks=grain=65536 | FileCheck %s --check-prefix=GRAIN
// RUN: lmpm-opt %s --lci-parallelize-ticks | FileCheck %s --check-prefix=ONE
// RUN: not lmpm-opt %s --lci-to-llvm-pipeline="threads=0" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not lmpm-opt %s --lci-to-llvm-pipeline="threads=-2" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not lmpm-opt %s --lci-to-linalg-pipeline="threads=1025" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not lmpm-opt %s --lci-parallelize-ticks=grain=-1 2>&1 | FileCheck %s --check-prefix=FINE
// Boxes are split into as many parts as there are threads, each with private counters; a tick with little to do is not.

#open = #lci.boundary<open>

// ONE-NOT:     scf.forall
// NONE: error: expected 'threads' from 1 to 1024, but got '0'
// LESS: error: expected 'threads' from 1 to 1024, but got '-2'
// MANY: error: expected 'threads' from 1 to 1024, but got '1025'
// FINE: error: expected 'grain' from 0 to 1099511627776, but got -1

// 2048 cells of 3 operations on 8 bits: less than two of the grains.
// GRAIN-LABEL: func @whole(
// GRAIN-NOT:     scf.forall

// CHECK-LABEL: func @whole(
// CHECK-SAME:    %[[A:[^:]*]]: memref<64x32xi8>, %[[B:[^:]*]]: memref<64x32xi8>, %[[COUNTS:[^:]*]]: memref<2xi64>
// CHECK:         scf.forall (%[[PART:.*]]) in (4) {
// CHECK:           %[[C16:.*]] = arith.constant 16 : index
// CHECK:           %[[FIRST:.*]] = arith.muli %[[PART]], %[[C16]]
// CHECK:           %[[OWN:.*]] = memref.alloca() : memref<2xi64>
// CHECK:           memref.store %{{.*}}, %[[OWN]][%{{.*}}]
// CHECK:           lci.tick @A {{.*}} inputs(%[[A]] : {{.*}}) target(%[[B]] : {{.*}}) counts(%[[OWN]] : memref<2xi64>) box [%[[FIRST]], 0] [16, 32] step [1, 1]
// CHECK:           %[[C1:.*]] = arith.constant 1 : index
// CHECK:           %[[SUM:.*]] = memref.load %[[OWN]][%[[C1]]]
// CHECK:           memref.atomic_rmw addi %[[SUM]], %[[COUNTS]][%[[C1]]]
// CHECK:         } {lci.name = "A"}
func.func @whole(%A: memref<64x32xi8>, %B: memref<64x32xi8>, %counts: memref<2xi64>, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%A : memref<64x32xi8>) target(%B : memref<64x32xi8>)
      counts(%counts : memref<2xi64>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64x32xi8>):
    %v = lci.load %in[affine_map<(i, j) -> (i, j)>](%i, %j) [#open, #open] : memref<64x32xi8> -> i8
    %yes = arith.constant true
    lci.install %v if %yes tally %yes to [1] : i8
  }
  return
}

// A box with a stride and rows that are no multiple of the parts: the last one has what is left.
// CHECK-LABEL: func @strided(
// CHECK:         scf.forall (%[[PART:.*]]) in (4) {
// CHECK:           %[[FIRST:.*]] = arith.muli %[[PART]], %{{.*}}
// CHECK:           %[[LEFT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK:           %[[ROWS:.*]] = arith.minsi %[[LEFT]], %{{.*}}
// CHECK:           %[[DISTANCE:.*]] = arith.muli %[[FIRST]], %{{.*}}
// CHECK:           %[[BEGIN:.*]] = arith.addi %[[DISTANCE]], %{{.*}}
// CHECK:           lci.tick @A {{.*}} box [%[[BEGIN]], 0] [%[[ROWS]], 16] step [2, 2]
func.func @strided(%A: memref<64x32xf32>, %t: i64) {
  lci.tick @A at %t, %t, %t target(%A : memref<64x32xf32>) box [1, 0] [31, 16] step [2, 2] class_stride 2 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 1.0 : f32
    %yes = arith.constant true
    lci.install %v if %yes : f32
  }
  return
}

// An extent that is computed may be less than its parts.
// CHECK-LABEL: func @computed(
// CHECK:         arith.minsi
// CHECK:         %[[ROWS:.*]] = arith.maxsi
// CHECK:         lci.tick @A {{.*}} box [%{{.*}}, 0] [%[[ROWS]], 32]
func.func @computed(%A: memref<64x32xf32>, %first: index, %n: index, %t: i64) {
  lci.tick @A at %t, %t, %t target(%A : memref<64x32xf32>) box [%first, 0] [%n, 32] step [1, 1] class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 1.0 : f32
    %yes = arith.constant true
    lci.install %v if %yes : f32
  }
  return
}

// Two rows are not enough for four threads, but columns are.
// CHECK-LABEL: func @wide(
// CHECK:         scf.forall (%[[PART:.*]]) in (4) {
// CHECK:           lci.tick @A {{.*}} box [0, %{{.*}}] [2, 256]
func.func @wide(%A: memref<2x1024xf32>, %t: i64) {
  lci.tick @A at %t, %t, %t target(%A : memref<2x1024xf32>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 1.0 : f32
    %yes = arith.constant true
    lci.install %v if %yes : f32
  }
  return
}

#planes = #lci.layout<split 1 planes 1 cells [2, 1024] low [0, 0] high [0, 0]>
#words = #lci.layout<split 1 planes 1 cells [1024] low [0] high [0]>

// Words of planes stay whole: rows are shared, and what has only one stays as it is.
// CHECK-LABEL: func @planes(
// CHECK:         scf.forall (%[[PART:.*]]) in (2) {
// CHECK:           lci.tick @A {{.*}} box [%{{.*}}, 0] [1, 1024]
// CHECK-NOT:     scf.forall
func.func @planes(%A: memref<2x1024xi8, #planes>, %B: memref<1024xi8, #words>, %t: i64) {
  lci.tick @A at %t, %t, %t target(%A : memref<2x1024xi8, #planes>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 1 : i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  }
  lci.tick @B at %t, %t, %t target(%B : memref<1024xi8, #words>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 1 : i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  }
  return
}

// So do the cells of a row that are stored by colour, or computed by vectors; other rows are cut.
// CHECK-LABEL: func @rows(
// CHECK-NOT:     scf.forall
// CHECK:         lci.tick @Steps
// CHECK-NOT:     scf.forall
// CHECK:         lci.tick @Draws
// CHECK:         scf.forall
// CHECK:           lci.tick @Plain
func.func @rows(%A: memref<1024xf32>, %p: f32, %t: i64) {
  lci.tick @Steps at %t, %t, %t target(%A : memref<1024xf32>) box [0] [512] step [2] class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 1.0 : f32
    %yes = arith.constant true
    lci.install %v if %yes : f32
  }
  lci.tick @Draws at %t, %t, %t inputs(%p : f32) target(%A : memref<1024xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
    %yes = lci.bernoulli %v stream <0, 0>
    lci.install %v if %yes : f32
  }
  lci.tick @Plain at %t, %t, %t inputs(%p : f32) target(%A : memref<1024xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %v: f32):
    %yes = arith.constant true
    lci.install %v if %yes : f32
  }
  return
}

// A question to a model is much to do.
// CHECK-LABEL: func @asks(
// GRAIN-LABEL: func @asks(
// GRAIN:         scf.forall (%{{.*}}) in (4)
func.func @asks(%A: memref<64x32xi8>, %t: i64) {
  lci.tick @A at %t, %t, %t target(%A : memref<64x32xi8>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = func.call @model() : () -> i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  }
  return
}
func.func private @model() -> i8
