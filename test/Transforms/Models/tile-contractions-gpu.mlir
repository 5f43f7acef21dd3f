// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-gpu-target,func.func(lci-tile-contractions{cells=4 outputs=2},canonicalize,cse))' | FileCheck %s
// A thread has all of a layer for its block: what the sums begin with, a second sum on top of the first, and what
// is made of them stay in registers.

#w = affine_map<(i, k, c) -> (i, k)>
#x = affine_map<(i, k, c) -> (k, c)>
#y = affine_map<(i, k, c) -> (i, c)>
#cell = affine_map<(i, c) -> (i, c)>
#row = affine_map<(i, c) -> (i)>

// Warps share cells: sixteen outputs are eight blocks, of which four are a block of threads.
// CHECK-LABEL: func.func @layer
// CHECK-DAG:     %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-NOT:     linalg
// CHECK:         scf.parallel (%[[I:.*]], %[[C:.*]]) = (%c0, %c0) to (%c16, %c64) step (%c2, %c4) {
// CHECK:           %[[ONE:.*]]:2 = scf.for %{{.*}} = %c0 to %c6 step %c1 iter_args(%{{.*}} = %[[ZEROS]], %{{.*}} = %[[ZEROS]])
// CHECK-COUNT-2:     math.fma {{.*}} : vector<4xf32>
// CHECK:           }
// CHECK:           %[[TWO:.*]]:2 = scf.for %{{.*}} = %c0 to %c5 step %c1 iter_args(%{{.*}} = %[[ONE]]#0, %{{.*}} = %[[ONE]]#1)
// CHECK-COUNT-2:     math.fma {{.*}} : vector<4xf32>
// CHECK:           }
// CHECK-NOT:       scf.for
// CHECK:           arith.addf %[[TWO]]#0
// CHECK:           arith.maximumf
// CHECK:           vector.transfer_write
// CHECK:           arith.addf %[[TWO]]#1
// CHECK:           arith.maximumf
// CHECK:           vector.transfer_write
// CHECK:           scf.reduce
// CHECK:         } {lci.row_threads = 32 : i64}
// CHECK-NOT:     scf.parallel
// CHECK:         return
func.func @layer(%w: memref<16x6xf32>, %x: memref<6x64xf32>, %v: memref<16x5xf32>, %u: memref<5x64xf32>,
                 %bias: memref<16xf32>, %sums: memref<16x64xf32> {llvm.noalias},
                 %y: memref<16x64xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<16x64xf32>)
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<16x6xf32>, memref<6x64xf32>) outs(%sums : memref<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%v, %u : memref<16x5xf32>, memref<5x64xf32>) outs(%sums : memref<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<16x64xf32>, memref<16xf32>) outs(%y : memref<16x64xf32>) {
  ^bb0(%sum: f32, %b: f32, %old: f32):
    %more = arith.addf %sum, %b : f32
    %positive = arith.maximumf %more, %zero : f32
    linalg.yield %positive : f32
  }
  return
}

// The second sum reads what other threads write: it is another kernel. Six outputs are three blocks, which no two
// warps share. What stands alone is threads anyway.
// CHECK-LABEL: func.func @negative_next
// CHECK:         linalg.generic
// CHECK:           math.absf
// CHECK:         scf.parallel
// CHECK:           math.fma
// CHECK:           scf.reduce
// CHECK-NEXT:    }
// CHECK-NOT:     lci.row_threads
// CHECK:         scf.parallel
// CHECK:           math.fma
func.func @negative_next(%w: memref<6x6xf32>, %x: memref<6x64xf32> {llvm.noalias},
                         %y: memref<6x64xf32> {llvm.noalias}, %z: memref<6x64xf32> {llvm.noalias},
                         %all: memref<5x64xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#cell], iterator_types = ["parallel", "parallel"]}
      outs(%all : memref<5x64xf32>) {
  ^bb0(%old: f32):
    %size = math.absf %old : f32
    linalg.yield %size : f32
  }
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<6x6xf32>, memref<6x64xf32>) outs(%y : memref<6x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %y : memref<6x6xf32>, memref<6x64xf32>) outs(%z : memref<6x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  return
}
