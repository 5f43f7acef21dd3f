// RUN: lmpm-opt %s --lci-bind="sizes=N=8 models=M=net" --canonicalize | FileCheck %s
// A model's functions are ours from the moment it is bound: upstream's folds of tanh, which go
// through the host's library, are one bit off here.

// CHECK-LABEL: func.func @net
// The float nearest to tanh(0.100285) is one more than what glibc says.
// CHECK: arith.constant 0.0999501571 : f32
// CHECK-NOT: math.
// CHECK: lci.elementary {{ *}}exp %{{.*}} : f32
// CHECK: lci.elementary_binary {{ *}}pow %{{.*}}, %{{.*}} : f32
// CHECK: math.sqrt
// CHECK: return %{{.*}}, %{{.*}} : i64, f32
func.func @net(%v: tensor<1xi32>, %p: tensor<1xi1>) -> (i64, f32) {
  %c0 = arith.constant 0 : index
  %t = tensor.extract %v[%c0] : tensor<1xi32>
  %n = arith.sitofp %t : i32 to f32
  %x = arith.constant 0x3DCD6239 : f32
  %h = math.tanh %x : f32
  %e = math.exp %n : f32
  %f = math.powf %e, %h : f32
  %s = math.sqrt %f : f32
  %token = arith.constant 1 : i64
  return %token, %s : i64, f32
}
lci.program @p sizes ["N"] {
  lci.value @A token vocabulary affine_map<()[N] -> (4)> shape affine_map<()[N] -> (N)> boundary [#lci.boundary<wrap>] {
  }
  lci.model "M"
  lci.commit @A using accept {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %v, %p = lci.collect [affine_set<(i)[N] : (0 == 0)>](%i) : tensor<?xi64>, tensor<?xi1> {
    ^bb0(%rank: index):
      %w, %q = lci.read @A[affine_map<(i)[N] -> (i)>](%i) : i64
      lci.yield %w present %q : i64
    }
    %a = lci.evaluate "M"(%v, %p) : (tensor<?xi64>, tensor<?xi1>) -> !lci.answer
    lci.emit %a : !lci.answer
  }
}
