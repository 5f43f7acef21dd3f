// RUN: lmpm-opt %s --pass-pipeline='builtin.module(gpu.module(lci-pad-constants))' | FileCheck %s
// Integers that do not fill their bytes in memory are widened; others, and floats, stay.

gpu.module @kernels {
  // CHECK: @wide(dense<[2, 281474976710651, 281474976710655]> : tensor<3xi64>) {{.*}} : !llvm.array<3 x i64>
  llvm.mlir.global private constant @wide(dense<[2, -5, -1]> : tensor<3xi48>) {addr_space = 0 : i32} : !llvm.array<3 x i48>
  // CHECK: @rows(dense<{{\[\[}}1, 2], [131071, 65536{{\]\]}}> : tensor<2x2xi32>) {{.*}} : !llvm.array<2 x array<2 x i32>>
  llvm.mlir.global private constant @rows(dense<[[1, 2], [-1, -65536]]> : tensor<2x2xi17>) {addr_space = 0 : i32} : !llvm.array<2 x array<2 x i17>>
  // CHECK: @scalar(4294967295 : i64) {{.*}} : i64
  llvm.mlir.global private constant @scalar(4294967295 : i33) {addr_space = 0 : i32} : i33
  // CHECK: @bits(dense<[true, false]> : tensor<2xi1>) {{.*}} : !llvm.array<2 x i1>
  llvm.mlir.global private constant @bits(dense<[true, false]> : tensor<2xi1>) {addr_space = 0 : i32} : !llvm.array<2 x i1>
  // CHECK: @words(dense<7> : tensor<2xi64>) {{.*}} : !llvm.array<2 x i64>
  llvm.mlir.global private constant @words(dense<7> : tensor<2xi64>) {addr_space = 0 : i32} : !llvm.array<2 x i64>
  // CHECK: @numbers(dense<1.5{{.*}}> : tensor<2xf32>) {{.*}} : !llvm.array<2 x f32>
  llvm.mlir.global private constant @numbers(dense<1.5> : tensor<2xf32>) {addr_space = 0 : i32} : !llvm.array<2 x f32>
  // CHECK: @unset() {{.*}} : !llvm.array<2 x i48>
  llvm.mlir.global private @unset() {addr_space = 0 : i32} : !llvm.array<2 x i48>
}
