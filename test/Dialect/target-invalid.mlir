// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// What a module is compiled for.

// expected-error@+1 {{expected 'vector_bits' from 32 to 4096, but got 8192}}
module attributes {lci.target = #lci.cpu<vector_bits = 8192>} {
}

// -----

// expected-error@+1 {{expected a chip that the compiler knows}}
module attributes {lci.target = #lci.gpu<chip = "sm_1">} {
}

// -----

// expected-error@+1 {{expected 'lci.target' to be #lci.cpu or #lci.gpu, but got "cpu"}}
module attributes {lci.target = "cpu"} {
}

// -----

// expected-error@+1 {{expected 'lci.target' on a module}}
func.func @f() attributes {lci.target = #lci.cpu} {
  return
}
