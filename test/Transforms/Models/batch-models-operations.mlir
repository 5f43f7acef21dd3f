// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-batch-models{tile=4},canonicalize,cse)' | FileCheck %s
// Scalar and elementwise operations become loops over the tile; tiles hold cells of the phase only.

func.func @run(%a: memref<10xi64>, %e: i64, %p: i64) {
  lci.tick @A at %e, %p, %e inputs(%a : memref<10xi64>) target(%a : memref<10xi64>)
      cells affine_set<(i)[p] : ((i - p) mod 2 == 0)> class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %given = tensor.from_elements %x, %x : tensor<2xf32>
    %token = func.call @Model(%given) : (tensor<2xf32>) -> i64
    %yes = arith.constant true
    lci.install %token if %yes : i64
  }
  return
}

func.func private @Model(%x: tensor<2xf32>) -> i64 {
  %bias = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %sum = arith.addf %x, %bias : tensor<2xf32>
  %first = arith.constant 1 : index
  %one = tensor.extract %sum[%first] : tensor<2xf32>
  %token = arith.fptosi %one : f32 to i64
  %place = arith.index_cast %token : i64 to index
  %named = tensor.extract %sum[%place] : tensor<2xf32>
  %again = arith.fptosi %named : f32 to i64
  return %again : i64
}

// CHECK-DAG:   #[[TILE:map[0-9]*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[SAME:map[0-9]*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG:   #[[ROW:map[0-9]*]] = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @run
// CHECK:       scf.for
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [#[[TILE]], #[[SAME]], #[[TILE]]]
// CHECK:           arith.addf
// CHECK:         } -> tensor<2x4xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[ROW]]]
// CHECK:           %[[CELL:.*]] = linalg.index 0
// CHECK:           tensor.extract %[[SUM]][%{{.*}}, %[[CELL]]]
// CHECK-NOT:       arith.fptosi {{.*}} : tensor
// CHECK:           arith.index_cast %{{.*}} : i64 to index
// CHECK:         } -> tensor<4xindex>
// CHECK:         linalg.generic {indexing_maps = [#[[ROW]], #[[ROW]]]{{.*}} ins(%{{.*}} : tensor<4xindex>)
// CHECK:           ^bb0(%[[PLACE:.*]]: index,
// CHECK:           %[[CELL:.*]] = linalg.index 0
// CHECK:           tensor.extract %[[SUM]][%[[PLACE]], %[[CELL]]]
// CHECK:       scf.for
// CHECK:         %[[UP:.*]] = memref.load %{{.*}} : memref<4xindex>
// CHECK:         memref.store %{{.*}}, %{{.*}}[%[[UP]]]

// A scalar that a body uses is that of the cell whose row the loop is at.
// CHECK-LABEL: func.func @captured
// CHECK:         linalg.generic
// CHECK:           tensor.extract
// CHECK:         } -> tensor<4xf32>
// CHECK:         linalg.generic
// CHECK:           %[[CELL:.*]] = linalg.index 1
// CHECK:           %[[MINE:.*]] = tensor.extract %{{.*}}[%[[CELL]]] : tensor<4xf32>
// CHECK:           arith.mulf %{{.*}}, %[[MINE]] : f32
func.func @captured(%a: memref<10xi64>, %e: i64, %p: i64) {
  lci.tick @A at %e, %p, %e inputs(%a : memref<10xi64>) target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %x = arith.sitofp %v : i64 to f32
    %given = tensor.from_elements %x, %x : tensor<2xf32>
    %token = func.call @Scales(%given) : (tensor<2xf32>) -> i64
    %yes = arith.constant true
    lci.install %token if %yes : i64
  }
  return
}

func.func private @Scales(%x: tensor<2xf32>) -> i64 {
  %first = arith.constant 1 : index
  %factor = tensor.extract %x[%first] : tensor<2xf32>
  %empty = tensor.empty() : tensor<2xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                            iterator_types = ["parallel"]}
      ins(%x : tensor<2xf32>) outs(%empty : tensor<2xf32>) {
  ^bb0(%element: f32, %out: f32):
    %product = arith.mulf %element, %factor : f32
    linalg.yield %product : f32
  } -> tensor<2xf32>
  %one = tensor.extract %scaled[%first] : tensor<2xf32>
  %token = arith.fptosi %one : f32 to i64
  return %token : i64
}
