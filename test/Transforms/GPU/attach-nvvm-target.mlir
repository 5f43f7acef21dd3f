// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(gpu.module(lci-attach-nvvm-target))' | FileCheck %s
// Kernels are compiled for the GPU of the module around them.

module attributes {gpu.container_module, lci.target = #lci.gpu<chip = "sm_120">} {
  // CHECK: gpu.module @newer [#nvvm.target<O = 3, chip = "sm_120", features = "+ptx87">]
  gpu.module @newer {
  }
}

// -----

module attributes {gpu.container_module, lci.target = #lci.gpu<features = "+ptx82">} {
  // CHECK: gpu.module @said [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx82">]
  gpu.module @said [#nvvm.target<chip = "sm_50">] {
  }
}
