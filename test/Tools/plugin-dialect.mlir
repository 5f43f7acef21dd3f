// RUN: mlir-opt --load-dialect-plugin=%lci_plugin %s | FileCheck %s
// The stock, unmodified mlir-opt reads and verifies the dialect that the plugin brings.
// UNSUPPORTED: sanitizer

// CHECK: lci.program @heat sizes ["N"]
lci.program @heat sizes ["N"] {
  // CHECK: lci.param @beta f32
  lci.param @beta f32 {
    %half = arith.constant 0.5 : f32
    lci.yield %half : f32
  }
}
