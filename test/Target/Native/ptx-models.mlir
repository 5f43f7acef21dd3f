// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-bind{models=M=next},lci-lower-rules)' | not lmpm-translate --lci-to-ptx --chip=sm_90 2>&1 | FileCheck %s
// A tick that asks a model has no kernel yet: it is refused by name, not left on the host.

// CHECK: error: 'lci.tick' op asks the model 'next', which is not lowered for this target yet
func.func @next(%v: tensor<1xi32>, %p: tensor<1xi1>, %w: tensor<3xf32> {lci.weight = "w"}) -> tensor<3xf32> {
  return %w : tensor<3xf32>
}
lci.program @ask sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
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
