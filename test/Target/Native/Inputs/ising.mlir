// Ising's model on a torus, heat bath, red and black.
func.func @ising(%A: tensor<64x256xi64> {lci.role = "state", lci.name = "A", lci.vocabulary = 2 : i64},
    %first: i64 {lci.role = "first"}, %last: i64 {lci.role = "last"}, %seed: i64 {lci.role = "seed"},
    %counts: tensor<1xi64> {lci.role = "counts"})
    -> (tensor<64x256xi64> {lci.role = "state", lci.name = "A", lci.vocabulary = 2 : i64}, tensor<1xi64>) attributes {lci.counters = ["A.changed"]} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.for %e = %first to %last step %one iter_args(%s = %A, %k = %counts) -> (tensor<64x256xi64>, tensor<1xi64>) : i64 {
    %red:2 = lci.tick @A at %e, %zero, %seed inputs(%s : tensor<64x256xi64>) target(%s : tensor<64x256xi64>) counts(%k : tensor<1xi64>)
        cells affine_set<(x, y)[p] : ((x + y - p) mod 2 == 0)> class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %p: i64, %key: i64, %in: tensor<64x256xi64>):
    %a = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %b = lci.load %in[affine_map<(x, y) -> (x, y - 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %c = lci.load %in[affine_map<(x, y) -> (x, y + 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %d = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %self = lci.load %in[affine_map<(x, y) -> (x, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %ab = arith.addi %a, %b : i64
    %abc = arith.addi %ab, %c : i64
    %sum = arith.addi %abc, %d : i64
    %four = arith.constant 4 : i64
    %twice = arith.addi %sum, %sum : i64
    %field = arith.subi %twice, %four : i64
    %number = arith.sitofp %field : i64 to f32
    %beta = arith.constant -0.88 : f32
    %exponent = arith.mulf %number, %beta : f32
    %weight = lci.elementary exp %exponent : f32
    %unit = arith.constant 1.0 : f32
    %total = arith.addf %unit, %weight : f32
    %prob = arith.divf %unit, %total : f32
    %up = lci.bernoulli %prob stream <4, 0>
    %next = arith.extui %up : i1 to i64
    %changed = arith.cmpi ne, %next, %self : i64
    lci.install %next if %changed tally %changed to [0] : i64
    } -> tensor<64x256xi64>, tensor<1xi64>
    %black:2 = lci.tick @A at %e, %one, %seed inputs(%red#0 : tensor<64x256xi64>) target(%red#0 : tensor<64x256xi64>) counts(%red#1 : tensor<1xi64>)
        cells affine_set<(x, y)[p] : ((x + y - p) mod 2 == 0)> class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %p: i64, %key: i64, %in: tensor<64x256xi64>):
    %a = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %b = lci.load %in[affine_map<(x, y) -> (x, y - 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %c = lci.load %in[affine_map<(x, y) -> (x, y + 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %d = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %self = lci.load %in[affine_map<(x, y) -> (x, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<64x256xi64> -> i64
    %ab = arith.addi %a, %b : i64
    %abc = arith.addi %ab, %c : i64
    %sum = arith.addi %abc, %d : i64
    %four = arith.constant 4 : i64
    %twice = arith.addi %sum, %sum : i64
    %field = arith.subi %twice, %four : i64
    %number = arith.sitofp %field : i64 to f32
    %beta = arith.constant -0.88 : f32
    %exponent = arith.mulf %number, %beta : f32
    %weight = lci.elementary exp %exponent : f32
    %unit = arith.constant 1.0 : f32
    %total = arith.addf %unit, %weight : f32
    %prob = arith.divf %unit, %total : f32
    %up = lci.bernoulli %prob stream <4, 0>
    %next = arith.extui %up : i1 to i64
    %changed = arith.cmpi ne, %next, %self : i64
    lci.install %next if %changed tally %changed to [0] : i64
    } -> tensor<64x256xi64>, tensor<1xi64>
    scf.yield %black#0, %black#1 : tensor<64x256xi64>, tensor<1xi64>
  }
  return %r#0, %r#1 : tensor<64x256xi64>, tensor<1xi64>
}
