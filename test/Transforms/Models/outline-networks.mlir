// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-outline-networks{min-elements=8})' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-outline-networks{min-elements=0})' | FileCheck %s --check-prefix=NONE
// Products become functions of one cell, with what is done between them element by element; what one
// gives the next one is handed on as it is, and parameters are handed over whole.

#here = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func private @run.network(
// CHECK-SAME: %[[W:.*]]: tensor<8x2xf32>, %[[V:.*]]: tensor<2xf32>) -> tensor<8xf32>
// CHECK:   %[[MINUS:.*]] = arith.constant -0.000000e+00 : f32
// CHECK:   %[[START:.*]] = linalg.fill ins(%[[MINUS]] : f32)
// CHECK:   linalg.generic {indexing_maps = {{.*}} ["parallel", "reduction"]} ins(%[[W]], %[[V]] : {{.*}}) outs(%[[START]]
// CHECK:     math.fma

// CHECK-LABEL: func.func private @run.network_0(
// CHECK-SAME: %[[W:.*]]: tensor<2x8xf32>, %[[H:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK:   %[[SUM:.*]] = arith.addf %[[H]], %[[B]] : tensor<8xf32>
// CHECK:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK:   %[[RELU:.*]] = arith.maximumf %[[SUM]], %[[ZERO]] : tensor<8xf32>
// CHECK:   %[[SIX:.*]] = arith.constant dense<6.000000e+00> : tensor<8xf32>
// CHECK:   %[[RELU6:.*]] = arith.minimumf %[[RELU]], %[[SIX]] : tensor<8xf32>
// CHECK:   linalg.generic {{.*}} ins(%[[W]], %[[RELU6]]

// CHECK-LABEL: func.func @run(
// CHECK:   ^bb0({{.*}}, %[[IN:.*]]: tensor<64xvector<2xf32>>, %[[W1:.*]]: tensor<8x2xf32>, %[[B1:.*]]: tensor<8xf32>, %[[W2:.*]]: tensor<2x8xf32>):
// CHECK:     %[[HELD:.*]] = lci.load %[[IN]]
// CHECK:     %[[GIVEN:.*]] = vector.transfer_write %[[HELD]], %{{.*}} {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>
// CHECK:     %[[HIDDEN:.*]] = func.call @run.network(%[[W1]], %[[GIVEN]])
// CHECK-NOT: arith.maximumf
// CHECK:     %[[ANSWER:.*]] = func.call @run.network_0(%[[W2]], %[[HIDDEN]], %[[B1]])
// CHECK:     %[[CHANGE:.*]] = vector.transfer_read %[[ANSWER]]
// CHECK:     %[[NEXT:.*]] = arith.addf %[[HELD]], %[[CHANGE]] : vector<2xf32>
// CHECK:     lci.install %[[NEXT]]

// As loops, a chain for each row; the first product is not added to anything.
// NONE-LABEL: func.func @run(
// NONE-NOT:   call
// NONE:       %[[FIRST:.*]] = arith.mulf
// NONE:       %[[SUMS:.*]]:8 = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]],
// NONE-COUNT-8: math.fma
// NONE:       vector.from_elements %[[SUMS]]#0
func.func @run(%s: tensor<64xvector<2xf32>>, %w1: tensor<8x2xf32>, %b1: tensor<8xf32>,
               %w2: tensor<2x8xf32>, %e: i64) -> tensor<64xvector<2xf32>> {
  %n = lci.tick @S at %e, %e, %e
      inputs(%s, %w1, %b1, %w2 : tensor<64xvector<2xf32>>, tensor<8x2xf32>, tensor<8xf32>, tensor<2x8xf32>)
      target(%s : tensor<64xvector<2xf32>>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64xvector<2xf32>>,
       %m1: tensor<8x2xf32>, %bias: tensor<8xf32>, %m2: tensor<2x8xf32>):
    %v = lci.load %in[#here](%i) [#lci.boundary<open>] : tensor<64xvector<2xf32>> -> vector<2xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %b0 = tensor.extract %bias[%c0] : tensor<8xf32>
    %b1_1 = tensor.extract %bias[%c1] : tensor<8xf32>
    %b2 = tensor.extract %bias[%c2] : tensor<8xf32>
    %b3 = tensor.extract %bias[%c3] : tensor<8xf32>
    %b4 = tensor.extract %bias[%c4] : tensor<8xf32>
    %b5 = tensor.extract %bias[%c5] : tensor<8xf32>
    %b6 = tensor.extract %bias[%c6] : tensor<8xf32>
    %b7 = tensor.extract %bias[%c7] : tensor<8xf32>
    %all = vector.from_elements %b0, %b1_1, %b2, %b3, %b4, %b5, %b6, %b7 : vector<8xf32>
    %h = lci.matvec %m1, %v : (tensor<8x2xf32>, vector<2xf32>) -> vector<8xf32>
    %sum = arith.addf %h, %all : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %relu = arith.maximumf %sum, %zero : vector<8xf32>
    %six = arith.constant 6.0 : f32
    %most = vector.broadcast %six : f32 to vector<8xf32>
    %relu6 = arith.minimumf %relu, %most : vector<8xf32>
    %change = lci.matvec %m2, %relu6 : (tensor<2x8xf32>, vector<8xf32>) -> vector<2xf32>
    %next = arith.addf %v, %change : vector<2xf32>
    %yes = arith.constant true
    lci.install %next if %yes : vector<2xf32>
  } -> tensor<64xvector<2xf32>>
  return %n : tensor<64xvector<2xf32>>
}

// A tick of hardly any cells keeps its product.
// CHECK-LABEL: func.func @few(
// CHECK-NOT: call
// CHECK: math.fma
func.func @few(%s: tensor<4xvector<2xf32>>, %w: tensor<2x8xf32>, %v: vector<8xf32>, %e: i64)
    -> tensor<4xvector<2xf32>> {
  %n = lci.tick @S at %e, %e, %e inputs(%w, %v : tensor<2x8xf32>, vector<8xf32>)
      target(%s : tensor<4xvector<2xf32>>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %m: tensor<2x8xf32>, %x: vector<8xf32>):
    %y = lci.matvec %m, %x : (tensor<2x8xf32>, vector<8xf32>) -> vector<2xf32>
    %yes = arith.constant true
    lci.install %y if %yes : vector<2xf32>
  } -> tensor<4xvector<2xf32>>
  return %n : tensor<4xvector<2xf32>>
}
