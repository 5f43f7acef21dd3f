// RUN: not lmpm-translate --lci-to-ptx %s 2>&1 | FileCheck %s
// RUN: lmpm-opt --convert-func-to-llvm %s | not lmpm-translate --lci-to-plan -o %t.plan 2>&1 | FileCheck %s --check-prefix=PLAN
// What holds no tick becomes no kernel, and what is lowered for the CPU has no launches to plan.

// CHECK: error: has no tick to make a kernel of
// PLAN: error: has no tick to make a plan of
func.func @nothing() {
  return
}
