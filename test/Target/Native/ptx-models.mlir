// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-bind{models=M=next},lci-lower-rules)' | lmpm-translate --lci-to-ptx --chip=sm_90 | FileCheck %s
// A tick that calls a model: products of four neighbours and of four outputs, in registers, by accesses of
// 16 bytes; the weights are read through the cache of constant data.

// CHECK:         .entry {{.*}}(
// CHECK:         ld.global.nc.v4.b32
// CHECK-COUNT-16: fma.rn.f32
// CHECK-NOT:     st.global
// CHECK:         bra
// CHECK-COUNT-4: st.global.v4.b32
#w = affine_map<(i, k) -> (k, i)>
#x = affine_map<(i, k) -> (k)>
#y = affine_map<(i, k) -> (i)>
#one = affine_map<(i) -> (i)>
func.func @next(%v: tensor<1xi32>, %p: tensor<1xi1>, %e: tensor<5x16xf32> {lci.weight = "e"},
                %w: tensor<16x4xf32> {lci.weight = "w"}, %b: tensor<4xf32> {lci.weight = "b"}) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<16xf32>
  %x = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]}
      outs(%empty : tensor<16xf32>) {
  ^bb0(%none: f32):
    %zero = arith.constant 0 : index
    %id = tensor.extract %v[%zero] : tensor<1xi32>
    %row = arith.index_cast %id : i32 to index
    %at = linalg.index 0 : index
    %feature = tensor.extract %e[%row, %at] : tensor<5x16xf32>
    linalg.yield %feature : f32
  } -> tensor<16xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<16xf32>, tensor<16x4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%a: f32, %weight: f32, %sum: f32):
    %next = math.fma %a, %weight, %sum : f32
    linalg.yield %next : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
lci.program @ask sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (256)> boundary [#lci.boundary<wrap>] {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i) : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i) -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}
