// RUN: lmpm-opt %s --lci-set-min-blocks-per-sm | FileCheck %s
// RUN: lmpm-opt %s --lci-attach-gpu-target=multiprocessors=2 --lci-set-min-blocks-per-sm | FileCheck %s --check-prefix=FOUR
// A kernel of few blocks, however often it is launched, leaves no registers to others.

module attributes {gpu.container_module} {
  func.func @host(%n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c66 = arith.constant 66 : index
    %c67 = arith.constant 67 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@few blocks in (%c66, %c2, %c2) threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@few blocks in (%c2, %c1, %c2) threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@four blocks in (%c2, %c1, %c2) threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@sometimes blocks in (%c2, %c1, %c2) threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@sometimes blocks in (%c67, %c2, %c2) threads in (%c128, %c1, %c1)
    gpu.launch_func @kernels::@unknown blocks in (%c2, %n, %c2) threads in (%c128, %c1, %c1)
    return
  }
  // CHECK: gpu.func @few() kernel attributes {nvvm.minctasm = 1 : i32}
  // CHECK: gpu.func @four() kernel attributes {nvvm.minctasm = 1 : i32}
  // CHECK: gpu.func @sometimes() kernel {
  // CHECK: gpu.func @unknown() kernel {
  // CHECK: gpu.func @never() kernel {
  // FOUR:  gpu.func @few() kernel {
  // FOUR:  gpu.func @four() kernel attributes {nvvm.minctasm = 1 : i32}
  gpu.module @kernels {
    gpu.func @few() kernel { gpu.return }
    gpu.func @four() kernel { gpu.return }
    gpu.func @sometimes() kernel { gpu.return }
    gpu.func @unknown() kernel { gpu.return }
    gpu.func @never() kernel { gpu.return }
  }
}
