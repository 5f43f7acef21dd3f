// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-block-products),canonicalize,cse)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-block-products{cells=16 outputs=3}),canonicalize,cse)' | FileCheck %s --check-prefix=SMALL
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-block-products{cells=4 outputs=2 threads=true},canonicalize,cse))' | FileCheck %s --check-prefix=THREADS
// Sums over many cells are carried in vectors, of several outputs side by side; transposes go by blocks.

#w = affine_map<(i, k, c) -> (i, k)>
#x = affine_map<(i, k, c) -> (k, c)>
#y = affine_map<(i, k, c) -> (i, c)>

// CHECK-LABEL: func.func @product
// CHECK:      scf.for %[[I:.*]] = %c0 to %c12 step %c6 {
// CHECK:        %[[SUMS:.*]]:6 = scf.for %[[K:.*]] = %c0 to %c48 step %c1 iter_args
// CHECK:          vector.transfer_read %arg0[%[[I]], %[[K]]]{{.*}} : memref<12x48xf32>, vector<f32>
// CHECK:          %[[X:.*]] = vector.transfer_read %arg1[%[[K]], %c0]{{.*}} : memref<48x64xf32>, vector<64xf32>
// CHECK-COUNT-6:  math.fma {{.*}}, %[[X]], {{.*}} : vector<64xf32>
// CHECK:        }
// CHECK-COUNT-6: vector.transfer_write %[[SUMS]]#
// SMALL-LABEL: func.func @product
// SMALL:       scf.for %{{.*}} = %c0 to %c64 step %c16 {
// SMALL:         scf.for %{{.*}} = %c0 to %c12 step %c3 {
// SMALL-COUNT-3:   math.fma {{.*}} : vector<16xf32>
func.func @product(%w: memref<12x48xf32>, %x: memref<48x64xf32>, %y: memref<12x64xf32>) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<12x48xf32>, memref<48x64xf32>) outs(%y : memref<12x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  return
}

// CHECK-LABEL: func.func @transpose
// CHECK:      scf.for %{{.*}} = %c0 to %c48 step %c16
// CHECK-COUNT-16: vector.transfer_read
// CHECK:          vector.shuffle
// CHECK-NOT:    linalg.transpose
func.func @transpose(%x: memref<48x64xf32>, %y: memref<64x48xf32>) {
  linalg.transpose ins(%x : memref<48x64xf32>) outs(%y : memref<64x48xf32>) permutation = [1, 0]
  return
}

// What looks things up, and what has too few cells for a vector, is left to others.
// CHECK-LABEL: func.func @negative_look_up
// CHECK:       linalg.generic
func.func @negative_look_up(%t: memref<9xf32>, %x: memref<48x64xindex>, %y: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(k, c) -> (k, c)>, affine_map<(k, c) -> (c)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<48x64xindex>) outs(%y : memref<64xf32>) {
  ^bb0(%at: index, %sum: f32):
    %a = memref.load %t[%at] : memref<9xf32>
    %next = arith.addf %sum, %a : f32
    linalg.yield %next : f32
  }
  return
}

// CHECK-LABEL: func.func @negative_few
// CHECK:       linalg.generic
func.func @negative_few(%w: memref<12x48xf32>, %x: memref<48x3xf32>, %y: memref<12x3xf32>) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<12x48xf32>, memref<48x3xf32>) outs(%y : memref<12x3xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  return
}

// As threads of kernels: the blocks are parallel, four cells and two outputs each, of five outputs one.
// THREADS-LABEL: func.func @outputs
// THREADS:       scf.parallel (%[[I:.*]], %[[C:.*]]) = (%c0, %c0) to (%c12, %c64) step (%c2, %c4) {
// THREADS:         %[[SUMS:.*]]:2 = scf.for %[[K:.*]] = %c0 to %c48 step %c1 iter_args
// THREADS-COUNT-2:   math.fma {{.*}} : vector<4xf32>
// THREADS:         }
// THREADS-COUNT-2: vector.transfer_write %[[SUMS]]#
// THREADS:       scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0) to (%c5, %c64) step (%c1, %c4) {
// THREADS:       linalg.transpose
func.func @outputs(%w: memref<12x48xf32>, %x: memref<48x64xf32>, %y: memref<12x64xf32>,
                   %v: memref<5x48xf32>, %z: memref<5x64xf32>, %t: memref<64x48xf32>) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<12x48xf32>, memref<48x64xf32>) outs(%y : memref<12x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%v, %x : memref<5x48xf32>, memref<48x64xf32>) outs(%z : memref<5x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.transpose ins(%x : memref<48x64xf32>) outs(%t : memref<64x48xf32>) permutation = [1, 0]
  return
}
