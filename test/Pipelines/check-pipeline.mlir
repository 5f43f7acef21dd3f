// RUN: lmpm-opt %s --lci-check-pipeline=remarks=false --dump-pass-pipeline -o /dev/null 2>&1 | FileCheck %s
// The checks of a bound program and their order; remarks can be switched off.

// CHECK: builtin.module(
// CHECK-NEXT: lci-check-level{before={{.*}} level=2},
// CHECK-NEXT: lci-check-visibility,
// CHECK-NEXT: lci-check-presence,
// CHECK-NEXT: lci-infer-ranges{remarks=false},
// CHECK-NEXT: lci-check-causality,
// CHECK-NEXT: lci-legalize-schedule{remarks=false},
// CHECK-NEXT: lci-check-schedule{remarks=false},
// CHECK-NEXT: lci-check-constraints{remarks=false},
// CHECK-NEXT: lci-simplify-constraints
// CHECK-NOT: remark:
lci.program @p sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.visible @A sees @A[affine_map<(x) -> (x - 1)>] where [affine_set<(x) : (0 == 0)>]
  lci.rule @R on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x - 1)>](%x) : f32
    %w = lci.unwrap %v, %p : f32
    lci.emit %w : f32
  }
  lci.commit @A using accept {
  }
  lci.schedule @A using all
}
