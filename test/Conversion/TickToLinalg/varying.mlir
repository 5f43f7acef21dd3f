// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-outline-ticks,lci-merge-functions,func.func(convert-lci-to-linalg))' | FileCheck %s
// RUN: lmpm-translate --import-lmpm %S/../../../examples/ising/ising.lmpm -o %t.mlir
// RUN: lmpm-opt %t.mlir --lci-bind='sizes=W=128,H=64' --lci-lower-rules --lci-to-linalg-pipeline | FileCheck %s --check-prefix=ISING
// What differs only in numbers that functions are not to know is one function: the even rows of a phase and the odd ones of the next.

// CHECK-LABEL: func private @p.A(
// CHECK-SAME:    %{{.*}}: memref<8x16xi64> {llvm.noalias}, %[[ROW:[a-z0-9]+]]: index, %[[PHASE:[a-z0-9]+]]: i64)
// CHECK:         memref.subview %{{.*}}[%[[ROW]], 0] [4, 16] [2, 1]
// CHECK:         linalg.yield %[[PHASE]] : i64
// CHECK-NOT:   func private
// CHECK-LABEL: func @p(
// CHECK-DAG:     %[[EVEN:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[RED:.*]] = arith.constant 0 : i64
// CHECK:         call @p.A(%{{.*}}, %[[EVEN]], %[[RED]])
// CHECK-DAG:     %[[ODD:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[BLACK:.*]] = arith.constant 1 : i64
// CHECK:         call @p.A(%{{.*}}, %[[ODD]], %[[BLACK]])
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @p(%a: memref<8x16xi64> {llvm.noalias}) {
  %even = lci.varying 0 : index
  %red = lci.varying 0 : i64
  %rows = memref.subview %a[%even, 0] [4, 16] [2, 1] : memref<8x16xi64> to memref<4x16xi64, strided<[32, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"], lci.name = "A"}
      outs(%rows : memref<4x16xi64, strided<[32, 1], offset: ?>>) {
  ^bb0(%old: i64):
    linalg.yield %red : i64
  }
  %odd = lci.varying 1 : index
  %black = lci.varying 1 : i64
  %others = memref.subview %a[%odd, 0] [4, 16] [2, 1] : memref<8x16xi64> to memref<4x16xi64, strided<[32, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"], lci.name = "A"}
      outs(%others : memref<4x16xi64, strided<[32, 1], offset: ?>>) {
  ^bb0(%old: i64):
    linalg.yield %black : i64
  }
  return
}

// Four boxes (two colours, even and odd rows) are two functions; what eight bits of a draw left open is one for all.
// ISING:     func private @program.Spin.rest(
// ISING-NOT: func private @program.Spin.rest
// ISING:     func private @program.Spin(
// ISING:     func private @program.Spin_{{[0-9]+}}(
// ISING-NOT: func private @program.Spin
