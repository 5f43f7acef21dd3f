// What masked-image.lmpm proposes for a pixel, from the window around it, its place, and
// the digit that the image shows: the logarithm of each token's probability.
//
// Written by train.py. An absent token has a row of its own in each table. Products are fused
// multiply-adds in the order of the summed index: that order defines the bits.

#none = affine_map<(d0) -> ()>
#scalar = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#cell = affine_map<(d0, d1) -> (d0, d1)>
#in = affine_map<(d0, d1) -> (d1)>
#weight = affine_map<(d0, d1) -> (d1, d0)>
#in2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#weight2 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#out2 = affine_map<(d0, d1, d2) -> (d0)>

func.func @Pixel(
    %near: tensor<48xi32>, %near_present: tensor<48xi1>,
    %place: tensor<1xi32>, %place_present: tensor<1xi1>,
    %digit: tensor<1xi32>, %digit_present: tensor<1xi1>,
    %emb_near: tensor<5x6xf32> {lci.weight = "emb_near"},
    %w_near: tensor<48x6x160xf32> {lci.weight = "w_near"},
    %emb_place: tensor<65x6xf32> {lci.weight = "emb_place"},
    %w_place: tensor<1x6x160xf32> {lci.weight = "w_place"},
    %emb_digit: tensor<11x6xf32> {lci.weight = "emb_digit"},
    %w_digit: tensor<1x6x160xf32> {lci.weight = "w_digit"},
    %b_hidden: tensor<160xf32> {lci.weight = "b_hidden"},
    %w_out: tensor<160x4xf32> {lci.weight = "w_out"},
    %b_out: tensor<4xf32> {lci.weight = "b_out"}) -> tensor<4xf32> {
  %near_empty = tensor.empty() : tensor<48x6xf32>
  %near_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}
      ins(%near : tensor<48xi32>) outs(%near_empty : tensor<48x6xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_near[%token, %feature] : tensor<5x6xf32>
    linalg.yield %value : f32
  } -> tensor<48x6xf32>
  %from_near = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%near_vectors, %w_near : tensor<48x6xf32>,
                                     tensor<48x6x160xf32>)
      outs(%b_hidden : tensor<160xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<160xf32>

  %place_empty = tensor.empty() : tensor<1x6xf32>
  %place_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}
      ins(%place : tensor<1xi32>) outs(%place_empty : tensor<1x6xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_place[%token, %feature] : tensor<65x6xf32>
    linalg.yield %value : f32
  } -> tensor<1x6xf32>
  %from_place = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%place_vectors, %w_place : tensor<1x6xf32>,
                                     tensor<1x6x160xf32>)
      outs(%from_near : tensor<160xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<160xf32>

  %digit_empty = tensor.empty() : tensor<1x6xf32>
  %digit_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}
      ins(%digit : tensor<1xi32>) outs(%digit_empty : tensor<1x6xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_digit[%token, %feature] : tensor<11x6xf32>
    linalg.yield %value : f32
  } -> tensor<1x6xf32>
  %from_digit = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%digit_vectors, %w_digit : tensor<1x6xf32>,
                                     tensor<1x6x160xf32>)
      outs(%from_place : tensor<160xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<160xf32>

  %zero = arith.constant 0.0 : f32
  %hidden_empty = tensor.empty() : tensor<160xf32>
  %hidden = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = ["parallel"]}
      ins(%from_digit : tensor<160xf32>) outs(%hidden_empty : tensor<160xf32>) {
  ^bb0(%x: f32, %unused: f32):
    %positive = arith.maximumf %x, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<160xf32>

  %logits = linalg.generic {indexing_maps = [#in, #weight, #row],
                            iterator_types = ["parallel", "reduction"]}
      ins(%hidden, %w_out : tensor<160xf32>, tensor<160x4xf32>)
      outs(%b_out : tensor<4xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<4xf32>

  // The logarithms of probabilities, which say how sure a token is: x - max - log(sum(exp(x - max))).
  %least = arith.constant 0xFF800000 : f32
  %one_empty = tensor.empty() : tensor<f32>
  %max_start = linalg.fill ins(%least : f32) outs(%one_empty : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#scalar, #none], iterator_types = ["reduction"]}
      ins(%logits : tensor<4xf32>) outs(%max_start : tensor<f32>) {
  ^bb0(%x: f32, %best: f32):
    %next = arith.maximumf %best, %x : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  %sum_start = linalg.fill ins(%zero : f32) outs(%one_empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#scalar, #none, #none], iterator_types = ["reduction"]}
      ins(%logits, %max : tensor<4xf32>, tensor<f32>) outs(%sum_start : tensor<f32>) {
  ^bb0(%x: f32, %m: f32, %sum: f32):
    %below = arith.subf %x, %m : f32
    %weight = math.exp %below : f32
    %next = arith.addf %sum, %weight : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  %out_empty = tensor.empty() : tensor<4xf32>
  %sure = linalg.generic {indexing_maps = [#scalar, #none, #none, #scalar],
                          iterator_types = ["parallel"]}
      ins(%logits, %max, %sum : tensor<4xf32>, tensor<f32>, tensor<f32>)
      outs(%out_empty : tensor<4xf32>) {
  ^bb0(%x: f32, %m: f32, %s: f32, %unused: f32):
    %below = arith.subf %x, %m : f32
    %log = math.log %s : f32
    %share = arith.subf %below, %log : f32
    linalg.yield %share : f32
  } -> tensor<4xf32>
  return %sure : tensor<4xf32>
}
