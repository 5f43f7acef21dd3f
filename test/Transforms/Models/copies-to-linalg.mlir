// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-copies-to-linalg))' | FileCheck %s
// A copy becomes an operation that lowers to loops.

// CHECK-LABEL: func.func @copy_strided
// CHECK-NOT: memref.copy
// CHECK: linalg.copy ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32, strided<[2]>>)
func.func @copy_strided(%a: memref<4xf32>, %b: memref<4xf32, strided<[2]>>) {
  memref.copy %a, %b : memref<4xf32> to memref<4xf32, strided<[2]>>
  return
}
