// RUN: lmpm-opt %s --lci-bufferize-state --split-input-file | FileCheck %s
// The tick writes the other buffer and its scores; the choice undoes some cells there, and only then
// the halo follows. The buffer of the scores is made once, where the function begins.

#wrap = #lci.boundary<wrap>

// CHECK-LABEL: func.func @p
// CHECK-SAME: %[[A:.*]]: memref<10xi64> {{.*}}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %[[B:.*]]: memref<10xi64> {{.*}}lci.role = "scratch"
// CHECK: %[[SCORES:.*]] = memref.alloc() : memref<8xf32>
// CHECK: scf.for {{.*}} iter_args(%[[FROM:.*]] = %[[A]], %[[TO:.*]] = %[[B]])
// CHECK:   %[[AFTER:.*]] = memref.subview %[[TO]][1] [8] [1]
// CHECK:   lci.tick @A {{.*}} target(%[[AFTER]] : {{.*}}) scores(%[[SCORES]] : memref<8xf32>)
// CHECK-NOT: lci.refresh_halo
// CHECK:   %[[BEFORE:.*]] = memref.subview %[[FROM]][1] [8] [1]
// CHECK:   %[[CHANGED:.*]] = memref.subview %[[TO]][1] [8] [1]
// CHECK:   lci.keep_surest 5.000000e-01 of %[[BEFORE]], %[[CHANGED]] by %[[SCORES]]
// CHECK:   lci.refresh_halo %[[TO]]
// CHECK:   scf.yield %[[TO]], %[[FROM]]
func.func @p(%a: tensor<8xi64> {lci.role = "state", lci.name = "A"}, %first: i64, %last: i64, %seed: i64)
    -> (tensor<8xi64> {lci.role = "state", lci.name = "A"}) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r = scf.for %e = %first to %last step %one iter_args(%s = %a) -> (tensor<8xi64>) : i64 {
    %scores = tensor.empty() : tensor<8xf32>
    %n:2 = lci.tick @A at %e, %zero, %seed inputs(%s : tensor<8xi64>) target(%s : tensor<8xi64>)
        scores(%scores : tensor<8xf32>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64, %in: tensor<8xi64>):
      %l = lci.load %in[affine_map<(d0) -> (d0 - 1)>](%i) [#wrap] : tensor<8xi64> -> i64
      %h = lci.load %in[affine_map<(d0) -> (d0 + 1)>](%i) [#wrap] : tensor<8xi64> -> i64
      %sum = arith.addi %l, %h : i64
      %score = arith.sitofp %sum : i64 to f32
      %yes = arith.constant true
      lci.install %sum if %yes score %score : i64
    } -> tensor<8xi64>, tensor<8xf32>
    %k = lci.keep_surest 0.5 of %s, %n#0 by %n#1
        : tensor<8xi64>, tensor<8xi64>, tensor<8xf32> -> tensor<8xi64>
    scf.yield %k : tensor<8xi64>
  }
  return %r : tensor<8xi64>
}
