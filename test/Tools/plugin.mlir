// RUN: mlir-opt --load-dialect-plugin=%lci_plugin --load-pass-plugin=%lci_plugin %s | FileCheck %s
// The stock, unmodified mlir-opt loads the plugin.
// UNSUPPORTED: sanitizer

// CHECK: func.func @nothing()
func.func @nothing() {
  return
}
