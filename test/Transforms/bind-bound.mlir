// RUN: not lmpm-opt %s --lci-bind="sizes=W=7" 2>&1 | FileCheck %s
// RUN: lmpm-opt %s --lci-bind="sizes=W=6,N=3" | FileCheck %s --check-prefix=BOTH
// What is bound has its sizes; one pass may bind several programs.

// CHECK: error: expected 6 for the size 'W' of a program that is bound already, but got 7 [pass-option]
// BOTH: lci.program @bound sizes ["W"] = [6]
// BOTH: lci.program @open sizes ["N"] = [3]
lci.program @bound sizes ["W"] = [6] {
}
lci.program @open sizes ["N"] {
}
