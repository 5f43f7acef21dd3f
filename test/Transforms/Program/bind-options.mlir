// RUN: lmpm-opt %s --lci-bind="sizes=N=8 absent=Coarse rectangles=sky hard-priority=50 legalize=strict" \
// RUN:   --mlir-print-local-scope | FileCheck %s
// Bindings that are not sizes: absent values, regions with bounds, the hard priority, what to do with dependent phases.

// CHECK: lci.program @p
// CHECK-SAME: attributes {hard_priority = 50 : i64}
lci.program @p sizes ["N"] {
  lci.value @A token vocabulary affine_map<()[N] -> (3)> shape affine_map<()[N] -> (N)>
    boundary [#lci.boundary<open>] {
  }
  lci.value @Coarse token vocabulary affine_map<()[N] -> (7)> shape affine_map<()[N] -> (N)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    // CHECK: %[[ABSENT:.*]] = arith.constant 7 : i64
    // CHECK: %[[NO:.*]] = arith.constant false
    // CHECK: arith.select %[[NO]], %[[ABSENT]]
    %c, %p = lci.read @Coarse[affine_map<(i)[N] -> (i)>](%i) : i64
    %zero = arith.constant 0 : i64
    %v = arith.select %p, %c, %zero : i64
    lci.emit %v : i64
  }
  lci.commit @A using accept {
  }
  // CHECK: lci.region "sky" rectangle
  lci.region "sky"
  // CHECK: lci.region "ground"{{$}}
  lci.region "ground"
  // CHECK: lci.schedule @A using all legalize "strict"
}
