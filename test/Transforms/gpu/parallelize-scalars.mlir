// RUN: lmpm-opt %s --lci-parallelize-scalars | FileCheck %s
// What has no loop gets one of one iteration; what has loops keeps them.

// CHECK-LABEL: func @both
// CHECK:         scf.parallel (%{{.*}}) = (%c0) to (%c1) step (%c1) {
// CHECK-NEXT:      linalg.fill ins(%{{.*}}) outs(%{{.*}} : memref<f32>)
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%{{.*}} : memref<4xf32>)
func.func @both(%x: f32, %one: memref<f32>, %four: memref<4xf32>) {
  linalg.fill ins(%x : f32) outs(%one : memref<f32>)
  linalg.fill ins(%x : f32) outs(%four : memref<4xf32>)
  return
}
