// RUN: lmpm-opt %s --lci-bufferize-models | FileCheck %s
// For a GPU scratch stays in the iteration that needs it, at its begin, so that it stands between no launches.

module attributes {lci.target = #lci.gpu<chip = "sm_90">} {
// CHECK-LABEL: func @within
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK-NEXT:      %[[BUFFER:.*]] = memref.alloc(){{.*}} : memref<4xf32>
// CHECK:           memref.store
// CHECK:           linalg.fill {{.*}} outs(%[[BUFFER]] : memref<4xf32>)
// CHECK:           scf.if
// CHECK-NEXT:        %[[INNER:.*]] = memref.alloc(){{.*}} : memref<4xf32>
// CHECK:             linalg.fill {{.*}} outs(%[[INNER]] : memref<4xf32>)
func.func @within(%out: memref<4xf32>, %x: f32, %on: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  scf.for %i = %zero to %four step %one {
    memref.store %x, %out[%i] : memref<4xf32>
    %y = memref.load %out[%zero] : memref<4xf32>
    %empty = tensor.empty() : tensor<4xf32>
    %filled = linalg.fill ins(%y : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
    %element = tensor.extract %filled[%i] : tensor<4xf32>
    memref.store %element, %out[%i] : memref<4xf32>
    scf.if %on {
      %other = tensor.empty() : tensor<4xf32>
      %twice = linalg.fill ins(%element : f32) outs(%other : tensor<4xf32>) -> tensor<4xf32>
      %next = tensor.extract %twice[%i] : tensor<4xf32>
      memref.store %next, %out[%i] : memref<4xf32>
    }
  }
  return
}
}
