// RUN: lmpm-opt %s --lci-bufferize-models --split-input-file | FileCheck %s
// Loops and branches leave tensors at one place, whatever they hand on, and nothing is allocated in them.

// One of the two is taken aside before the other one takes its place.
// CHECK-LABEL: func @swap
// CHECK:       scf.for
// CHECK-NEXT:    linalg.copy ins(%[[T:.*]] : memref<4xf32>) outs(%[[ASIDE:.*]] : memref<4xf32>)
// CHECK-NEXT:    linalg.copy ins(%[[S:.*]] : memref<4xf32>) outs(%[[T]] : memref<4xf32>)
// CHECK-NEXT:    linalg.copy ins(%[[ASIDE]] : memref<4xf32>) outs(%[[S]] : memref<4xf32>)
// CHECK-NEXT:  }
func.func @swap(%x: memref<4xf32>, %y: memref<4xf32>, %out: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_tensor %y restrict : memref<4xf32> to tensor<4xf32>
  %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %t, %s : tensor<4xf32>, tensor<4xf32>
  }
  %r = arith.addf %p, %q : tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// What is made in its place is not copied.
// CHECK-LABEL: func @in_place
// CHECK:       scf.for
// CHECK-NEXT:    memref.store
// CHECK-NEXT:  }
func.func @in_place(%out: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %e) -> tensor<4xf32> {
    %t = tensor.insert %x into %s[%i] : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// -----

// A condition passes on a tensor that the loop does not carry, and a branch chooses one.
// CHECK-LABEL: func @passed
// CHECK:       scf.while
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.copy
// CHECK:         scf.condition
// CHECK:         scf.if
// CHECK-NOT:     memref.alloc
// CHECK:         scf.yield
func.func @passed(%x: memref<4xf32>, %out: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %r, %m = scf.while (%s = %a, %i = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %d = arith.addf %s, %s : tensor<4xf32>
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %d, %i : tensor<4xf32>, index
  } do {
  ^bb0(%d: tensor<4xf32>, %i: index):
    %isFirst = arith.cmpi eq, %i, %c0 : index
    %next = scf.if %isFirst -> tensor<4xf32> {
      scf.yield %d : tensor<4xf32>
    } else {
      %z = arith.mulf %d, %d : tensor<4xf32>
      scf.yield %z : tensor<4xf32>
    }
    %j = arith.addi %i, %c1 : index
    scf.yield %next, %j : tensor<4xf32>, index
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
