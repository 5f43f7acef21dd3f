// RUN: lmpm-opt --lci-attach-gpu-target --convert-lci-to-linalg %s | FileCheck %s
// For kernels a halo is one parallel loop over its elements: each finds where it lies, and which cell it shows.

// Two rows of 7 and one, four cells of a column before and after.
// CHECK-LABEL: func.func @torus
// CHECK-DAG:     %[[ALL:.*]] = arith.constant 29 : index
// CHECK:         scf.parallel (%[[N:.*]]) = (%{{.*}}) to (%[[ALL]])
// CHECK-COUNT-3:   arith.cmpi uge, %[[N]]
// CHECK:           arith.remui {{.*}} : index
// CHECK:           %[[X:.*]] = memref.load %arg0
// CHECK:           memref.store %[[X]], %arg0
// CHECK-NOT:     linalg.copy
func.func @torus(%s: memref<7x7xi8>) {
  lci.refresh_halo %s low [2, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<7x7xi8>
  return
}

// Beyond an open border is what is filled in.
// CHECK-LABEL: func.func @filled
// CHECK:         scf.parallel
// CHECK:           %[[TO:.*]] = arith.select
// CHECK:           %[[CELL:.*]] = arith.minui
// CHECK:           %[[X:.*]] = memref.load %arg0[%[[CELL]]]
// CHECK:           %[[IS:.*]] = arith.cmpi eq, %[[CELL]], %[[TO]]
// CHECK:           %[[V:.*]] = arith.select %[[IS]], %[[X]], %arg1
// CHECK:           memref.store %[[V]], %arg0[%[[TO]]]
func.func @filled(%s: memref<10xi8>, %zero: i8) {
  lci.refresh_halo %s low [2] high [1] [#lci.boundary<open>] fill %zero : memref<10xi8>, i8
  return
}

// Without it these elements stay what they are: nothing is left to do, or the other axis alone.
// CHECK-LABEL: func.func @open
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @open(%s: memref<10xi8>) {
  lci.refresh_halo %s low [2] high [1] [#lci.boundary<open>] : memref<10xi8>
  return
}
// CHECK-LABEL: func.func @half_open
// CHECK-DAG:     %[[ALL:.*]] = arith.constant 14 : index
// CHECK:         scf.parallel {{.*}} to (%[[ALL]])
func.func @half_open(%s: memref<10x6xi8>) {
  lci.refresh_halo %s low [2, 1] high [1, 1] [#lci.boundary<open>, #lci.boundary<clamp>] : memref<10x6xi8>
  return
}

// One element is copied as a strip is.
// CHECK-LABEL: func.func @one
// CHECK:         linalg.copy
func.func @one(%s: memref<10xi8>) {
  lci.refresh_halo %s low [0] high [1] [#lci.boundary<wrap>] : memref<10xi8>
  return
}
