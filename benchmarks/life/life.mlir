// Life on a torus of 1024 x 1024 cells, counting the cells that change: what main.cpp times.
func.func @life(%A: tensor<1024x1024xi64> {lci.role = "state", lci.name = "A", lci.vocabulary = 2 : i64},
    %first: i64 {lci.role = "first"}, %last: i64 {lci.role = "last"}, %seed: i64 {lci.role = "seed"},
    %counts: tensor<1xi64> {lci.role = "counts"})
    -> (tensor<1024x1024xi64> {lci.role = "state", lci.name = "A", lci.vocabulary = 2 : i64}, tensor<1xi64>) attributes {lci.counters = ["A.changed"]} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.for %e = %first to %last step %one iter_args(%s = %A, %k = %counts) -> (tensor<1024x1024xi64>, tensor<1xi64>) : i64 {
    %n:2 = lci.tick @A at %e, %zero, %seed inputs(%s : tensor<1024x1024xi64>) target(%s : tensor<1024x1024xi64>) counts(%k : tensor<1xi64>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %p: i64, %key: i64, %in: tensor<1024x1024xi64>):
    %w0 = lci.load %in[affine_map<(x, y) -> (x - 1, y - 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %w1 = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %w2 = lci.load %in[affine_map<(x, y) -> (x - 1, y + 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %w3 = lci.load %in[affine_map<(x, y) -> (x, y - 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %w4 = lci.load %in[affine_map<(x, y) -> (x, y + 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %w5 = lci.load %in[affine_map<(x, y) -> (x + 1, y - 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %w6 = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %w7 = lci.load %in[affine_map<(x, y) -> (x + 1, y + 1)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %self = lci.load %in[affine_map<(x, y) -> (x, y)>](%x, %y)
        [#lci.boundary<wrap>, #lci.boundary<wrap>] : tensor<1024x1024xi64> -> i64
    %s0 = arith.addi %w0, %w1 : i64
    %s1 = arith.addi %s0, %w2 : i64
    %s2 = arith.addi %s1, %w3 : i64
    %s3 = arith.addi %s2, %w4 : i64
    %s4 = arith.addi %s3, %w5 : i64
    %s5 = arith.addi %s4, %w6 : i64
    %s6 = arith.addi %s5, %w7 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %born = arith.cmpi eq, %s6, %c3 : i64
    %two = arith.cmpi eq, %s6, %c2 : i64
    %alive = arith.cmpi eq, %self, %c1 : i64
    %stays = arith.andi %two, %alive : i1
    %lives = arith.ori %born, %stays : i1
    %next = arith.extui %lives : i1 to i64
    %changed = arith.cmpi ne, %next, %self : i64
    lci.install %next if %changed tally %changed to [0] : i64
    } -> tensor<1024x1024xi64>, tensor<1xi64>
    scf.yield %n#0, %n#1 : tensor<1024x1024xi64>, tensor<1xi64>
  }
  return %r#0, %r#1 : tensor<1024x1024xi64>, tensor<1xi64>
}
