// RUN: lmpm-opt %s --lci-linalg-to-loops --split-input-file --verify-diagnostics | FileCheck %s
// Loops over arrays are not unrolled by LLVM, but for the innermost; nor is what a cell computes
// touched.

// CHECK: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[SAID:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
// CHECK-LABEL: func @sums
// CHECK: scf.for
// CHECK:   scf.for
// CHECK:     scf.for
// CHECK:       memref.store
// CHECK:   }{{$}}
// CHECK: } {llvm.loop_annotation = #[[SAID]]}
func.func @sums(%a: memref<4x8xi64>, %b: memref<4x8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x8xi64>) outs(%b : memref<4x8xi64>) {
  ^bb0(%x: i64, %y: i64):
    %s = scf.for %k = %c0 to %c3 step %c1 iter_args(%t = %x) -> (i64) {
      %n = arith.addi %t, %x : i64
      scf.yield %n : i64
    }
    linalg.yield %s : i64
  }
  return
}

// CHECK-LABEL: func @scalar
// CHECK-NOT: scf.for
// CHECK: memref.store
func.func @scalar(%a: memref<f32>, %b: memref<f32>) {
  linalg.copy ins(%a : memref<f32>) outs(%b : memref<f32>)
  return
}

// -----

func.func @tensors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected buffers, of which loops can be made}}
  %c = linalg.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
