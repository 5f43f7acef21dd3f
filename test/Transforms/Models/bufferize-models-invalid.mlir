// RUN: lmpm-opt %s --lci-bufferize-models --verify-diagnostics
// A model that each cell asks has no buffers outside of the tick.

func.func private @net(%x: tensor<1xf32>) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}

func.func @f(%a: memref<16xf32>, %e: i64) {
  // expected-error @below {{calls a model cell by cell}}
  // expected-note @below {{run 'lci-batch-models' first}}
  lci.tick @A at %e, %e, %e inputs(%a : memref<16xf32>) target(%a : memref<16xf32>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<16xf32>):
    %x = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<16xf32> -> f32
    %t = tensor.from_elements %x : tensor<1xf32>
    %r = func.call @net(%t) : (tensor<1xf32>) -> tensor<1xf32>
    %z = arith.constant 0 : index
    %y = tensor.extract %r[%z] : tensor<1xf32>
    %yes = arith.cmpf ogt, %y, %x : f32
    lci.install %y if %yes : f32
  }
  return
}
