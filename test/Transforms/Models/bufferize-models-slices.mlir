// RUN: lmpm-opt %s --lci-bufferize-models --split-input-file | FileCheck %s
// A slice that has strides keeps its axes; another operation drops them. Upstream takes the dropped axes of a view for
// others where its strides are not the buffer's, or finds none.

// CHECK-LABEL: func @extract
// CHECK:       %[[VIEW:.*]] = memref.subview %{{.*}}[1, 0, 0] [1, 3, 1] [1, 2, 1] : memref<4x5x1xi32> to memref<1x3x1xi32, strided<[5, 2, 1], offset: 5>>
// CHECK:       memref.collapse_shape %[[VIEW]] {{\[\[}}0, 1], [2]] {{.*}} into memref<3x1xi32, strided<[2, 1], offset: 5>>
func.func @extract(%x: memref<4x5x1xi32>, %out: memref<3x1xi32>) {
  %a = bufferization.to_tensor %x restrict : memref<4x5x1xi32> to tensor<4x5x1xi32>
  %s = tensor.extract_slice %a[1, 0, 0] [1, 3, 1] [1, 2, 1] : tensor<4x5x1xi32> to tensor<3x1xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<3x1xi32>, memref<3x1xi32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @insert
// CHECK:       %[[PART:.*]] = memref.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [1, 3, 1]
// CHECK:       %[[VIEW:.*]] = memref.subview %{{.*}}[1, 0, 0] [1, 3, 1] [1, 2, 1] : memref<4x5x1xi32> to memref<1x3x1xi32, strided<[5, 2, 1], offset: 5>>
// CHECK:       linalg.copy ins(%[[PART]] {{.*}} outs(%[[VIEW]]
func.func @insert(%x: memref<4x5x1xi32>, %part: memref<3x1xi32>) {
  %a = bufferization.to_tensor %x restrict writable : memref<4x5x1xi32> to tensor<4x5x1xi32>
  %p = bufferization.to_tensor %part restrict : memref<3x1xi32> to tensor<3x1xi32>
  %s = tensor.insert_slice %p into %a[1, 0, 0] [1, 3, 1] [1, 2, 1] : tensor<3x1xi32> into tensor<4x5x1xi32>
  bufferization.materialize_in_destination %s in restrict writable %x : (tensor<4x5x1xi32>, memref<4x5x1xi32>) -> ()
  return
}

// -----

// A stride between elements of which there is one is none.
// CHECK-LABEL: func @single
// CHECK:       memref.subview %{{.*}}[1, 0] [1, 5] [1, 1] : memref<4x5xi32> to memref<5xi32, strided<[1], offset: 5>>
// CHECK-NOT:   shape
// CHECK:       return
func.func @single(%x: memref<4x5xi32>, %out: memref<5xi32>) {
  %a = bufferization.to_tensor %x restrict : memref<4x5xi32> to tensor<4x5xi32>
  %s = tensor.extract_slice %a[1, 0] [1, 5] [3, 1] : tensor<4x5xi32> to tensor<5xi32>
  bufferization.materialize_in_destination %s in restrict writable %out : (tensor<5xi32>, memref<5xi32>) -> ()
  return
}
