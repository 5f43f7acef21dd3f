// RUN: not lmpm-opt %s --lci-bind="sizes=W=7,N=3" 2>&1 | FileCheck %s
// RUN: lmpm-opt %s --lci-bind="sizes=W=6,N=3" | FileCheck %s --check-prefix=BOTH
// RUN: not lmpm-opt %s --lci-bind="sizes=N=3,Foo=3" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lmpm-opt %s --lci-bind="sizes=N=3 absent=B" 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not lmpm-opt %s --lci-bind="sizes=N=3 models=B=f" 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not lmpm-opt %s --lci-bind="sizes=N=3 rectangles=B" 2>&1 | FileCheck %s --check-prefix=REGION
// What is bound has its sizes; one pass may bind several programs.

// CHECK: error: expected 6 for the size 'W' of a program that is bound already, but got 7 [pass-option]
// UNKNOWN: error: no program has a size 'Foo' [pass-option]
// VALUE: error: no program has a value 'B' [pass-option]
// MODEL: error: no program has a model 'B' [pass-option]
// REGION: error: no program has a region 'B' [pass-option]
// BOTH: lci.program @bound sizes ["W"] = [6]
// BOTH: lci.program @open sizes ["N"] = [3]
lci.program @bound sizes ["W"] = [6] {
}
lci.program @open sizes ["N"] {
}
