// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,lci-batch-models{tile=64},canonicalize,cse)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,lci-batch-models{tile=64},canonicalize,cse,lci-bufferize-models,func.func(lci-tile-contractions{cells=8 outputs=16},canonicalize,cse))' | FileCheck %s --check-prefix=BLOCKS
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target{tf32=true},lci-batch-models{tile=64},canonicalize,cse,lci-bufferize-models,func.func(lci-contractions-to-mma,cse))' | FileCheck %s --check-prefix=TENSORS
// Threads find the best of sixteen tokens each, for eight cells, and each cell's thread the best of those.

#b = #lci.boundary<clamp>
#in = affine_map<(j, k) -> (k)>
#weight = affine_map<(j, k) -> (k, j)>
#out = affine_map<(j, k) -> (j)>

// By tensor cores, too, a thread's sums are those of sixteen tokens for four cells, of which it finds the best.
// TENSORS-LABEL: func.func @run(
// TENSORS-NOT:    memref<64x16xf32>
// TENSORS:        nvgpu.mma.sync
// TENSORS-NOT:    memref<64x16xf32>
// TENSORS:        arith.cmpf
// TENSORS:        vector.store %{{.*}} : memref<4x16xi32>, vector<4xi32>
// TENSORS:        vector.store %{{.*}} : memref<4x16xf32>, vector<4xf32>
// TENSORS:        {lci.row_threads = 128 : i64}

// CHECK-LABEL: func.func @run(
// CHECK-DAG:   %[[LOGITS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x16xf32>
// CHECK-DAG:   %[[TOKENS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xi32>
// CHECK-DAG:   %[[SCORES:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xf32>
// CHECK:       linalg.generic
// CHECK:       scf.parallel (%[[T:.*]], %[[C:.*]]) = (%c0, %c0) to (%c64, %c16) step (%c16, %c8) {
// CHECK:         vector.load %[[LOGITS]][%[[T]], %[[C]]]
// CHECK-COUNT-15: vector.load %[[LOGITS]]
// CHECK-NOT:     vector.load
// CHECK:         %[[PART:.*]] = arith.divui %[[T]], %c16
// CHECK:         vector.store %{{.*}}, %[[TOKENS]][%[[PART]], %[[C]]]
// CHECK:         vector.store %{{.*}}, %[[SCORES]][%[[PART]], %[[C]]]
// CHECK:       scf.parallel
// CHECK:         scf.for %[[K:.*]] = %c1 to %c4 step %c1
// CHECK:           memref.load %[[TOKENS]][%[[K]]
// CHECK:           memref.load %[[SCORES]][%[[K]]
// CHECK:           arith.cmpf ugt
// CHECK:           scf.yield
// CHECK:         memref.store

// A product's thread does so itself: there are no logits.
// BLOCKS-LABEL: func.func @run(
// BLOCKS-NOT:   memref<64x16xf32>
// BLOCKS:       scf.parallel (%[[T:.*]], %[[C:.*]]) = (%c0, %c0) to (%c64, %c16) step (%c16, %c8) {
// BLOCKS:         %[[SUMS:.*]]:16 = scf.for
// BLOCKS:         arith.cmpf ugt, %[[SUMS]]#1, %[[SUMS]]#0
// BLOCKS-COUNT-2: vector.store
// BLOCKS:         scf.reduce
// BLOCKS-NOT:   memref<64x16xf32>
// BLOCKS:       return
func.func @run(%a: memref<10xi64>, %w: memref<2x64xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<10xi64>, memref<2x64xf32>)
      target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %weight: memref<2x64xf32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %both = tensor.from_elements %x, %x : tensor<2xf32>
    %all = bufferization.to_tensor %weight restrict : memref<2x64xf32> to tensor<2x64xf32>
    %logits = func.call @Model64(%both, %all) : (tensor<2xf32>, tensor<2x64xf32>) -> tensor<64xf32>
    %c0 = arith.constant 0 : i64
    %c64 = arith.constant 64 : i64
    %winner, %found = lci.agree %c0 to %c64 {
    ^bb0(%k: i64):
      %at = arith.index_cast %k : i64 to index
      %score = tensor.extract %logits[%at] : tensor<64xf32>
      %ok = arith.constant true
      %proposed = arith.constant true
      lci.candidate %ok levels() score %score proposed %proposed
    }
    lci.install %winner if %found : i64
  }
  return
}

