// RUN: lmpm-opt %s --lci-expand-draws --verify-diagnostics
// The count of cells that draws are keyed by needs the sizes.

func.func @dynamic(%s: tensor<?xi64>, %e: i64, %p: i64, %seed: i64) -> tensor<?xi64> {
  %n = lci.tick @A at %e, %p, %seed target(%s : tensor<?xi64>) box [0] [4] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %key: i64):
    %n = arith.constant 6 : i64
    // expected-error @below {{expected a tick on a static shape to count its cells, but the target is 'tensor<?xi64>'}}
    %k = lci.randint %n stream <1, 1>
    %yes = arith.constant true
    lci.install %k if %yes : i64
  } -> tensor<?xi64>
  return %n : tensor<?xi64>
}
