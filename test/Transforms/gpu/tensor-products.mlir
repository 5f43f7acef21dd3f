// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(lci-tensor-products,canonicalize,cse))' | FileCheck %s
// RUN: not lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-tensor-products{threads=48}))' 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: error: expected blocks of whole warps, a multiple of 32 threads, but got 48

#w = affine_map<(i, k, c) -> (i, k)>
#x = affine_map<(i, k, c) -> (k, c)>
#y = affine_map<(i, k, c) -> (i, c)>
#cell = affine_map<(i, c) -> (i, c)>
#row = affine_map<(i, c) -> (i)>

// Two blocks of 16 rows and four of 8 cells are a warp's; 64 cells are two warps, and 128 rows four tiles, so that
// a block of four warps has the same cells. What the sums begin with and what is made of them stay in registers.
// CHECK-LABEL: func.func @layer
// CHECK-DAG:     %[[ZEROS:.*]] = arith.constant dense<0.000000e+00> : vector<2x2xf32>
// CHECK-NOT:     linalg
// CHECK:         scf.parallel (%[[ROWS:.*]], %[[THREAD:.*]]) = (%c0, %c0) to (%c4, %c64) step (%c1, %c1) {
// CHECK:           %[[SUMS:.*]]:8 = scf.for %{{.*}} = %c0 to %c48 step %c8 iter_args(%{{.*}} = %[[ZEROS]], {{.*}}) -> (vector<2x2xf32>
// CHECK:             memref.load %{{.*}} : memref<128x48xf32>
// CHECK-NEXT:        nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK-COUNT-8:     nvgpu.mma.sync(%{{.*}}, %{{.*}}, %{{.*}}) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK:           }
// CHECK:           %[[FLAT:.*]] = vector.shape_cast %[[SUMS]]#0 : vector<2x2xf32> to vector<4xf32>
// CHECK:           %[[A:.*]] = memref.load %{{.*}} : memref<128xf32>
// CHECK:           %[[B:.*]] = memref.load %{{.*}} : memref<128xf32>
// CHECK:           %[[BIAS:.*]] = vector.from_elements %[[A]], %[[A]], %[[B]], %[[B]] : vector<4xf32>
// CHECK:           arith.addf %[[FLAT]], %[[BIAS]] : vector<4xf32>
// CHECK-NOT:       scf.if
// CHECK-COUNT-16:  vector.store %{{.*}} : memref<128x64xf32>, vector<2xf32>
// CHECK-NOT:       vector.store
// CHECK:           scf.reduce
// CHECK:         } {lci.row_threads = 32 : i64}
func.func @layer(%w: memref<128x48xf32>, %x: memref<48x64xf32>, %bias: memref<128xf32>, %y: memref<128x64xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<128x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<128x64xf32>)
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<128x48xf32>, memref<48x64xf32>) outs(%sums : memref<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<128x64xf32>, memref<128xf32>) outs(%y : memref<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %next = arith.addf %a, %b : f32
    linalg.yield %next : f32
  }
  memref.dealloc %sums : memref<128x64xf32>
  return
}

// -----

// Rows, cells and steps that fill no blocks: the last row and cell are computed again and not stored, behind the
// last step are zeros. Reductions around the innermost one are loops as well; sums begin with what is there.
#w = affine_map<(i, r, k, c) -> (i, r, k)>
#x = affine_map<(i, r, k, c) -> (k, r, c)>
#y = affine_map<(i, r, k, c) -> (i, c)>

