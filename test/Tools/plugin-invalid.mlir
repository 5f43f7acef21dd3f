// RUN: not mlir-opt --load-dialect-plugin=%lci_plugin %s 2>&1 | FileCheck %s
// The plugin's verifiers run in the stock mlir-opt: a program names each size once.
// UNSUPPORTED: sanitizer

// CHECK: error: 'lci.program' op
lci.program @twice sizes ["N", "N"] {
}
