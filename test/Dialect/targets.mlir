// RUN: lmpm-opt %s --split-input-file | lmpm-opt --split-input-file | FileCheck %s
// Targets print what differs from the default.

// CHECK: module attributes {lci.target = #lci.cpu}
module attributes {lci.target = #lci.cpu<vector_bits = 512>} {
}

// -----

// CHECK: module attributes {lci.target = #lci.gpu<chip = "sm_90", tf32 = true>}
module attributes {lci.target = #lci.gpu<tf32 = true, chip = "sm_90">} {
}
