// What a cell of torus10.lmpm proposes from the ten tokens that it sees, as logits.
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

func.func @TorusNet(
    %near: tensor<8xi32>, %near_present: tensor<8xi1>,
    %past: tensor<1xi32>, %past_present: tensor<1xi1>,
    %kind: tensor<1xi32>, %kind_present: tensor<1xi1>,
    %emb_near: tensor<17x12xf32> {lci.weight = "emb_near"},
    %w_near: tensor<8x12x96xf32> {lci.weight = "w_near"},
    %emb_past: tensor<17x12xf32> {lci.weight = "emb_past"},
    %w_past: tensor<1x12x96xf32> {lci.weight = "w_past"},
    %emb_kind: tensor<7x12xf32> {lci.weight = "emb_kind"},
    %w_kind: tensor<1x12x96xf32> {lci.weight = "w_kind"},
    %b_hidden: tensor<96xf32> {lci.weight = "b_hidden"},
    %w_out: tensor<96x16xf32> {lci.weight = "w_out"},
    %b_out: tensor<16xf32> {lci.weight = "b_out"}) -> tensor<16xf32> {
  %near_empty = tensor.empty() : tensor<8x12xf32>
  %near_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}
      ins(%near : tensor<8xi32>) outs(%near_empty : tensor<8x12xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_near[%token, %feature] : tensor<17x12xf32>
    linalg.yield %value : f32
  } -> tensor<8x12xf32>
  %from_near = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%near_vectors, %w_near : tensor<8x12xf32>,
                                     tensor<8x12x96xf32>)
      outs(%b_hidden : tensor<96xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<96xf32>

  %past_empty = tensor.empty() : tensor<1x12xf32>
  %past_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}
      ins(%past : tensor<1xi32>) outs(%past_empty : tensor<1x12xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_past[%token, %feature] : tensor<17x12xf32>
    linalg.yield %value : f32
  } -> tensor<1x12xf32>
  %from_past = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%past_vectors, %w_past : tensor<1x12xf32>,
                                     tensor<1x12x96xf32>)
      outs(%from_near : tensor<96xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<96xf32>

  %kind_empty = tensor.empty() : tensor<1x12xf32>
  %kind_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}
      ins(%kind : tensor<1xi32>) outs(%kind_empty : tensor<1x12xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_kind[%token, %feature] : tensor<7x12xf32>
    linalg.yield %value : f32
  } -> tensor<1x12xf32>
  %from_kind = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%kind_vectors, %w_kind : tensor<1x12xf32>,
                                     tensor<1x12x96xf32>)
      outs(%from_past : tensor<96xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<96xf32>

  %zero = arith.constant 0.0 : f32
  %hidden_empty = tensor.empty() : tensor<96xf32>
  %hidden = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = ["parallel"]}
      ins(%from_kind : tensor<96xf32>) outs(%hidden_empty : tensor<96xf32>) {
  ^bb0(%x: f32, %unused: f32):
    %positive = arith.maximumf %x, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<96xf32>

  %logits = linalg.generic {indexing_maps = [#in, #weight, #row],
                            iterator_types = ["parallel", "reduction"]}
      ins(%hidden, %w_out : tensor<96xf32>, tensor<96x16xf32>)
      outs(%b_out : tensor<16xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<16xf32>
  return %logits : tensor<16xf32>
}
