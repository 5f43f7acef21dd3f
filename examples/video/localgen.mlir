// LocalGen: what the network of network.py computes for one cell, as the program's model `Model`.
//
// Arguments: the program's reads, each with a tensor of presence (an absent token's id is the size
// of its vocabulary, which has an embedding row of its own, so presence need not be asked for);
// then the weights, by their names in localgen.safetensors. The neighbours come in row-major order of
// (dx, dy). Products are fused multiply-adds in the order of the summed index: that order is the
// definition of the result's bits.

#scalar = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#cell = affine_map<(d0, d1) -> (d0, d1)>
#in = affine_map<(d0, d1) -> (d1)>
#weight = affine_map<(d0, d1) -> (d1, d0)>
#in2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#weight2 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#out2 = affine_map<(d0, d1, d2) -> (d0)>

func.func @LocalGen(
    %neighbors: tensor<8xi32>, %neighbors_present: tensor<8xi1>,
    %prev: tensor<1xi32>, %prev_present: tensor<1xi1>,
    %txt: tensor<16xi32>, %txt_present: tensor<16xi1>,
    %coarse: tensor<1xi32>, %coarse_present: tensor<1xi1>,
    %emb: tensor<257x16xf32> {lci.weight = "emb"},
    %txt_emb: tensor<65x8xf32> {lci.weight = "txt_emb"},
    %w_txt: tensor<8x192xf32> {lci.weight = "w_txt"},
    %w_in: tensor<10x16x192xf32> {lci.weight = "w_in"},
    %b_in: tensor<192xf32> {lci.weight = "b_in"},
    %w_out: tensor<192x256xf32> {lci.weight = "w_out"},
    %b_out: tensor<256xf32> {lci.weight = "b_out"}) -> tensor<256xf32> {
  %zero = arith.constant 0.0 : f32
  %share = arith.constant 0.0625 : f32

  // The caption: the mean of its tokens' embeddings, as the hidden layer's first contribution.
  %text_empty = tensor.empty() : tensor<8xf32>
  %text_zero = linalg.fill ins(%zero : f32) outs(%text_empty : tensor<8xf32>) -> tensor<8xf32>
  %text_sum = linalg.generic {indexing_maps = [#in, #row],
                              iterator_types = ["parallel", "reduction"]}
      ins(%txt : tensor<16xi32>) outs(%text_zero : tensor<8xf32>) {
  ^bb0(%id: i32, %sum: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 0 : index
    %value = tensor.extract %txt_emb[%token, %feature] : tensor<65x8xf32>
    %next = arith.addf %sum, %value : f32
    linalg.yield %next : f32
  } -> tensor<8xf32>
  %text = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = ["parallel"]}
      ins(%text_sum : tensor<8xf32>) outs(%text_empty : tensor<8xf32>) {
  ^bb0(%sum: f32, %unused: f32):
    %mean = arith.mulf %sum, %share : f32
    linalg.yield %mean : f32
  } -> tensor<8xf32>
  %from_text = linalg.generic {indexing_maps = [#in, #weight, #row],
                               iterator_types = ["parallel", "reduction"]}
      ins(%text, %w_txt : tensor<8xf32>, tensor<8x192xf32>) outs(%b_in : tensor<192xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<192xf32>

  // The context: ten tokens, looked up in one embedding, each with its rows of the same matrix.
  %near_empty = tensor.empty() : tensor<8x16xf32>
  %near = linalg.generic {indexing_maps = [#row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%neighbors : tensor<8xi32>) outs(%near_empty : tensor<8x16xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb[%token, %feature] : tensor<257x16xf32>
    linalg.yield %value : f32
  } -> tensor<8x16xf32>
  %w_near = tensor.extract_slice %w_in[0, 0, 0] [8, 16, 192] [1, 1, 1]
      : tensor<10x16x192xf32> to tensor<8x16x192xf32>
  %from_near = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                               iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%near, %w_near : tensor<8x16xf32>, tensor<8x16x192xf32>)
      outs(%from_text : tensor<192xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<192xf32>

  %before_empty = tensor.empty() : tensor<1x16xf32>
  %before = linalg.generic {indexing_maps = [#row, #cell],
                            iterator_types = ["parallel", "parallel"]}
      ins(%prev : tensor<1xi32>) outs(%before_empty : tensor<1x16xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb[%token, %feature] : tensor<257x16xf32>
    linalg.yield %value : f32
  } -> tensor<1x16xf32>
  %w_before = tensor.extract_slice %w_in[8, 0, 0] [1, 16, 192] [1, 1, 1]
      : tensor<10x16x192xf32> to tensor<1x16x192xf32>
  %from_before = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                               iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%before, %w_before : tensor<1x16xf32>, tensor<1x16x192xf32>)
      outs(%from_near : tensor<192xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<192xf32>

  %rough_empty = tensor.empty() : tensor<1x16xf32>
  %rough = linalg.generic {indexing_maps = [#row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%coarse : tensor<1xi32>) outs(%rough_empty : tensor<1x16xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb[%token, %feature] : tensor<257x16xf32>
    linalg.yield %value : f32
  } -> tensor<1x16xf32>
  %w_rough = tensor.extract_slice %w_in[9, 0, 0] [1, 16, 192] [1, 1, 1]
      : tensor<10x16x192xf32> to tensor<1x16x192xf32>
  %total = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                               iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%rough, %w_rough : tensor<1x16xf32>, tensor<1x16x192xf32>)
      outs(%from_before : tensor<192xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<192xf32>

  %hidden_empty = tensor.empty() : tensor<192xf32>
  %hidden = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = ["parallel"]}
      ins(%total : tensor<192xf32>) outs(%hidden_empty : tensor<192xf32>) {
  ^bb0(%x: f32, %unused: f32):
    %positive = arith.maximumf %x, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<192xf32>

  %logits = linalg.generic {indexing_maps = [#in, #weight, #row],
                            iterator_types = ["parallel", "reduction"]}
      ins(%hidden, %w_out : tensor<192xf32>, tensor<192x256xf32>) outs(%b_out : tensor<256xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<256xf32>
  return %logits : tensor<256xf32>
}
