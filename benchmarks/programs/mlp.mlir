// 81 numbers, 32 hidden, 16 logits; fused multiply-adds in the order of the summed index.

#in = affine_map<(d0, d1) -> (d1)>
#weight = affine_map<(d0, d1) -> (d1, d0)>
#out = affine_map<(d0, d1) -> (d0)>

func.func @Mlp(%near: tensor<81xf32>, %near_present: tensor<81xi1>,
    %w1: tensor<81x32xf32> {lci.weight = "w1"}, %b1: tensor<32xf32> {lci.weight = "b1"},
    %w2: tensor<32x16xf32> {lci.weight = "w2"}, %b2: tensor<16xf32> {lci.weight = "b2"})
    -> tensor<16xf32> {
  %sums = linalg.generic {indexing_maps = [#in, #weight, #out],
                          iterator_types = ["parallel", "reduction"]}
      ins(%near, %w1 : tensor<81xf32>, tensor<81x32xf32>) outs(%b1 : tensor<32xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<32xf32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %hidden = arith.maximumf %sums, %zero : tensor<32xf32>
  %logits = linalg.generic {indexing_maps = [#in, #weight, #out],
                            iterator_types = ["parallel", "reduction"]}
      ins(%hidden, %w2 : tensor<32xf32>, tensor<32x16xf32>) outs(%b2 : tensor<16xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<16xf32>
  return %logits : tensor<16xf32>
}