// What is no candidate for a cell is none in its part: whether there is one is kept, too.
// CHECK-LABEL: func.func @not_all(
// CHECK-DAG:   %[[FOUND:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xi8>
// CHECK:       vector.store %{{.*}}, %[[FOUND]]
// CHECK:       scf.for %{{.*}} = %c1 to %c4 step %c1
// CHECK:         memref.load %[[FOUND]]
// CHECK:       arith.cmpf ogt, %{{.*}}#2, %cst
func.func @not_all(%a: memref<10xi64>, %w: memref<2x64xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<10xi64>, memref<2x64xf32>)
      target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %weight: memref<2x64xf32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %both = tensor.from_elements %x, %x : tensor<2xf32>
    %all = bufferization.to_tensor %weight restrict : memref<2x64xf32> to tensor<2x64xf32>
    %logits = func.call @Model64(%both, %all) : (tensor<2xf32>, tensor<2x64xf32>) -> tensor<64xf32>
    %c0 = arith.constant 0 : i64
    %c64 = arith.constant 64 : i64
    %winner, %found, %best = lci.agree %c0 to %c64 score f32 {
    ^bb0(%k: i64):
      %at = arith.index_cast %k : i64 to index
      %score = tensor.extract %logits[%at] : tensor<64xf32>
      %ok = arith.cmpi ne, %k, %v : i64
      %proposed = arith.constant true
      lci.candidate %ok levels() score %score proposed %proposed
    }
    %none = arith.constant 0.0 : f32
    %sure = arith.cmpf ogt, %best, %none : f32
    %changes = arith.andi %found, %sure : i1
    lci.install %winner if %changes : i64
  }
  return
}

// Tokens that are no whole parts are one thread's.
// CHECK-LABEL: func.func @negative_rest(
// CHECK-NOT:   vector.load
// CHECK:       lci.agree
func.func @negative_rest(%a: memref<10xi64>, %w: memref<2x72xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<10xi64>, memref<2x72xf32>)
      target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %weight: memref<2x72xf32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %both = tensor.from_elements %x, %x : tensor<2xf32>
    %all = bufferization.to_tensor %weight restrict : memref<2x72xf32> to tensor<2x72xf32>
    %logits = func.call @Model72(%both, %all) : (tensor<2xf32>, tensor<2x72xf32>) -> tensor<72xf32>
    %c0 = arith.constant 0 : i64
    %c72 = arith.constant 72 : i64
    %winner, %found = lci.agree %c0 to %c72 {
    ^bb0(%k: i64):
      %at = arith.index_cast %k : i64 to index
      %score = tensor.extract %logits[%at] : tensor<72xf32>
      %ok = arith.constant true
      %proposed = arith.constant true
      lci.candidate %ok levels() score %score proposed %proposed
    }
    lci.install %winner if %found : i64
  }
  return
}

func.func private @Model64(%x: tensor<2xf32>, %w: tensor<2x64xf32> {lci.weight = "w"}) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#in, #weight, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<2xf32>, tensor<2x64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %next = math.fma %l, %r, %acc : f32
    linalg.yield %next : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}

func.func private @Model72(%x: tensor<2xf32>, %w: tensor<2x72xf32> {lci.weight = "w"}) -> tensor<72xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<72xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<72xf32>) -> tensor<72xf32>
  %y = linalg.generic {indexing_maps = [#in, #weight, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<2xf32>, tensor<2x72xf32>) outs(%start : tensor<72xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %next = math.fma %l, %r, %acc : f32
    linalg.yield %next : f32
  } -> tensor<72xf32>
  return %y : tensor<72xf32>
}
