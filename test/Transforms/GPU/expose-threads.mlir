// RUN: lmpm-opt %s --lci-expose-threads | FileCheck %s
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
// CHECK-DAG: #[[Y:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// What has no parallel loop gets one of one iteration; what has one keeps it, and has it outermost.

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

// A sum of everything has reductions alone.
// CHECK-LABEL: func @sum
// CHECK:         scf.parallel
// CHECK-NEXT:      linalg.reduce
func.func @sum(%x: memref<4xf32>, %y: memref<f32>) {
  linalg.reduce ins(%x : memref<4xf32>) outs(%y : memref<f32>) dimensions = [0]
    (%a: f32, %s: f32) {
      %n = arith.addf %s, %a : f32
      linalg.yield %n : f32
    }
  return
}

// The order of two reductions stays what it is.
#x = affine_map<(j, i, k) -> (j, k, i)>
#y = affine_map<(j, i, k) -> (i)>
// CHECK-LABEL: func @exchanged
// CHECK:         linalg.generic {indexing_maps = [#[[X]], #[[Y]]], iterator_types = ["parallel", "reduction", "reduction"]}
func.func @exchanged(%x: memref<2x3x8xf32>, %y: memref<8xf32>) {
  linalg.generic {indexing_maps = [#x, #y], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : memref<2x3x8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.addf %s, %a : f32
    linalg.yield %n : f32
  }
  return
}

// An operation with a name is exchanged in its general form.
// CHECK-LABEL: func @named
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
func.func @named(%x: memref<4x8xf32>, %y: memref<8xf32>) {
  linalg.reduce ins(%x : memref<4x8xf32>) outs(%y : memref<8xf32>) dimensions = [0]
    (%a: f32, %s: f32) {
      %n = arith.addf %s, %a : f32
      linalg.yield %n : f32
    }
  return
}

// Loops that fill a buffer, an element in each iteration, are one parallel loop; an index may be the same in all.
// CHECK-LABEL: func @fill
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) {
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[J]], %c0, %[[I]]]
func.func @fill(%table: memref<8x1x4xi64>, %given: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %given[%i] : memref<4xi64>
      memref.store %x, %table[%j, %c0, %i] : memref<8x1x4xi64>
    }
  }
  return
}

// An iteration that reads another one's store depends on it, and so do iterations that store to one address.
// CHECK-LABEL: func @chain
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:         scf.for
func.func @chain(%table: memref<8xi64>, %other: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %table[%c0] : memref<8xi64>
    memref.store %x, %table[%i] : memref<8xi64>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %other[%i] : memref<8xi64>
    memref.store %x, %table[%c1] : memref<8xi64>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %other[%i] : memref<8xi64>
    memref.store %x, %table[%i] : memref<8xi64>
    memref.store %x, %table[%c1] : memref<8xi64>
  }
  return
}

// A store of the host is a kernel of one thread.
// CHECK-LABEL: func @store
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.store
func.func @store(%table: memref<1xi64>, %x: i64) {
  %c0 = arith.constant 0 : index
  memref.store %x, %table[%c0] : memref<1xi64>
  return
}
