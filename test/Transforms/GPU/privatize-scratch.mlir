// RUN: lmpm-opt %s --lci-privatize-scratch --split-input-file --verify-diagnostics | FileCheck %s
// A thread has private buffers, allocated once, and its loops run sequentially.

// CHECK-LABEL: func @near
// CHECK:         %[[SHARED:.*]] = memref.alloc() : memref<64xi64>
// CHECK:         scf.parallel
// CHECK-NEXT:      %[[NEAR:.*]] = memref.alloca() {alignment = 64 : i64} : memref<8xi64>
// CHECK:           scf.for
// CHECK-NOT:       memref.alloc
// CHECK:             scf.for
// CHECK:               memref.store %{{.*}}, %[[NEAR]]
// CHECK-NOT:       memref.dealloc
// CHECK:         linalg.fill
func.func @near(%none: i64, %sums: memref<64xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %shared = memref.alloc() : memref<64xi64>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.for %turn = %c0 to %c3 step %c1 {
      %near = memref.alloc() {alignment = 64 : i64} : memref<8xi64>
      linalg.fill ins(%none : i64) outs(%near : memref<8xi64>)
      %first = memref.load %near[%c0] : memref<8xi64>
      memref.store %first, %sums[%i] : memref<64xi64>
      memref.dealloc %near : memref<8xi64>
    }
  }
  linalg.fill ins(%none : i64) outs(%shared : memref<64xi64>)
  return
}

// -----

func.func @unknown(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    // expected-error @below {{expected a buffer of known size, because each thread has its own}}
    %own = memref.alloc(%n) : memref<?xf32>
    memref.store %x, %own[%c0] : memref<?xf32>
  }
  return
}

// -----

func.func @tensor(%x: f32, %t: tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    // expected-error @below {{expected buffers, of which loops can be made}}
    %all = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  }
  return
}
