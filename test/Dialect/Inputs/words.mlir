// Ticks as version 2 says them: on words, with several targets, boxed arrays and numbers as tallies.
func.func @words(%low: memref<4x6xi64>, %high: memref<4x6xi64>, %state: memref<4x3xi64>, %k: memref<1xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%low : memref<4x6xi64>) target(%low, %high : memref<4x6xi64>, memref<4x6xi64>)
      boxed(%state : memref<4x3xi64>) counts(%k : memref<1xi64>) box [0, 1] [4, 3] step [1, 1] class_stride 1 packed 64 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<4x6xi64>):
    %w = lci.load %in[affine_map<(d0, d1) -> (d0, d1)>](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<4x6xi64> -> i64
    %bits = math.ctpop %w : i64
    %yes = arith.constant true
    lci.install %w, %epoch boxed(%phase : i64) if %yes tally %bits, %yes : i64, i1 to [0, 0] : i64, i64
  }
  return
}
