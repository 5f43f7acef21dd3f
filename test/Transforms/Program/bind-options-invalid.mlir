// RUN: not lmpm-opt %s --lci-bind="sizes=N" 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not lmpm-opt %s --lci-bind="sizes=N=many" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not lmpm-opt %s --lci-bind="sizes=N=8 models=M=" 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not lmpm-opt %s --lci-bind="sizes=N=8 absent=A" 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not lmpm-opt %s --lci-bind="sizes=N=8" 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: not lmpm-opt %s --lci-bind="sizes=N=8,N=9" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not lmpm-opt %s --lci-bind="sizes=N=8 models=M=f,M=g" 2>&1 | FileCheck %s --check-prefix=MODELS
// RUN: not lmpm-opt %s --lci-bind="sizes=N=8 legalize=never" 2>&1 | FileCheck %s --check-prefix=LEGALIZE
// RUN: not lmpm-opt %s --lci-lower-rules="given=k" 2>&1 | FileCheck %s --check-prefix=GIVEN
// Options that say nothing are refused, and so are bindings that contradict the program.

// SIZE: error: expected a size as NAME=VALUE, but got 'N'
// NUMBER: error: expected a size as NAME=VALUE, but got 'N=many'
// TWICE: error: expected each size once, but got 'N=9'
// MODELS: error: expected each model once, but got 'M=g'
// LEGALIZE: error: expected 'legalize' to be snapshot, recolor or strict, but got 'never'
// GIVEN: error: expected 'given' to name parameters, but got 'k'
// MODEL: error: expected a model as NAME=FUNCTION, but got 'M='
// ABSENT: error: rule 'R' proposes for 'A', which was said to be absent
// PLAN: error: expected rule 'Schedule' to propose SampleTiles(…) to the set 'Plan'
lci.program @p sizes ["N"] {
  lci.value @A token vocabulary affine_map<()[N] -> (3)> shape affine_map<()[N] -> (N)>
    boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%i: index):
    %zero = arith.constant 0 : i64
    lci.emit %zero : i64
  }
  lci.commit @A using accept {
  }
  lci.value @Plan event {
  }
  lci.rule @Schedule on @Plan {
    %e = lci.epoch
    %yes = arith.constant true
    %tiles = lci.sample_tiles red_black epoch %e
    %either = arith.select %yes, %tiles, %tiles : !lci.event
    lci.emit %either : !lci.event
  }
}
