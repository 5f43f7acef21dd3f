// RUN: lci-audit --pass-pipeline='builtin.module(audit-values,drop-names)' %s 2>&1 | FileCheck %s
// RUN: lmpm-opt --load-pass-plugin=%audit --pass-pipeline='builtin.module(audit-values,drop-names)' %s 2>&1 | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%lci --load-pass-plugin=%lci --load-pass-plugin=%audit --pass-pipeline='builtin.module(audit-values,drop-names)' %s 2>&1 | FileCheck %s
// Passes see operations of lci as what they are in every compiler that runs them.

// CHECK: remark: A: 1 rules, 0 constraints
// CHECK: warning: expected a commit for A, whose rules have no effect without one
// CHECK-NOT: lci.let
lci.program @flip sizes ["N"] {
  lci.value @A token vocabulary affine_map<()[s0] -> (2)> shape affine_map<()[s0] -> (s0)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Flip on @A {
  ^bb0(%i: index):
    %one = arith.constant 1 : i64
    %named = lci.let "one" = %one : i64
    lci.emit %named : i64
  }
}
