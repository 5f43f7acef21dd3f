// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-assign-layouts))' --remarks-filter='lci-assign-.*' 2>&1 | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-assign-layouts))' 2>&1 | FileCheck %s --check-prefix=SILENT
// A pass reports which way it took, if remarks are requested; else it reports nothing.

// CHECK: [Passed] OnePlane | Category:lci-assign-layouts | {{.*}}a plane
// SILENT-NOT: OnePlane
func.func @p(%a: memref<8xi8> {lci.name = "A", lci.role = "state", lci.vocabulary = 2 : i64,
                               lci.extents = array<i64: 8>, lci.halo_low = array<i64: 0>,
                               lci.halo_high = array<i64: 0>},
             %first: i64, %last: i64) {
  %one = arith.constant 1 : i64
  scf.for %e = %first to %last step %one : i64 {
    lci.tick @A at %e, %one, %one target(%a : memref<8xi8>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
      %token = arith.constant 1 : i8
      %yes = arith.constant true
      lci.install %token if %yes : i8
    }
  }
  return
}
