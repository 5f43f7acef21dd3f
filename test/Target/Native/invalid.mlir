// RUN: not lmpm-translate --lci-to-ptx %s 2>&1 | FileCheck %s
// What holds no tick becomes no kernel.

// CHECK: error: has no tick to make a kernel of
func.func @nothing() {
  return
}
