// RUN: lmpm-opt %s --lci-linalg-to-loops --split-input-file --verify-diagnostics | FileCheck %s
// LLVM unrolls only the innermost loops over arrays; loops inside a cell's computation are not
// changed. No vectors are made of elements with a stride of rows.

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

// The ends of rows are moved element by element: a vector of them would be gathered and scattered.
// CHECK-DAG: #[[VECTORS:.*]] = #llvm.loop_vectorize<disable = true>
// CHECK-DAG: #[[BOTH:.*]] = #llvm.loop_annotation<vectorize = #[[VECTORS]], unroll = #{{.*}}>
// CHECK-LABEL: func @column
// CHECK-COUNT-2: } {llvm.loop_annotation = #[[BOTH]]}
func.func @column(%a: memref<64x20xi64>) {
  %from = memref.subview %a[0, 17] [64, 1] [1, 1]
      : memref<64x20xi64> to memref<64x1xi64, strided<[20, 1], offset: 17>>
  %to = memref.subview %a[0, 1] [64, 1] [1, 1]
      : memref<64x20xi64> to memref<64x1xi64, strided<[20, 1], offset: 1>>
  linalg.copy ins(%from : memref<64x1xi64, strided<[20, 1], offset: 17>>)
      outs(%to : memref<64x1xi64, strided<[20, 1], offset: 1>>)
  return
}

// Gathers pay for much computation per element, and for elements a few bytes apart.
// CHECK-LABEL: func @negative_columns
// CHECK-NOT: #[[BOTH]]}
// CHECK: return
func.func @negative_columns(%a: memref<64x20xf32>, %b: memref<64x4xf32>) {
  %long = memref.subview %a[0, 1] [64, 1] [1, 1]
      : memref<64x20xf32> to memref<64x1xf32, strided<[20, 1], offset: 1>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%long : memref<64x1xf32, strided<[20, 1], offset: 1>>) {
  ^bb0(%x: f32):
    %x1 = arith.mulf %x, %x : f32
    %x2 = arith.addf %x1, %x : f32
    %x3 = arith.mulf %x2, %x2 : f32
    %x4 = arith.addf %x3, %x : f32
    %x5 = arith.mulf %x4, %x4 : f32
    linalg.yield %x5 : f32
  }
  %near = memref.subview %b[0, 1] [64, 1] [1, 1]
      : memref<64x4xf32> to memref<64x1xf32, strided<[4, 1], offset: 1>>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%near : memref<64x1xf32, strided<[4, 1], offset: 1>>)
  return
}

// -----

func.func @tensors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected buffers, of which loops can be made}}
  %c = linalg.copy ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
