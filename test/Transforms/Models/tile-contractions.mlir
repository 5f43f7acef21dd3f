// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-tile-contractions),canonicalize,cse)' | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-tile-contractions{cells=16 outputs=3}),canonicalize,cse)' | FileCheck %s --check-prefix=SMALL
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,func.func(lci-tile-contractions{cells=4 outputs=2},canonicalize,cse))' | FileCheck %s --check-prefix=THREADS
// Sums over many cells are carried in vectors, of several outputs side by side; transposes go by blocks.

#w = affine_map<(i, k, c) -> (i, k)>
#x = affine_map<(i, k, c) -> (k, c)>
#y = affine_map<(i, k, c) -> (i, c)>
#cell = affine_map<(i, c) -> (i, c)>
#row = affine_map<(i, c) -> (i)>

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

// What a sum begins with and what is made of it share its loops, and nothing is read again.
// CHECK-LABEL: func.func @layer
// CHECK-SAME: %[[SUMS:[^:]*]]: memref<12x64xf32> {llvm.noalias}, %[[Y:[^:]*]]: memref<12x64xf32> {llvm.noalias})
// CHECK-DAG:  %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<64xf32>
// CHECK:      scf.for %[[I:.*]] = %c0 to %c12 step %c6 {
// CHECK:        %[[SUM:.*]]:6 = scf.for %{{.*}} = %c0 to %c48 step %c1 iter_args(%{{.*}} = %[[ZEROS]]
// CHECK-NOT:    vector.transfer_read %[[SUMS]]
// CHECK:        vector.transfer_write %[[SUM]]#0, %[[SUMS]][%[[I]], %c0]
// CHECK:        %[[MORE:.*]] = arith.addf %[[SUM]]#0
// CHECK:        %[[POSITIVE:.*]] = arith.maximumf %[[MORE]], %[[ZEROS]]
// CHECK:        vector.transfer_write %[[POSITIVE]], %[[Y]][%[[I]], %c0]
// CHECK-NOT:  scf.for
// CHECK:      return
func.func @layer(%w: memref<12x48xf32>, %x: memref<48x64xf32>, %bias: memref<12xf32>,
                 %sums: memref<12x64xf32> {llvm.noalias}, %y: memref<12x64xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<12x64xf32>)
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<12x48xf32>, memref<48x64xf32>) outs(%sums : memref<12x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<12x64xf32>, memref<12xf32>) outs(%y : memref<12x64xf32>) {
  ^bb0(%sum: f32, %b: f32, %old: f32):
    %more = arith.addf %sum, %b : f32
    %positive = arith.maximumf %more, %zero : f32
    linalg.yield %positive : f32
  }
  return
}

// The second one writes elements that other iterations of the sum read.
// CHECK-LABEL: func.func @negative_in_place
// CHECK:         math.fma
// CHECK:       scf.for
// CHECK-NOT:     math.fma
// CHECK:         math.absf
func.func @negative_in_place(%w: memref<12x12xf32>, %x: memref<12x64xf32> {llvm.noalias},
                             %y: memref<12x64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<12x12xf32>, memref<12x64xf32>) outs(%y : memref<12x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#cell, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<12x64xf32>) outs(%x : memref<12x64xf32>) {
  ^bb0(%sum: f32, %old: f32):
    %size = math.absf %sum : f32
    linalg.yield %size : f32
  }
  return
}

// Nor may they where one buffer could overlap another one, or where the trip counts differ.
// CHECK-LABEL: func.func @negative_unknown
// CHECK:         math.fma
// CHECK:       scf.for
// CHECK:         math.absf
// CHECK:       scf.for
// CHECK:         math.sqrt
func.func @negative_unknown(%w: memref<12x48xf32>, %x: memref<48x64xf32>, %y: memref<12x64xf32>,
                            %z: memref<12x64xf32>, %u: memref<24x64xf32>) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<12x48xf32>, memref<48x64xf32>) outs(%y : memref<12x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#cell, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%y : memref<12x64xf32>) outs(%z : memref<12x64xf32>) {
  ^bb0(%sum: f32, %old: f32):
    %size = math.absf %sum : f32
    linalg.yield %size : f32
  }
  linalg.generic {indexing_maps = [#cell], iterator_types = ["parallel", "parallel"]}
      outs(%u : memref<24x64xf32>) {
  ^bb0(%old: f32):
    %root = math.sqrt %old : f32
    linalg.yield %root : f32
  }
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
