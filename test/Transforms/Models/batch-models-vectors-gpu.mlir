// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,lci-batch-models{tile=16},canonicalize,cse)' | FileCheck %s
// Neighbouring threads have neighbouring cells: each writes and reads the elements of its vectors where they lie in
// the tile's buffers, and nothing is staged or transposed.

#here = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @run(
// CHECK-COUNT-2: memref.alloc() {{.*}} : memref<2x16xf32>
// CHECK-NOT: linalg.transpose
// CHECK:     scf.parallel
// CHECK:       memref.store %{{.*}}, %[[GIVEN:.*]][%c0, %[[ROW:.*]]]
// CHECK:       memref.store %{{.*}}, %[[GIVEN]][%c1, %[[ROW]]]
// CHECK:     scf.parallel
// CHECK:       %[[X:.*]] = memref.load %[[TAKEN:.*]][%c0, %[[AT:.*]]]
// CHECK:       %[[Y:.*]] = memref.load %[[TAKEN]][%c1, %[[AT]]]
// CHECK:       vector.from_elements %[[X]], %[[Y]] : vector<2xf32>
// CHECK-NOT: linalg.transpose
// CHECK:     return
func.func @run(%s: memref<64xvector<2xf32>>, %e: i64) {
  lci.tick @S at %e, %e, %e inputs(%s : memref<64xvector<2xf32>>) target(%s : memref<64xvector<2xf32>>)
      class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xvector<2xf32>>):
    %v = lci.load %in[#here](%i) [#lci.boundary<open>] : memref<64xvector<2xf32>> -> vector<2xf32>
    %c0 = arith.constant 0 : index
    %none = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<2xf32>
    %given = vector.transfer_write %v, %empty[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
    %hidden = func.call @Widen(%given) : (tensor<2xf32>) -> tensor<8xf32>
    %answer = func.call @Narrow(%hidden) : (tensor<8xf32>) -> tensor<2xf32>
    %next = vector.transfer_read %answer[%c0], %none {in_bounds = [true]} : tensor<2xf32>, vector<2xf32>
    %yes = arith.constant true
    lci.install %next if %yes : vector<2xf32>
  }
  return
}
func.func private @Widen(%x: tensor<2xf32>) -> tensor<8xf32> {
  %y = tensor.concat dim(0) %x, %x, %x, %x
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @Narrow(%x: tensor<8xf32>) -> tensor<2xf32> {
  %y = tensor.extract_slice %x[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %y : tensor<2xf32>
}
