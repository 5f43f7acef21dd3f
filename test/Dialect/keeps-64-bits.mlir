// RUN: lmpm-opt %s --arith-int-range-narrowing=int-bitwidths-supported=8,16,32 | FileCheck %s
// Upstream's narrowing leaves operations alone that have 64 bits.

// CHECK-LABEL: func.func @narrow(
func.func @narrow(%a: i64) -> (i64, i64) {
  %m = arith.constant 15 : i64
  %c3 = arith.constant 3 : i64
  %x = arith.andi %a, %m : i64
  // CHECK: lci.floordiv %{{.*}}, %{{.*}} : i64
  %q = lci.floordiv %x, %c3 : i64
  // CHECK: lci.floormod %{{.*}}, %{{.*}} : i64
  %r = lci.floormod %x, %c3 : i64
  return %q, %r : i64, i64
}
