// RUN: mlir-opt --load-dialect-plugin=%lci_plugin --load-pass-plugin=%lci_plugin \
// RUN:   --pass-pipeline='builtin.module(convert-lci-to-linalg)' %s | FileCheck %s
// The stock, unmodified mlir-opt runs the passes that the plugin brings, on the dialect it brings.
// UNSUPPORTED: sanitizer

// CHECK-LABEL: func.func @shift
// CHECK-NOT: lci.tick
// CHECK: linalg.generic
func.func @shift(%a: memref<10xi8>, %b: memref<8xi8>, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%a : memref<10xi8>) target(%b : memref<8xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi8>):
    %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<10xi8> -> i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  }
  return
}
