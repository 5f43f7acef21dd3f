// RUN: lmpm-opt %s --lci-bind=sizes=T=4,W=16,V=5,lo=1 --mlir-print-local-scope | FileCheck %s
// Sizes become numbers in maps, sets, shapes and bodies; formulas and schedules are filled in.

// CHECK-LABEL: lci.program @p sizes ["T", "W", "V", "lo"] = [4, 16, 5, 1]
lci.program @p sizes ["T", "W", "V", "lo"] {
  // CHECK: lci.value @Vid token vocabulary affine_map<() -> (5)> shape affine_map<() -> (4, 16)>
  lci.value @Vid token vocabulary affine_map<()[T, W, V, lo] -> (V)>
    shape affine_map<()[T, W, V, lo] -> (T, W)> boundary [#lci.boundary<open>, #lci.boundary<wrap>] {
  }
  // CHECK: shape affine_map<() -> (4, 2)>
  lci.value @Coarse f32 shape affine_map<()[T, W, V, lo] -> (T, W floordiv 8)>
    boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.value @MaskPlan event {
  }
  // CHECK: lci.def @self
  lci.def @self {
  ^bb0(%t: index, %x: index):
    %v, %p = lci.read @Vid[affine_map<(t, x)[T, W, V, lo] -> (t, x)>](%t, %x) : i64
    lci.yield %v present %p : i64
  }
  lci.def @twice {
  ^bb0(%t: index, %x: index):
    %v, %p = lci.apply @self(%t, %x) : i64
    %w = arith.addi %v, %v : i64
    lci.yield %w present %p : i64
  }
  // CHECK: lci.rule @Next on @Vid
  // CHECK-SAME: where [affine_set<(d0, d1) : (-d1 + 13 >= 0)>]
  lci.rule @Next on @Vid where [affine_set<(t, x)[T, W, V, lo] : (W - x - 3 >= 0, lo >= 0)>,
                                affine_set<(t, x)[T, W, V, lo] : (lo - 2 >= 0)>] {
  ^bb0(%t: index, %x: index):
    // CHECK-NEXT: ^bb0(%[[T:.*]]: index, %[[X:.*]]: index):
    // CHECK-NEXT: %[[V:.*]], %[[P:.*]] = lci.read @Vid[affine_map<(d0, d1) -> (d0, d1)>] (%[[T]], %[[X]])
    // CHECK-NEXT: %[[D:.*]] = arith.addi %[[V]], %[[V]]
    // CHECK-NEXT: %[[W:.*]] = arith.constant 16 : i64
    // CHECK-NEXT: arith.remsi %[[D]], %[[W]]
    %v, %p = lci.apply @twice(%t, %x) : i64
    %w = lci.size "W"
    %r = arith.remsi %v, %w : i64
    lci.emit %r : i64 when %p
  }
  // CHECK: lci.commit @Vid
  lci.commit @Vid using accept {
  }
  // A schedule's rule keeps its place, so that draws keep their numbers.
  // CHECK: lci.def @Schedule
  // CHECK: lci.yield %{{.*}} : !lci.event
  lci.rule @Schedule on @MaskPlan {
    %e = lci.epoch
    %tiles = lci.sample_tiles red_black epoch %e
    lci.emit %tiles : !lci.event
  }
  // CHECK: lci.schedule @Vid using red_black
}

// CHECK-LABEL: lci.program @latent
lci.program @latent sizes ["V"] {
  lci.value @S latent vocabulary affine_map<()[V] -> (V)> shape affine_map<()[V] -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.param @bias f32 shape affine_map<()[V] -> (V)> {
  }
  lci.rule @Grow on @S {
  ^bb0(%i: index):
    // CHECK: lci.read @S{{.*}} : tensor<5xf32>
    %v, %p = lci.read @S[affine_map<(i)[V] -> (i)>](%i) : tensor<?xf32>
    // CHECK: lci.param_value @bias : tensor<5xf32>
    %b = lci.param_value @bias : tensor<?xf32>
    // CHECK: arith.addf {{.*}} : tensor<5xf32>
    %s = arith.addf %v, %b : tensor<?xf32>
    lci.emit %s : tensor<?xf32>
  }
  lci.commit @S using accept {
  }
  // CHECK: lci.schedule @S using all
}