// CHECK-LABEL: func.func @ends
// CHECK:         scf.parallel (%[[ROWS:.*]], %[[THREAD:.*]]) = (%c0, %c0) to (%c2, %c64) step (%c1, %c1) {
// CHECK:           %[[CELL:.*]] = arith.minui %{{.*}}, %c37
// CHECK:           %[[ROW:.*]] = arith.minui %{{.*}}, %c19
// CHECK:           vector.load %{{.*}} : memref<20x38xf32>, vector<2xf32>
// CHECK:           scf.for %[[R:.*]] = %c0 to %c3 step %c1
// CHECK:             scf.for %[[K:.*]] = %c0 to %c16 step %c8
// CHECK-COUNT-4:       nvgpu.mma.sync
// CHECK:             %[[THERE:.*]] = arith.cmpi ult, %{{.*}}, %c21
// CHECK:             %[[AT:.*]] = arith.minui %{{.*}}, %c20
// CHECK:             %[[V:.*]] = memref.load %{{.*}}[%{{.*}}, %[[R]], %[[AT]]] : memref<20x3x21xf32>
// CHECK:             arith.select %[[THERE]], %{{.*}}, %cst
// CHECK-COUNT-4:     nvgpu.mma.sync
// CHECK:           arith.cmpi ult, %{{.*}}, %c20
// CHECK:           scf.if
// CHECK:             arith.cmpi ult, %{{.*}}, %c38
// CHECK:             scf.if
// CHECK:               vector.store %{{.*}} : memref<20x38xf32>, vector<2xf32>
// CHECK:         } {lci.row_threads = 64 : i64}
func.func @ends(%w: memref<20x3x21xf32>, %x: memref<21x3x38xf32>, %y: memref<20x38xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%w, %x : memref<20x3x21xf32>, memref<21x3x38xf32>) outs(%y : memref<20x38xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %b, %a, %sum : f32
    linalg.yield %next : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @none
// CHECK-NOT:     scf.parallel
func.func @none(%w: memref<16x8xf32>, %x: memref<8x64xf32>, %y: memref<16x64xf32> {llvm.noalias},
                %one: memref<64xf32> {llvm.noalias}, %other: memref<16x8x64xf32>, %odd: memref<8x63xf32>,
                %z: memref<16x63xf32> {llvm.noalias}, %many: memref<8x3x64xf32>) {
  // expected-remark @+1 {{is computed exactly, not by tensor cores: it does more than to add products of two inputs}}
  linalg.generic {indexing_maps = [affine_map<(i, k, c) -> (i, k)>, affine_map<(i, k, c) -> (k, c)>, affine_map<(i, k, c) -> (i, c)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<16x8xf32>, memref<8x64xf32>) outs(%y : memref<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %d = arith.subf %a, %b : f32
    %next = math.fma %d, %d, %sum : f32
    linalg.yield %next : f32
  }
  // expected-remark @+1 {{is computed exactly, not by tensor cores: it has one output for each cell}}
  linalg.generic {indexing_maps = [affine_map<(k, c) -> (k, c)>, affine_map<(k, c) -> (k, c)>, affine_map<(k, c) -> (c)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x, %x : memref<8x64xf32>, memref<8x64xf32>) outs(%one : memref<64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  // expected-remark @+1 {{is computed exactly, not by tensor cores: it multiplies no matrix by vectors of cells}}
  linalg.generic {indexing_maps = [affine_map<(i, k, c) -> (i, k, c)>, affine_map<(i, k, c) -> (k, c)>, affine_map<(i, k, c) -> (i, c)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%other, %x : memref<16x8x64xf32>, memref<8x64xf32>) outs(%y : memref<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  // expected-remark @+1 {{is computed exactly, not by tensor cores: it reduces last what only one input has}}
  linalg.generic {indexing_maps = [affine_map<(i, k, r, c) -> (i, k)>, affine_map<(i, k, r, c) -> (k, r, c)>, affine_map<(i, k, r, c) -> (i, c)>],
                  iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%w, %many : memref<16x8xf32>, memref<8x3x64xf32>) outs(%y : memref<16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  // expected-remark @+1 {{is computed exactly, not by tensor cores: it is of an odd number of cells}}
  linalg.generic {indexing_maps = [affine_map<(i, k, c) -> (i, k)>, affine_map<(i, k, c) -> (k, c)>, affine_map<(i, k, c) -> (i, c)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %odd : memref<16x8xf32>, memref<8x63xf32>) outs(%z : memref<16x63xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  return
}
