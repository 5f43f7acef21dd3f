// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target{tf32=true},lci-batch-models{tile=64},canonicalize,cse)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target{tf32=true},lci-batch-models{tile=64},canonicalize,cse,lci-bufferize-models,func.func(lci-contractions-to-mma,canonicalize,cse))' | FileCheck %s --check-prefix=TENSORS
// Of every four parts of the tokens threads find the best once more: where tensor cores multiply, one of four threads
// with the same cells, which takes from the others what they have found.

#b = #lci.boundary<clamp>
#in = affine_map<(j, k) -> (k)>
#weight = affine_map<(j, k) -> (k, j)>
#out = affine_map<(j, k) -> (j)>

// CHECK-LABEL: func.func @run(
// CHECK-DAG:   %[[TOKENS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<16x16xi32>
// CHECK-DAG:   %[[SCORES:.*]] = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
// CHECK-DAG:   %[[FEWER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xi32>
// CHECK-DAG:   %[[THEIRS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4x16xf32>
// CHECK:       scf.parallel ({{.*}}) = (%c0, %c0) to (%c256, %c16) step (%c16, %c4) {
// CHECK:         vector.store %{{.*}}, %[[TOKENS]]
// CHECK:         vector.store %{{.*}}, %[[SCORES]]
// CHECK:       scf.parallel (%[[T:.*]], %[[C:.*]]) = (%c0, %c0) to (%c256, %c16) step (%c64, %c4) {
// CHECK:         %[[PART:.*]] = arith.divui %[[T]], %c16
// CHECK:         %[[A:.*]] = vector.load %[[TOKENS]][%[[PART]], %[[C]]]
// CHECK:         %[[B:.*]] = vector.load %[[SCORES]][%[[PART]], %[[C]]]
// CHECK:         %[[NEXT:.*]] = arith.addi %[[PART]], %c1
// CHECK:         %[[D:.*]] = vector.load %[[TOKENS]][%[[NEXT]], %[[C]]]
// CHECK:         %[[E:.*]] = vector.load %[[SCORES]][%[[NEXT]], %[[C]]]
// CHECK:         arith.cmpf ugt, %[[E]], %[[B]] : vector<4xf32>
// CHECK:         arith.select %{{.*}}, %[[D]], %[[A]] : vector<4xi1>, vector<4xi32>
// CHECK-COUNT-4: vector.load
// CHECK-NOT:     vector.load
// CHECK:         %[[GROUP:.*]] = arith.divui %[[T]], %c64
// CHECK:         vector.store %{{.*}}, %[[FEWER]][%[[GROUP]], %[[C]]]
// CHECK:         vector.store %{{.*}}, %[[THEIRS]][%[[GROUP]], %[[C]]]
// CHECK:       scf.for %[[K:.*]] = %c1 to %c4 step %c1
// CHECK:         memref.load %[[FEWER]][%[[K]]

// TENSORS-LABEL: func.func @run(
// TENSORS-NOT:    memref<256x16xf32>
// TENSORS-NOT:    memref<16x16xi32>
// TENSORS:        scf.parallel (%[[TILE:.*]], %[[THREAD:.*]]) = (%c0, %c0) to (%c4, %c32)
// TENSORS:          %[[MEMBER:.*]] = arith.remui %[[THREAD]], %c4
// TENSORS:          %[[NUMBER:.*]] = arith.addi %{{.*}}, %[[MEMBER]]
// TENSORS:          %[[OUTPUT:.*]] = arith.muli %[[NUMBER]], %c16
// TENSORS:          %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c16
// TENSORS:          nvgpu.mma.sync
// TENSORS-NOT:      scf.if
// TENSORS-COUNT-8:  gpu.shuffle down %{{.*}}, %c1_i32, %c32_i32
// TENSORS-NOT:      scf.if
// TENSORS-COUNT-8:  gpu.shuffle down %{{.*}}, %c2_i32, %c32_i32
// TENSORS-NOT:      scf.if
// TENSORS-COUNT-8:  gpu.shuffle down %{{.*}}, %c3_i32, %c32_i32
// TENSORS-NOT:      gpu.shuffle
// TENSORS:          scf.if %[[IN]] {
// TENSORS:            %[[REST:.*]] = arith.remui %[[OUTPUT]], %c64
// TENSORS:            %[[FIRST:.*]] = arith.cmpi eq, %[[REST]], %c0
// TENSORS:            scf.if %[[FIRST]] {
// TENSORS:              vector.store %{{.*}} : memref<4x16xi32>, vector<4xi32>
// TENSORS:              vector.store %{{.*}} : memref<4x16xf32>, vector<4xf32>
func.func @run(%a: memref<10xi64>, %w: memref<2x256xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<10xi64>, memref<2x256xf32>)
      target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %weight: memref<2x256xf32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %both = tensor.from_elements %x, %x : tensor<2xf32>
    %all = bufferization.to_tensor %weight restrict : memref<2x256xf32> to tensor<2x256xf32>
    %logits = func.call @Model256(%both, %all) : (tensor<2xf32>, tensor<2x256xf32>) -> tensor<256xf32>
    %c0 = arith.constant 0 : i64
    %c256 = arith.constant 256 : i64
    %winner, %found = lci.agree %c0 to %c256 {
    ^bb0(%k: i64):
      %at = arith.index_cast %k : i64 to index
      %score = tensor.extract %logits[%at] : tensor<256xf32>
      %ok = arith.constant true
      %proposed = arith.constant true
      lci.candidate %ok levels() score %score proposed %proposed
    }
    lci.install %winner if %found : i64
  }
  return
}

