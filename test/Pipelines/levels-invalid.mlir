// RUN: lmpm-opt %s --lci-to-linalg-pipeline --split-input-file --verify-diagnostics
// RUN: lmpm-opt %s --lci-to-llvm-pipeline --split-input-file --verify-diagnostics
// RUN: lmpm-opt %s --lci-to-kernels-pipeline --split-input-file --verify-diagnostics
// RUN: lmpm-opt %s --lci-to-nvvm-pipeline --split-input-file --verify-diagnostics
// RUN: lmpm-opt %s --lci-to-ptx-pipeline --split-input-file --verify-diagnostics
// Each pipeline refuses what the one before it has not lowered, and leaves nothing as it is.

// expected-error @below {{expected ticks, but got program 'program'}}
// expected-note @below {{run lci-bind, lci-check-pipeline and lci-lower-rules first}}
lci.program @program sizes ["N"] {
}

// -----

// expected-error @below {{expected ticks, but got program 'bound'}}
// expected-note @below {{run lci-bind, lci-check-pipeline and lci-lower-rules first}}
lci.program @bound sizes ["N"] = [8] {
}
