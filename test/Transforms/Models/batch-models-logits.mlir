// RUN: lmpm-opt %s --lci-to-kernels-pipeline | FileCheck %s
// RUN: lmpm-opt %s --lci-to-kernels-pipeline='tf32' | FileCheck %s --check-prefix=TF32
// A thread that multiplies has the sums of just those tokens and cells among which it finds the best: no logits lie in
// memory. By tensor cores one of four threads finds the best of what all four have found, of 64 tokens.

#b = #lci.boundary<clamp>
#in = affine_map<(j, k) -> (k)>
#weight = affine_map<(j, k) -> (k, j)>
#out = affine_map<(j, k) -> (j)>

// CHECK-LABEL: func.func @run(
// CHECK-NOT:   memref<256x65536xf32>
// CHECK:       gpu.module
// CHECK-NOT:   memref<256x65536xf32>
// CHECK:       math.fma %{{.*}} : vector<8xf32>
// CHECK-NOT:   memref<256x65536xf32>
// CHECK:       arith.cmpf ugt, %{{.*}} : vector<8xf32>
// CHECK-NOT:   memref<256x65536xf32>
// CHECK:       vector.store %{{.*}} : memref<16x65536xi32>, vector<8xi32>
// CHECK-NOT:   memref<256x65536xf32>

// TF32-LABEL:  func.func @run(
// TF32-NOT:    memref<256x65536xf32>
// TF32-NOT:    memref<16x65536xi32>
// TF32:        nvgpu.mma.sync
// TF32-COUNT-24: gpu.shuffle down
// TF32-NOT:    gpu.shuffle
// TF32:        vector.store %{{.*}} : memref<4x65536xi32>, vector<4xi32>
// TF32-NOT:    memref<256x65536xf32>
// TF32-NOT:    memref<16x65536xi32>
func.func @run(%a: memref<65536xi64>, %w: memref<2x256xf32>, %e: i64, %s: i64) {
  %p = arith.constant 0 : i64
  lci.tick @A at %e, %p, %s inputs(%a, %w : memref<65536xi64>, memref<2x256xf32>)
      target(%a : memref<65536xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<65536xi64>, %weight: memref<2x256xf32>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#b] : memref<65536xi64> -> i64
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