// What a cell brings is gathered with what its model is given, so that nothing stands between a product and what looks
// at it; threads that are not there take nothing from memory, and give zeros.
// CHECK-LABEL: func.func @own(
// CHECK:       scf.parallel (%[[I:.*]]) =
// CHECK:         memref.store %{{.*}}, %{{.*}}[%c1, %[[I]]] : memref<2x16xf32>
// CHECK:         memref.store %{{.*}}, %[[OWN:.*]][%[[I]]] : memref<16xi64>
// CHECK:       linalg.generic
// CHECK:       scf.parallel (%[[T:.*]], %[[C:.*]]) = (%c0, %c0) to (%c256, %c16) step (%c16, %c4) {
// CHECK:         vector.load %[[OWN]][%[[C]]]
// CHECK:       scf.parallel ({{.*}}) = (%c0, %c0) to (%c256, %c16) step (%c64, %c4) {
// CHECK:         vector.load %{{.*}} : memref<16x16xi8>, vector<4xi8>
// CHECK:         arith.trunci %{{.*}} : vector<4xi8> to vector<4xi1>
// CHECK:         arith.extui %{{.*}} : vector<4xi1> to vector<4xi8>
// CHECK:         vector.store %{{.*}} : memref<4x16xi8>, vector<4xi8>

// TENSORS-LABEL: func.func @own(
// TENSORS-NOT:    memref<256x16xf32>
// TENSORS:        %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c16
// TENSORS:        nvgpu.mma.sync
// TENSORS:        %[[MINE:.*]]:{{[0-9]+}} = scf.if %[[IN]] -> (
// TENSORS:          vector.load %{{.*}} : memref<16xi64>, vector<4xi64>
// TENSORS:        } else {
// TENSORS-NEXT:     scf.yield %{{.*}} : {{.*}}
// TENSORS-NEXT:   }
// TENSORS:        gpu.shuffle down
// TENSORS:        %[[WIDE:.*]] = arith.extui %[[MINE]]#{{.*}} : vector<4xi8> to vector<4xi32>
// TENSORS:        %[[ONE:.*]] = vector.extract %[[WIDE]][0]
// TENSORS:        gpu.shuffle down %[[ONE]], %c1_i32, %c32_i32 : i32
// TENSORS:        arith.trunci %{{.*}} : vector<4xi32> to vector<4xi1>
func.func @own(%a: memref<10xi64>, %w: memref<2x256xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<10xi64>, memref<2x256xf32>)
      target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %weight: memref<2x256xf32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %both = tensor.from_elements %x, %x : tensor<2xf32>
    %all = bufferization.to_tensor %weight restrict : memref<2x256xf32> to tensor<2x256xf32>
    %logits = func.call @Model256(%both, %all) : (tensor<2xf32>, tensor<2x256xf32>) -> tensor<256xf32>
    %c0 = arith.constant 0 : i64
    %c256 = arith.constant 256 : i64
    %winner, %found = lci.agree %c0 to %c256 {
    ^bb0(%k: i64):
      %at = arith.index_cast %k : i64 to index
      %score = tensor.extract %logits[%at] : tensor<256xf32>
      %ok = arith.cmpi ne, %k, %v : i64
      %proposed = arith.constant true
      lci.candidate %ok levels() score %score proposed %proposed
    }
    lci.install %winner if %found : i64
  }
  return
}

// Operands known only after the model are gathered then; a separate kernel is between the two.
// CHECK-LABEL: func.func @late(
// CHECK:       linalg.generic
// CHECK:       scf.parallel (%[[I:.*]]) =
// CHECK:         memref.store %{{.*}}, %[[OWN:.*]][%[[I]]] : memref<16xf32>
// CHECK:       scf.parallel (%[[T:.*]], %[[C:.*]]) = (%c0, %c0) to (%c256, %c16) step (%c16, %c4) {
// CHECK:         vector.load %[[OWN]][%[[C]]]

// TENSORS-LABEL: func.func @late(
// TENSORS:        nvgpu.mma.sync
// TENSORS-NOT:    gpu.shuffle
// TENSORS:        return
func.func @late(%a: memref<10xi64>, %w: memref<2x256xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<10xi64>, memref<2x256xf32>)
      target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %weight: memref<2x256xf32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %both = tensor.from_elements %x, %x : tensor<2xf32>
    %all = bufferization.to_tensor %weight restrict : memref<2x256xf32> to tensor<2x256xf32>
    %logits = func.call @Model256(%both, %all) : (tensor<2xf32>, tensor<2x256xf32>) -> tensor<256xf32>
    %first = arith.constant 0 : index
    %one = tensor.extract %logits[%first] : tensor<256xf32>
    %two = arith.constant 0.5 : f32
    %half = arith.mulf %one, %two : f32
    %c0 = arith.constant 0 : i64
    %c256 = arith.constant 256 : i64
    %winner, %found = lci.agree %c0 to %c256 {
    ^bb0(%k: i64):
      %at = arith.index_cast %k : i64 to index
      %score = tensor.extract %logits[%at] : tensor<256xf32>
      %ok = arith.cmpf ogt, %score, %half : f32
      %proposed = arith.constant true
      lci.candidate %ok levels() score %score proposed %proposed
    }
    lci.install %winner if %found : i64
  }
  return
}

func.func private @Model256(%x: tensor<2xf32>, %w: tensor<2x256xf32> {lci.weight = "w"}) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<256xf32>) -> tensor<256xf32>
  %y = linalg.generic {indexing_maps = [#in, #weight, #out], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<2xf32>, tensor<2x256xf32>) outs(%start : tensor<256xf32>) {
  ^bb0(%l: f32, %r: f32, %acc: f32):
    %next = math.fma %l, %r, %acc : f32
    linalg.yield %next : f32
  } -> tensor<256xf32>
  return %y : tensor<256xf32>
}
