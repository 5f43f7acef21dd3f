// The sum of ten embeddings of 32 numbers, 64 hidden, 4096 logits; sums begin with their bias, and
// products are fused multiply-adds in the order of the summed index.

#row = affine_map<(d0, d1) -> (d0)>
#cell = affine_map<(d0, d1) -> (d0, d1)>
#member = affine_map<(d0, d1) -> (d1, d0)>
#in = affine_map<(d0, d1) -> (d1)>
#weight = affine_map<(d0, d1) -> (d1, d0)>
#out = affine_map<(d0, d1) -> (d0)>

func.func @Tokens(%near: tensor<8xi32>, %near_present: tensor<8xi1>,
    %own: tensor<1xi32>, %own_present: tensor<1xi1>,
    %kind: tensor<1xi32>, %kind_present: tensor<1xi1>,
    %embedding: tensor<4097x32xf32> {lci.weight = "embedding"},
    %own_embedding: tensor<4097x32xf32> {lci.weight = "own_embedding"},
    %kind_embedding: tensor<5x32xf32> {lci.weight = "kind_embedding"},
    %start: tensor<32xf32> {lci.weight = "start"},
    %w1: tensor<32x64xf32> {lci.weight = "w1"}, %b1: tensor<64xf32> {lci.weight = "b1"},
    %w2: tensor<64x4096xf32> {lci.weight = "w2"}, %b2: tensor<4096xf32> {lci.weight = "b2"})
    -> tensor<4096xf32> {
  %near_empty = tensor.empty() : tensor<8x32xf32>
  %near_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                  iterator_types = ["parallel", "parallel"]}
      ins(%near : tensor<8xi32>) outs(%near_empty : tensor<8x32xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %place = linalg.index 1 : index
    %value = tensor.extract %embedding[%token, %place] : tensor<4097x32xf32>
    linalg.yield %value : f32
  } -> tensor<8x32xf32>
  %own_empty = tensor.empty() : tensor<1x32xf32>
  %own_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                 iterator_types = ["parallel", "parallel"]}
      ins(%own : tensor<1xi32>) outs(%own_empty : tensor<1x32xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %place = linalg.index 1 : index
    %value = tensor.extract %own_embedding[%token, %place] : tensor<4097x32xf32>
    linalg.yield %value : f32
  } -> tensor<1x32xf32>
  %kind_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                  iterator_types = ["parallel", "parallel"]}
      ins(%kind : tensor<1xi32>) outs(%own_empty : tensor<1x32xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %place = linalg.index 1 : index
    %value = tensor.extract %kind_embedding[%token, %place] : tensor<5x32xf32>
    linalg.yield %value : f32
  } -> tensor<1x32xf32>

  %near_sum = linalg.generic {indexing_maps = [#member, #out],
                              iterator_types = ["parallel", "reduction"]}
      ins(%near_vectors : tensor<8x32xf32>) outs(%start : tensor<32xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %next = arith.addf %sum, %x : f32
    linalg.yield %next : f32
  } -> tensor<32xf32>
  %own_sum = linalg.generic {indexing_maps = [#member, #out],
                             iterator_types = ["parallel", "reduction"]}
      ins(%own_vectors : tensor<1x32xf32>) outs(%near_sum : tensor<32xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %next = arith.addf %sum, %x : f32
    linalg.yield %next : f32
  } -> tensor<32xf32>
  %context = linalg.generic {indexing_maps = [#member, #out],
                             iterator_types = ["parallel", "reduction"]}
      ins(%kind_vectors : tensor<1x32xf32>) outs(%own_sum : tensor<32xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %next = arith.addf %sum, %x : f32
    linalg.yield %next : f32
  } -> tensor<32xf32>

  %sums = linalg.generic {indexing_maps = [#in, #weight, #out],
                          iterator_types = ["parallel", "reduction"]}
      ins(%context, %w1 : tensor<32xf32>, tensor<32x64xf32>) outs(%b1 : tensor<64xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %hidden = arith.maximumf %sums, %zero : tensor<64xf32>
  %logits = linalg.generic {indexing_maps = [#in, #weight, #out],
                            iterator_types = ["parallel", "reduction"]}
      ins(%hidden, %w2 : tensor<64xf32>, tensor<64x4096xf32>) outs(%b2 : tensor<4096xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<4096xf32>
  return %logits : tensor<4096xf32>
}
