func.func @sum_rows(%x: memref<64x32xf32>, %sums: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x32xf32>) outs(%sums : memref<64xf32>) {
  ^bb0(%number: f32, %sum: f32):
    %next = arith.addf %sum, %number : f32
    linalg.yield %next : f32
  }
  return
}
