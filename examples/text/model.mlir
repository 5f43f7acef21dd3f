// What text.lmpm proposes as the next letter, given all letters before it, as logits.
//
// Written by train.py. It looks at the last 24 of the letters that are there. An absent one has a row
// of its own in the table. Products are fused multiply-adds in the order of the summed index: that
// order defines the bits.

#none = affine_map<(d0) -> ()>
#scalar = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#cell = affine_map<(d0, d1) -> (d0, d1)>
#in = affine_map<(d0, d1) -> (d1)>
#weight = affine_map<(d0, d1) -> (d1, d0)>
#in2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#weight2 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#out2 = affine_map<(d0, d1, d2) -> (d0)>

func.func @NextLetter(
    %past: tensor<159xi32>, %past_present: tensor<159xi1>,
    %emb_past: tensor<34x10xf32> {lci.weight = "emb_past"},
    %w_past: tensor<24x10x96xf32> {lci.weight = "w_past"},
    %b_hidden: tensor<96xf32> {lci.weight = "b_hidden"},
    %w_out: tensor<96x33xf32> {lci.weight = "w_out"},
    %b_out: tensor<33xf32> {lci.weight = "b_out"}) -> tensor<33xf32> {
  // Of what is there, the last 24: `%past_end` counts it, for nothing is missing in between.
  %past_none = arith.constant 0 : i32
  %past_no = tensor.empty() : tensor<i32>
  %past_start = linalg.fill ins(%past_none : i32) outs(%past_no : tensor<i32>) -> tensor<i32>
  %past_end = linalg.generic {indexing_maps = [#scalar, #none],
                                iterator_types = ["reduction"]}
      ins(%past_present : tensor<159xi1>) outs(%past_start : tensor<i32>) {
  ^bb0(%there: i1, %sum: i32):
    %one = arith.extui %there : i1 to i32
    %next = arith.addi %sum, %one : i32
    linalg.yield %next : i32
  } -> tensor<i32>
  %past_last_empty = tensor.empty() : tensor<24xi32>
  %past_last = linalg.generic {indexing_maps = [#scalar], iterator_types = ["parallel"]}
      outs(%past_last_empty : tensor<24xi32>) {
  ^bb0(%unused: i32):
    %end = tensor.extract %past_end[] : tensor<i32>
    %count = arith.constant 24 : i32
    %absent = arith.constant 33 : i32
    %zero_i = arith.constant 0 : i32
    %j = linalg.index 0 : index
    %place = arith.index_cast %j : index to i32
    %first = arith.subi %end, %count : i32
    %at = arith.addi %first, %place : i32
    %inside = arith.cmpi sge, %at, %zero_i : i32
    %safe = arith.maxsi %at, %zero_i : i32
    %k = arith.index_cast %safe : i32 to index
    %id = tensor.extract %past[%k] : tensor<159xi32>
    %token = arith.select %inside, %id, %absent : i32
    linalg.yield %token : i32
  } -> tensor<24xi32>

  %past_empty = tensor.empty() : tensor<24x10xf32>
  %past_vectors = linalg.generic {indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}
      ins(%past_last : tensor<24xi32>) outs(%past_empty : tensor<24x10xf32>) {
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_past[%token, %feature] : tensor<34x10xf32>
    linalg.yield %value : f32
  } -> tensor<24x10xf32>
  %from_past = linalg.generic {indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%past_vectors, %w_past : tensor<24x10xf32>,
                                     tensor<24x10x96xf32>)
      outs(%b_hidden : tensor<96xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<96xf32>

  %zero = arith.constant 0.0 : f32
  %hidden_empty = tensor.empty() : tensor<96xf32>
  %hidden = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = ["parallel"]}
      ins(%from_past : tensor<96xf32>) outs(%hidden_empty : tensor<96xf32>) {
  ^bb0(%x: f32, %unused: f32):
    %positive = arith.maximumf %x, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<96xf32>

  %logits = linalg.generic {indexing_maps = [#in, #weight, #row],
                            iterator_types = ["parallel", "reduction"]}
      ins(%hidden, %w_out : tensor<96xf32>, tensor<96x33xf32>)
      outs(%b_out : tensor<33xf32>) {
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  } -> tensor<33xf32>
  return %logits : tensor<33xf32>
}
