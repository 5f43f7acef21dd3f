// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(lci-bufferize-state)' | FileCheck %s
// A table is computed into one buffer, each time around a loop, and looked up by loads.

// CHECK-LABEL: func.func @epochs(
// CHECK-SAME: %[[LEVEL:[a-zA-Z0-9]*]]: memref<2xf32>
// CHECK: %[[TABLE:.*]] = memref.alloc() : memref<3x2xf32>
// CHECK: scf.for
// CHECK:   scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK:     scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step
// CHECK:       memref.load %[[LEVEL]][%[[J]]]
// CHECK:       memref.store %{{.*}}, %[[TABLE]][%[[I]], %[[J]]]
// CHECK:   lci.tick
// CHECK:     %[[AT:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK:     memref.load %{{.*}}[%[[AT]], %{{.*}}] : memref<3x2xf32>
func.func @epochs(%a: tensor<8xf32> {lci.role = "state", lci.name = "A"}, %level: tensor<2xf32> {lci.role = "param", lci.name = "level"}, %first: i64, %last: i64) -> tensor<8xf32> {
  %one = arith.constant 1 : i64
  %r = scf.for %e = %first to %last step %one iter_args(%s = %a) -> (tensor<8xf32>) : i64 {
    %table = tensor.generate {
    ^bb0(%i: index, %j: index):
      %x = arith.index_cast %i : index to i64
      %y = arith.addi %x, %e : i64
      %z = arith.sitofp %y : i64 to f32
      %l = tensor.extract %level[%j] : tensor<2xf32>
      %w = arith.mulf %z, %l : f32
      tensor.yield %w : f32
    } : tensor<3x2xf32>
    %n = lci.tick @A at %e, %e, %e inputs(%table : tensor<3x2xf32>) target(%s : tensor<8xf32>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %t: tensor<3x2xf32>):
      %two = arith.constant 2 : i8
      %zero = arith.constant 0 : index
      %v = lci.table %t[%two, %zero] : tensor<3x2xf32>[i8, index]
      %yes = arith.constant true
      lci.install %v if %yes : f32
    } -> tensor<8xf32>
    scf.yield %n : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @window(%a: tensor<8xi64> {lci.role = "state", lci.name = "A"}, %e: i64) -> tensor<8xi64> {
  // expected-error @below {{cannot be given storage: it is read through windows}}
  %table = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %e : i64
  } : tensor<8xi64>
  %n = lci.tick @A at %e, %e, %e inputs(%table : tensor<8xi64>) target(%a : tensor<8xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %t: tensor<8xi64>):
    %v = lci.load %t[affine_map<(i) -> (i + 1)>](%i) [#lci.boundary<wrap>] : tensor<8xi64> -> i64
    %yes = arith.constant true
    lci.install %v if %yes : i64
  } -> tensor<8xi64>
  return %n : tensor<8xi64>
}
