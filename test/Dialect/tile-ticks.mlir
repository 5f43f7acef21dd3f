// RUN: lmpm-opt %s --transform-interpreter --cse --canonicalize --split-input-file | FileCheck %s
// Upstream's transforms tile ticks by name: a tile is the tick with a smaller box.

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ticks = transform.structured.match ops{["lci.tick"]} attributes{name = @A} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %ticks tile_sizes [2, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  // In memory each tile is computed in place. Of the box, the second axis has 20 cells at a distance of 3.
  // CHECK-LABEL: func.func @buffers(
  // CHECK-SAME: %[[A:.*]]: memref<6x64xi8>
  // CHECK: scf.for %[[I:.*]] = %c0 to %c6 step %c2
  // CHECK: scf.for %[[J:.*]] = %c0 to %c20 step %c8
  // CHECK: %[[SIZE:.*]] = affine.min
  // CHECK: %[[FAR:.*]] = arith.muli %[[J]], %c3
  // CHECK: %[[AT:.*]] = arith.addi %[[FAR]], %c1
  // CHECK: lci.tick @A {{.*}} target(%[[A]] : memref<6x64xi8>) box [%[[I]], %[[AT]]] [2, %[[SIZE]]] step [1, 3]
  func.func @buffers(%a: memref<6x64xi8>, %e: i64) {
    lci.tick @A at %e, %e, %e target(%a : memref<6x64xi8>) box [0, 1] [6, 20] step [1, 3] class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
      %one = arith.constant 1 : i8
      %yes = arith.constant true
      lci.install %one if %yes : i8
    }
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ticks = transform.structured.match ops{["lci.tick"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = transform.structured.tile_using_for %ticks tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  // All tiles read the state before the tick, write to one destination after the other, and count in one array.
  // CHECK-LABEL: func.func @tensors(
  // CHECK-SAME: %[[A:.*]]: tensor<6x32xi64>, %[[COUNTS:.*]]: tensor<1xi64>
  // CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[TO:.*]] = %[[A]], %[[SUM:.*]] = %[[COUNTS]])
  // CHECK: %[[AFTER:.*]]:2 = lci.tick @A {{.*}} inputs(%[[A]] : {{.*}} target(%[[TO]] : {{.*}} counts(%[[SUM]] : {{.*}} box [0, %[[J]]] [6, 8] step [1, 1]
  // CHECK-NOT: slice
  // CHECK: scf.yield %[[AFTER]]#0, %[[AFTER]]#1
  func.func @tensors(%a: tensor<6x32xi64>, %counts: tensor<1xi64>, %e: i64) -> (tensor<6x32xi64>, tensor<1xi64>) {
    %r:2 = lci.tick @A at %e, %e, %e inputs(%a : tensor<6x32xi64>) target(%a : tensor<6x32xi64>) counts(%counts : tensor<1xi64>) class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<6x32xi64>):
      %v = lci.load %in[affine_map<(d0, d1) -> (d0, d1 - 1)>](%i, %j) [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<6x32xi64> -> i64
      %yes = arith.constant true
      lci.install %v if %yes tally %yes to [0] : i64
    } -> tensor<6x32xi64>, tensor<1xi64>
    return %r#0, %r#1 : tensor<6x32xi64>, tensor<1xi64>
  }

  // A tile of every third cell has those between them, and not those behind the last one.
  // CHECK-LABEL: func.func @strides(
  // CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[TO:.*]] = %{{.*}})
  // CHECK: lci.tick @A {{.*}} target(%[[TO]] : tensor<6x48xi64>) box [0, %{{.*}}] [6, 8] step [1, 3]
  // CHECK-NOT: slice
  // CHECK: return
  func.func @strides(%a: tensor<6x48xi64>, %e: i64) -> tensor<6x48xi64> {
    %r = lci.tick @A at %e, %e, %e target(%a : tensor<6x48xi64>) box [0, 2] [6, 16] step [1, 3] class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
      %v = arith.constant 1 : i64
      %yes = arith.constant true
      lci.install %v if %yes : i64
    } -> tensor<6x48xi64>
    return %r : tensor<6x48xi64>
  }

  // Of 10 cells the last tile has two, which is computed.
  // CHECK-LABEL: func.func @rest(
  // CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[TO:.*]] = %{{.*}})
  // CHECK: %[[SIZE:.*]] = affine.min
  // CHECK: %[[AFTER:.*]] = lci.tick @A {{.*}} target(%[[TO]] : tensor<6x48xi64>) box [0, %[[AT:.*]]] [6, %[[SIZE]]] step [1, 3]
  // CHECK: %[[ALL:.*]] = arith.muli %[[SIZE]], %c3
  // CHECK: %[[LAST:.*]] = arith.addi %[[ALL]], %c-2
  // CHECK: %[[SPAN:.*]] = arith.maxsi %[[LAST]], %c0
  // CHECK: tensor.extract_slice %[[AFTER]][0, %[[AT]]] [6, %[[SPAN]]] [1, 1]
  func.func @rest(%a: tensor<6x48xi64>, %e: i64) -> tensor<6x48xi64> {
    %r = lci.tick @A at %e, %e, %e target(%a : tensor<6x48xi64>) box [0, 2] [6, 10] step [1, 3] class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
      %v = arith.constant 1 : i64
      %yes = arith.constant true
      lci.install %v if %yes : i64
    } -> tensor<6x48xi64>
    return %r : tensor<6x48xi64>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ticks = transform.structured.match ops{["lci.tick"]} in %root : (!transform.any_op) -> !transform.any_op
    %twice = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %twice tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %with = transform.structured.fuse_into_containing_op %ticks into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  // A tick is computed where its consumer needs it.
  // CHECK-LABEL: func.func @fused(
  // CHECK: scf.forall (%[[T:.*]]) in (4)
  // CHECK: %[[I:.*]] = affine.apply
  // CHECK: %[[STATE:.*]] = lci.tick @A {{.*}} box [%[[I]]] [8] step [1]
  // CHECK: %[[TILE:.*]] = tensor.extract_slice %[[STATE]][%[[I]]] [8] [1]
  // CHECK: linalg.generic {{.*}} ins(%[[TILE]] : tensor<8xi64>)
  func.func @fused(%a: tensor<32xi64>, %to: tensor<32xi64>, %e: i64) -> tensor<32xi64> {
    %r = lci.tick @A at %e, %e, %e inputs(%a : tensor<32xi64>) target(%a : tensor<32xi64>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<32xi64>):
      %v = lci.load %in[affine_map<(d0) -> (d0 - 1)>](%i) [#lci.boundary<wrap>] : tensor<32xi64> -> i64
      %yes = arith.constant true
      lci.install %v if %yes : i64
    } -> tensor<32xi64>
    %twice = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%r : tensor<32xi64>) outs(%to : tensor<32xi64>) {
    ^bb0(%x: i64, %out: i64):
      %y = arith.addi %x, %x : i64
      linalg.yield %y : i64
    } -> tensor<32xi64>
    return %twice : tensor<32xi64>
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ticks = transform.structured.match ops{["lci.tick"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %ticks tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  // A tile has the same targets, and of boxed arrays, which are counted from the first cell of the box, its part.
  // CHECK-LABEL: func.func @boxed(
  // CHECK-SAME: %[[A:.*]]: memref<16xi64>, %[[B:.*]]: memref<16xi64>, %[[S:.*]]: memref<9xi64>
  // CHECK: scf.forall (%[[T:.*]]) in (3)
  // CHECK: %[[AT:.*]] = affine.apply
  // CHECK: %[[CELL:.*]] = arith.addi %[[AT]], %c4
  // CHECK: %[[PART:.*]] = memref.subview %[[S]][%[[AT]]] [3] [1]
  // CHECK: lci.tick @A {{.*}} target(%[[A]], %[[B]] : {{.*}} boxed(%[[PART]] : {{.*}} box [%[[CELL]]] [3] step [1] class_stride 1 packed 64
  func.func @boxed(%a: memref<16xi64>, %b: memref<16xi64>, %s: memref<9xi64>, %e: i64) {
    lci.tick @A at %e, %e, %e target(%a, %b : memref<16xi64>, memref<16xi64>) boxed(%s : memref<9xi64>)
        box [4] [9] step [1] class_stride 1 packed 64 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
      %yes = arith.constant true
      lci.install %epoch, %phase boxed(%seed : i64) if %yes : i64, i64
    }
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ticks = transform.structured.match ops{["lci.tick"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %ticks tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  // Of a box without cells there is nothing to view.
  // CHECK-LABEL: func.func @empty(
  // CHECK-NOT: memref.subview
  // CHECK: return
  func.func @empty(%a: memref<8x8xi64>, %b: memref<4x0xi64>, %e: i64) {
    lci.tick @A at %e, %e, %e target(%a : memref<8x8xi64>) boxed(%b : memref<4x0xi64>) box [0, 0] [4, 0] step [1, 1] class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
      %yes = arith.constant true
      lci.install %epoch boxed(%epoch : i64) if %yes : i64
    }
    return
  }
}
