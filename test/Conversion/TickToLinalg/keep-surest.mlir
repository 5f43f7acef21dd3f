// RUN: lmpm-opt %s --convert-lci-to-linalg --split-input-file | FileCheck %s
// RUN: lmpm-opt %s --lci-attach-gpu-target --convert-lci-to-linalg --split-input-file | FileCheck %s --check-prefix=KERNEL
// The score of the last cell that is kept is found by four counts of its bits, in time linear in the
// cells; then one sweep undoes the rest.

// In a kernel the first thread of a warp does all of it.
// KERNEL-LABEL: func.func @choose
// KERNEL:         scf.parallel (%[[THREAD:.*]]) = (%{{.*}}) to (%c32
// KERNEL-NEXT:      memref.alloca() : memref<256xi64>
// KERNEL:           %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]]
// KERNEL-NEXT:      scf.if %[[FIRST]] {
// KERNEL:           scf.while
// KERNEL:           memref.store
// KERNEL:         scf.reduce

// CHECK-LABEL: func.func @choose
// CHECK-SAME: %[[BEFORE:[^:]*]]: memref<4x6xi8>, %[[AFTER:[^:]*]]: memref<4x6xi8>, %[[SCORES:[^:]*]]: memref<4x6xf32>, %[[COUNTS:[^:]*]]: memref<2xi64>
// CHECK: %[[HISTOGRAM:.*]] = memref.alloca() : memref<256xi64>
// How many change, and how many of them are kept.
// CHECK: %[[CHANGED:.*]] = scf.for
// CHECK: arith.cmpi ne
// CHECK: %[[NUMBER:.*]] = arith.sitofp %[[CHANGED]]
// CHECK: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %[[NUMBER]]
// CHECK: math.ceil %[[PRODUCT]]
// CHECK: %[[KEPT:.*]] = arith.minsi
// CHECK: %[[FOUND:.*]]:2 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[KEPT]])
// CHECK:   memref.store %{{.*}}, %[[HISTOGRAM]]
// CHECK:   scf.while
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FOUND]]#1)
// CHECK:   arith.cmpi ugt, %{{.*}}, %[[FOUND]]#0
// CHECK:   memref.store %{{.*}}, %[[AFTER]]
// CHECK: %[[OLD:.*]] = memref.load %[[COUNTS]]
// CHECK: %[[SUM:.*]] = arith.addi %[[OLD]], %[[KEPT]]
// CHECK: memref.store %[[SUM]], %[[COUNTS]]
func.func @choose(%before: memref<4x6xi8>, %after: memref<4x6xi8>, %scores: memref<4x6xf32>,
                  %counts: memref<2xi64>) {
  lci.keep_surest 2.5e-01 of %before, %after by %scores counts(%counts : memref<2xi64>) to 1
      : memref<4x6xi8>, memref<4x6xi8>, memref<4x6xf32>
  return
}
