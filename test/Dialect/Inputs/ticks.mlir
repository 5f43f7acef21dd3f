// Ticks as version 1 could say them: with all that a tick and its end may have.
func.func @ticks(%s: tensor<8xi64>, %k: tensor<2xi64>, %f: tensor<8xf32>, %e: i64, %from: index)
    -> (tensor<8xi64>, tensor<2xi64>, tensor<8xf32>) {
  %n:3 = lci.tick @A at %e, %e, %e inputs(%s, %e : tensor<8xi64>, i64) target(%s : tensor<8xi64>)
      counts(%k : tensor<2xi64>) scores(%f : tensor<8xf32>) box [%from] [3] step [2]
      cells affine_set<(d0)[s0] : ((d0 - s0) mod 2 == 0)> class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<8xi64>, %other: i64):
    %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : tensor<8xi64> -> i64
    %w = arith.addi %v, %other : i64
    %yes = arith.cmpi ne, %v, %w : i64
    %no = arith.constant false
    %sure = arith.constant 0.5 : f32
    lci.install %w if %yes unless %no score %sure tally %yes, %no to [1, 0] : i64
  } -> tensor<8xi64>, tensor<2xi64>, tensor<8xf32>
  return %n#0, %n#1, %n#2 : tensor<8xi64>, tensor<2xi64>, tensor<8xf32>
}
func.func @plain(%s: memref<8xi8>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%s : memref<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %one = arith.constant 1 : i8
    %yes = arith.constant true
    lci.install %one if %yes : i8
  }
  return
}
