// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-batch-models{tile=4},canonicalize)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,lci-batch-models{tile=32},canonicalize)' | FileCheck %s --check-prefix=THREADS
// Iterations of all cells are batched; loops that each cell ends separately are around them, or a thread's.

func.func @run(%a: memref<10xi64>, %e: i64, %p: i64) {
  lci.tick @A at %e, %p, %e inputs(%a : memref<10xi64>) target(%a : memref<10xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %given = tensor.from_elements %v, %v : tensor<2xi64>
    %token = func.call @Model(%given) : (tensor<2xi64>) -> i64
    %yes = arith.constant true
    lci.install %token if %yes : i64
  }
  return
}

func.func private @Model(%x: tensor<2xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i64
  // The second number is of the cell from the third iteration on, the last one never.
  %sums:4 = scf.for %i = %c0 to %c5 step %c1 iter_args(%t = %x, %b = %one, %c = %one, %d = %one)
      -> (tensor<2xi64>, i64, i64, i64) {
    %s = arith.addi %t, %t : tensor<2xi64>
    %u = tensor.insert %d into %s[%c0] : tensor<2xi64>
    %f = tensor.extract %u[%c1] : tensor<2xi64>
    %g = arith.muli %d, %d : i64
    %h = arith.addi %g, %one : i64
    scf.yield %u, %c, %f, %h : tensor<2xi64>, i64, i64, i64
  }
  %n = scf.while (%k = %sums#1) : (i64) -> i64 {
    %more = arith.cmpi sgt, %k, %sums#3 : i64
    scf.condition(%more) %k : i64
  } do {
  ^bb0(%k: i64):
    %l = arith.subi %k, %one : i64
    scf.yield %l : i64
  }
  return %n : i64
}

// CHECK-LABEL: func.func @run
// CHECK:         scf.for %{{.*}} iter_args(%[[T:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:.*]] = %{{.*}}, %[[D:.*]] = %{{.*}}) -> (tensor<2x4xi64>, tensor<4xi64>, tensor<4xi64>, i64)
// CHECK:           linalg.generic {{.*}} ins(%[[T]], %[[T]] :
// CHECK:           tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [1, 4] [1, 1] : tensor<4xi64> into tensor<2x4xi64>
// CHECK:           arith.muli %[[D]], %[[D]] : i64
// CHECK:           scf.yield %{{.*}}, %[[C]], %{{.*}}, %{{.*}} : tensor<2x4xi64>, tensor<4xi64>, tensor<4xi64>, i64
// CHECK:         %[[ALL:.*]] = scf.for %[[CELL:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}) -> (tensor<4xi64>)
// CHECK:           %[[THERE:.*]] = arith.cmpi ult, %[[CELL]], %{{.*}} : index
// CHECK:           %[[OWN:.*]] = scf.if %[[THERE]] -> (i64)
// CHECK:             %[[FIRST:.*]] = tensor.extract %{{.*}}[%[[CELL]]] : tensor<4xi64>
// CHECK:             scf.while (%{{.*}} = %[[FIRST]])
// CHECK:           tensor.insert %[[OWN]] into %[[SO_FAR]][%[[CELL]]] : tensor<4xi64>

// THREADS-LABEL: func.func @run
// THREADS:         scf.forall (%[[CELL:.*]]) in (16) shared_outs(%[[B:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (tensor<16xi64>, tensor<16xi64>)
// THREADS:           scf.if %{{.*}} -> (i64, i64)
// THREADS:             tensor.extract_slice %{{.*}}[0, %[[CELL]]] [2, 1] [1, 1] : tensor<2x16xi64> to tensor<2xi64>
// THREADS:             scf.for
// THREADS:           scf.forall.in_parallel
// THREADS:             tensor.parallel_insert_slice %{{.*}} into %[[B]][%[[CELL]]] [1] [1] : tensor<1xi64> into tensor<16xi64>
// THREADS:         scf.forall
// THREADS:           scf.while
