// RUN: lmpm-translate --mlir-to-llvmir %s | FileCheck %s
// The lowest level leaves MLIR as LLVM IR, in the same tool that reads the language's text.

// CHECK: define i64 @half(i64 %{{.*}})
llvm.func @half(%x: i64) -> i64 {
  %one = llvm.mlir.constant(1 : i64) : i64
  // CHECK: lshr i64 %{{.*}}, 1
  %y = llvm.lshr %x, %one : i64
  llvm.return %y : i64
}
