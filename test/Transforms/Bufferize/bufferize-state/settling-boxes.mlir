// RUN: lmpm-opt %s --lci-bufferize-state --canonicalize --cse --split-input-file | FileCheck %s
// A rectangle with bounds of the run splits a tick: slabs that test nothing, and the box inside,
// which its switch settles as a whole.

// CHECK-LABEL: func @rectangle
// CHECK-SAME: memref<9x6xi8> {{[^%]*}} %[[LOCK:[^:]*]]: i1, %[[FIRST:[^:]*]]: i64, %[[LAST:[^:]*]]: i64
// The first row of the box, the first behind it, how many rows come then and how many lie between.
// CHECK: %[[AT:.*]] = arith.index_cast %[[FIRST]] : i64 to index
// CHECK: %[[UP:.*]] = arith.maxsi %[[AT]], %c0
// CHECK: %[[START:.*]] = arith.minsi %[[UP]], %c8
// CHECK: %[[BEGIN:.*]] = arith.maxsi %[[START]], %c0
// CHECK: %[[TO:.*]] = arith.index_cast %[[LAST]] : i64 to index
// CHECK: arith.addi %[[TO]], %c1
// CHECK: %[[END:.*]] = arith.maxsi %[[BEGIN]], %
// CHECK: %[[LEFT:.*]] = arith.subi %c8, %[[END]]
// CHECK: %[[SIZE:.*]] = arith.subi %[[END]], %[[BEGIN]]
// What the lock keeps is the same in both buffers for ever once it is so at the start.
// CHECK: scf.if %[[LOCK]] {
// CHECK:   linalg.copy
// CHECK: scf.for
// CHECK:   lci.tick @A {{.*}} box [0, 0] [%[[BEGIN]], 6] step [1, 1]
// CHECK-NOT: arith.cmpi
// CHECK:     lci.install %{{.*}} if %{{[a-z0-9_]+}} : i8
// CHECK:   lci.tick @A {{.*}} box [%[[END]], 0] [%[[LEFT]], 6] step [1, 1]
// CHECK-NOT: arith.cmpi
// CHECK:     lci.install %{{.*}} if %{{[a-z0-9_]+}} : i8
// CHECK:   %[[OPEN:.*]] = arith.xori %[[LOCK]],
// CHECK:   scf.if %[[OPEN]] {
// CHECK:     lci.tick @A {{.*}} box [%[[BEGIN]], 0] [%[[SIZE]], 6] step [1, 1]
// CHECK-NOT: arith.cmpi
// CHECK:       lci.install %{{.*}} if %{{[a-z0-9_]+}} : i8
// CHECK-NOT: lci.tick
func.func @rectangle(%A: tensor<8x6xi8> {lci.role = "state", lci.name = "A"}, %lock: i1, %first: i64,
                     %last: i64, %t: i64) -> tensor<8x6xi8> {
  %one = arith.constant 1 : i64
  %r = scf.for %e = %one to %t step %one iter_args(%s = %A) -> (tensor<8x6xi8>) : i64 {
    %n = lci.tick @A at %e, %e, %e inputs(%s, %lock, %first, %last : tensor<8x6xi8>, i1, i64, i64)
        target(%s : tensor<8x6xi8>) class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8x6xi8>,
         %locked: i1, %from: i64, %to: i64):
      %v = lci.load %in[affine_map<(i, j) -> (i - 1, j)>](%i, %j)
          [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<8x6xi8> -> i8
      %at = arith.index_cast %i : index to i64
      %begun = arith.cmpi sge, %at, %from : i64
      %open = arith.cmpi sle, %at, %to : i64
      %inside = arith.andi %begun, %open : i1
      %settled = arith.andi %locked, %inside : i1
      %yes = arith.constant true
      lci.install %v if %yes unless %settled : i8
    } -> tensor<8x6xi8>
    scf.yield %n : tensor<8x6xi8>
  }
  return %r : tensor<8x6xi8>
}

// -----

// Every second cell: the box begins with the first of them behind its bound. Another lock is tested
// cell by cell in the remainder.
// CHECK-LABEL: func @strided
// CHECK-SAME: %[[FROM:[^:]*]]: i64)
func.func @strided(%A: tensor<9xi8> {lci.role = "state", lci.name = "A"}, %mask: tensor<9xi1>,
                   %first: i64) -> tensor<9xi8> {
  %z = arith.constant 0 : i64
  // CHECK: %[[AT:.*]] = arith.index_cast %[[FROM]]
  // CHECK: %[[UP:.*]] = arith.maxsi %[[AT]], %c0
  // CHECK: %[[HALF:.*]] = arith.divui %[[UP]], %c2
  // CHECK: %[[START:.*]] = arith.minsi %[[HALF]], %c4
  // CHECK: %[[BEGIN:.*]] = arith.maxsi %[[START]], %c0
  // CHECK: %[[SIZE:.*]] = arith.subi %c4, %[[BEGIN]]
  // CHECK: lci.tick @A {{.*}} box [1] [%[[BEGIN]]] step [2]
  // CHECK:   %[[MASKED:.*]] = memref.load
  // CHECK:   lci.install {{.*}} unless %[[MASKED]]
  // Inside all is settled.
  // CHECK: lci.tick @A {{.*}} box [%{{.*}}] [%[[SIZE]]] step [2]
  // CHECK:   lci.install {{.*}} unless %true
  // CHECK-NOT: lci.tick
  %n = lci.tick @A at %z, %z, %z inputs(%A, %mask, %first : tensor<9xi8>, tensor<9xi1>, i64)
      target(%A : tensor<9xi8>) box [1] [4] step [2] class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<9xi8>, %m: tensor<9xi1>,
       %from: i64):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<wrap>] : tensor<9xi8> -> i8
    %at = arith.index_cast %i : index to i64
    %begun = arith.cmpi sge, %at, %from : i64
    %masked = tensor.extract %m[%i] : tensor<9xi1>
    %settled = arith.ori %begun, %masked : i1
    %yes = arith.constant true
    lci.install %v if %yes unless %settled : i8
  } -> tensor<9xi8>
  return %n : tensor<9xi8>
}
