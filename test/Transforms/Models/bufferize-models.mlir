// RUN: lmpm-opt %s --lci-bufferize-models --split-input-file | FileCheck %s
// Tensors become buffers that are allocated outside of loops; a module without any stays as it is.

// CHECK-LABEL: func @tensors
// CHECK: %[[BUFFER:.*]] = memref.alloc
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[BUFFER]] : memref<4xf32>)
// CHECK-NOT: tensor<
func.func @tensors(%out: memref<4xf32>, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  scf.for %i = %zero to %four step %one {
    %empty = tensor.empty() : tensor<4xf32>
    %filled = linalg.fill ins(%x : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    %element = tensor.extract %filled[%i] : tensor<4xf32>
    memref.store %element, %out[%i] : memref<4xf32>
  }
  return
}

// -----

// Nothing is simplified either.
// CHECK-LABEL: func @buffers
// CHECK: arith.addi
func.func @buffers() -> i64 {
  %zero = arith.constant 0 : i64
  %sum = arith.addi %zero, %zero : i64
  return %sum : i64
}

// -----

// What nobody uses is nobody's start.
// CHECK-LABEL: func @unused
// CHECK: return
func.func @unused(%x: f32) {
  %empty = tensor.empty() : tensor<4xf32>
  %filled = linalg.fill ins(%x : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return
}
