// Successive over-relaxation, red and black; the border keeps.
func.func @sor(%A: tensor<64x256xf32> {lci.role = "state", lci.name = "A"},
    %first: i64 {lci.role = "first"}, %last: i64 {lci.role = "last"}, %seed: i64 {lci.role = "seed"},
    %counts: tensor<1xi64> {lci.role = "counts"})
    -> (tensor<64x256xf32> {lci.role = "state", lci.name = "A"}, tensor<1xi64>) attributes {lci.counters = ["A.changed"]} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.for %e = %first to %last step %one iter_args(%s = %A, %k = %counts) -> (tensor<64x256xf32>, tensor<1xi64>) : i64 {
    %red:2 = lci.tick @A at %e, %zero, %seed inputs(%s : tensor<64x256xf32>) target(%s : tensor<64x256xf32>) counts(%k : tensor<1xi64>)
        cells affine_set<(x, y)[p] : ((x + y - p) mod 2 == 0)> class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %p: i64, %key: i64, %in: tensor<64x256xf32>):
    %a = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %b = lci.load %in[affine_map<(x, y) -> (x, y - 1)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %c = lci.load %in[affine_map<(x, y) -> (x, y + 1)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %d = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %self = lci.load %in[affine_map<(x, y) -> (x, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    %sum = arith.addf %abc, %d : f32
    %four = arith.constant 4.0 : f32
    %mean = arith.divf %sum, %four : f32
    %residue = arith.subf %mean, %self : f32
    %omega = arith.constant 1.9 : f32
    %step = arith.mulf %omega, %residue : f32
    %next = arith.addf %self, %step : f32
    %i0 = arith.constant 0 : index
    %i63 = arith.constant 63 : index
    %i255 = arith.constant 255 : index
    %top = arith.cmpi sgt, %x, %i0 : index
    %bottom = arith.cmpi slt, %x, %i63 : index
    %west = arith.cmpi sgt, %y, %i0 : index
    %east = arith.cmpi slt, %y, %i255 : index
    %rows = arith.andi %top, %bottom : i1
    %columns = arith.andi %west, %east : i1
    %inside = arith.andi %rows, %columns : i1
    lci.install %next if %inside tally %inside to [0] : f32
    } -> tensor<64x256xf32>, tensor<1xi64>
    %black:2 = lci.tick @A at %e, %one, %seed inputs(%red#0 : tensor<64x256xf32>) target(%red#0 : tensor<64x256xf32>) counts(%red#1 : tensor<1xi64>)
        cells affine_set<(x, y)[p] : ((x + y - p) mod 2 == 0)> class_stride 2 {
    ^bb0(%x: index, %y: index, %epoch: i64, %p: i64, %key: i64, %in: tensor<64x256xf32>):
    %a = lci.load %in[affine_map<(x, y) -> (x - 1, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %b = lci.load %in[affine_map<(x, y) -> (x, y - 1)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %c = lci.load %in[affine_map<(x, y) -> (x, y + 1)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %d = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %self = lci.load %in[affine_map<(x, y) -> (x, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : tensor<64x256xf32> -> f32
    %ab = arith.addf %a, %b : f32
    %abc = arith.addf %ab, %c : f32
    %sum = arith.addf %abc, %d : f32
    %four = arith.constant 4.0 : f32
    %mean = arith.divf %sum, %four : f32
    %residue = arith.subf %mean, %self : f32
    %omega = arith.constant 1.9 : f32
    %step = arith.mulf %omega, %residue : f32
    %next = arith.addf %self, %step : f32
    %i0 = arith.constant 0 : index
    %i63 = arith.constant 63 : index
    %i255 = arith.constant 255 : index
    %top = arith.cmpi sgt, %x, %i0 : index
    %bottom = arith.cmpi slt, %x, %i63 : index
    %west = arith.cmpi sgt, %y, %i0 : index
    %east = arith.cmpi slt, %y, %i255 : index
    %rows = arith.andi %top, %bottom : i1
    %columns = arith.andi %west, %east : i1
    %inside = arith.andi %rows, %columns : i1
    lci.install %next if %inside tally %inside to [0] : f32
    } -> tensor<64x256xf32>, tensor<1xi64>
    scf.yield %black#0, %black#1 : tensor<64x256xf32>, tensor<1xi64>
  }
  return %r#0, %r#1 : tensor<64x256xf32>, tensor<1xi64>
}
