// RUN: lci-audit --lci-to-llvm-pipeline %s | FileCheck %s --check-prefix=LLVM
// RUN: lci-audit --lci-to-nvvm-pipeline %s | FileCheck %s --check-prefix=NVVM
// RUN: lci-audit --lci-to-ptx-pipeline %s | FileCheck %s --check-prefix=PTX
// Every pipeline runs in a compiler that registers lci and nothing else.

// LLVM: llvm.func @double(
// NVVM: llvm.func @double_kernel(
// PTX: gpu.binary @kernels
func.func @double(%a: tensor<64xi64>, %e: i64) -> tensor<64xi64> {
  %r = lci.tick @A at %e, %e, %e inputs(%a : tensor<64xi64>) target(%a : tensor<64xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: tensor<64xi64>):
    %yes = arith.constant true
    %v = lci.load %in[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<wrap>] : tensor<64xi64> -> i64
    %sum = arith.addi %v, %v : i64
    lci.install %sum if %yes : i64
  } -> tensor<64xi64>
  return %r : tensor<64xi64>
}
