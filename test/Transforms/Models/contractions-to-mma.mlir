// RUN: lmpm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(lci-attach-gpu-target{tf32=true},func.func(lci-contractions-to-mma,cse))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-contractions-to-mma))' | FileCheck %s --check-prefix=EXACT
// RUN: not lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-gpu-target{tf32=true block-threads=48},func.func(lci-contractions-to-mma))' 2>&1 | FileCheck %s --check-prefix=THREADS
// EXACT-NOT: nvgpu.mma.sync
// THREADS: error: expected blocks of whole warps, a multiple of 32 threads, but got 48

#w = affine_map<(i, k, c) -> (i, k)>
#x = affine_map<(i, k, c) -> (k, c)>
#y = affine_map<(i, k, c) -> (i, c)>
#cell = affine_map<(i, c) -> (i, c)>
#row = affine_map<(i, c) -> (i)>

// 120 outputs are all a warp's, which has 16 cells then; four warps are the 64 cells. A thread has two cells and 30
// outputs. Weights are rounded and laid out before. What the sums begin with and what is made of them stay in registers.
// CHECK-LABEL: func.func @layer
// CHECK:         %[[PACKED:.*]] = memref.alloc() : memref<15x6x64xf32>
// CHECK-NOT:     linalg
// CHECK:         scf.parallel (%[[OUTPUTS:.*]], %[[STEPS:.*]], %[[NUMBER:.*]]) = (%c0, %c0, %c0) to (%c15, %c6, %c64)
// CHECK:           %[[W:.*]] = memref.load %{{.*}} : memref<120x48xf32>
// CHECK:           %[[NARROW:.*]] = arith.truncf %[[W]] to_nearest_away : f32 to tf32
// CHECK:           %[[ROUNDED:.*]] = arith.extf %[[NARROW]] : tf32 to f32
// CHECK:           %[[ENDED:.*]] = arith.select %{{.*}}, %[[ROUNDED]], %{{.*}} : f32
// CHECK:           memref.store %[[ENDED]], %[[PACKED]][%[[OUTPUTS]], %[[STEPS]], %[[NUMBER]]]
// CHECK:         scf.parallel (%[[TILE:.*]], %[[THREAD:.*]]) = (%c0, %c0) to (%c1, %c128) step (%c1, %c1) {
// CHECK:           %[[SUMS:.*]]:15 = scf.for %[[K:.*]] = %c0 to %c6 step %c1 iter_args({{.*}}) -> (vector<2x2xf32>
// CHECK-COUNT-2:     vector.load %{{.*}} : memref<48x64xf32>, vector<2xf32>
// CHECK-COUNT-4:     arith.truncf %{{.*}} to_nearest_away : f32 to tf32
// CHECK:             vector.load %[[PACKED]][%{{.*}}, %[[K]], %{{.*}}] : memref<15x6x64xf32>, vector<2xf32>
// CHECK-COUNT-15:    nvgpu.mma.sync(%{{.*}}, %{{.*}}, %{{.*}}) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK-NOT:         nvgpu.mma.sync
// CHECK:           }
// CHECK:           %[[A:.*]] = vector.extract %[[SUMS]]#0[0, 0] : f32 from vector<2x2xf32>
// CHECK:           %[[B:.*]] = vector.extract %[[SUMS]]#0[1, 0] : f32 from vector<2x2xf32>
// CHECK:           %[[FIRST:.*]] = vector.from_elements %[[A]], %[[B]] : vector<2xf32>
// CHECK:           %[[BIAS:.*]] = memref.load %{{.*}} : memref<120xf32>
// CHECK:           %[[SAME:.*]] = vector.broadcast %[[BIAS]] : f32 to vector<2xf32>
// CHECK:           arith.addf %[[FIRST]], %[[SAME]] : vector<2xf32>
// CHECK-NOT:       scf.if
// CHECK-COUNT-30:  vector.transfer_write %{{.*}} : vector<2xf32>, memref<120x64xf32>
// CHECK-NOT:       vector.transfer_write
// CHECK:           scf.reduce
// CHECK:         } {lci.row_threads = 128 : i64}
func.func @layer(%w: memref<120x48xf32>, %x: memref<48x64xf32>, %bias: memref<120xf32>, %y: memref<120x64xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<120x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<120x64xf32>)
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<120x48xf32>, memref<48x64xf32>) outs(%sums : memref<120x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<120x64xf32>, memref<120xf32>) outs(%y : memref<120x64xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %next = arith.addf %a, %b : f32
    linalg.yield %next : f32
  }
  memref.dealloc %sums : memref<120x64xf32>
  return
}

// -----

// The next layer's vectors are the outputs of the one before: rounded, they are what a thread gives of them, and
// beyond the twelfth there are zeros. Nothing is written between the two.
#w = affine_map<(i, k, c) -> (i, k)>
#x = affine_map<(i, k, c) -> (k, c)>
#y = affine_map<(i, k, c) -> (i, c)>
#cell = affine_map<(i, c) -> (i, c)>

// CHECK-LABEL: func.func @network
// CHECK-DAG:     memref.alloc() : memref<2x1x64xf32>
// CHECK-DAG:     memref.alloc() : memref<1x2x64xf32>
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-2: scf.parallel ({{.*}} to (%{{.*}}, %{{.*}}, %c64)
// CHECK:         scf.parallel (%[[TILE:.*]], %[[THREAD:.*]]) = (%c0, %c0) to (%c1, %c128)
// CHECK-COUNT-4:   nvgpu.mma.sync
// CHECK:           %[[HIDDEN:.*]] = arith.maximumf
// CHECK-NOT:       vector.transfer_write
// CHECK:           %[[THERE:.*]] = arith.cmpi ult, %{{.*}}, %c12
// CHECK:           %[[STEP:.*]] = arith.select %[[THERE]], %[[HIDDEN]], %{{.*}} : vector<4xf32>
// CHECK:           %[[N:.*]] = vector.extract %[[STEP]][0] : f32 from vector<4xf32>
// CHECK:           arith.truncf %[[N]] to_nearest_away
// CHECK-COUNT-4:   nvgpu.mma.sync
// CHECK-COUNT-2:   vector.transfer_write %{{.*}} : vector<4xf32>, memref<8x128xf32>
// CHECK:         return
func.func @network(%w: memref<12x8xf32>, %v: memref<8x12xf32>, %x: memref<8x128xf32>, %y: memref<8x128xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<12x128xf32>
  %hidden = memref.alloc() : memref<12x128xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<12x128xf32>)
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<12x8xf32>, memref<8x128xf32>) outs(%sums : memref<12x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#cell, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<12x128xf32>) outs(%hidden : memref<12x128xf32>) {
  ^bb0(%a: f32, %old: f32):
    %next = arith.maximumf %a, %zero : f32
    linalg.yield %next : f32
  }
  linalg.fill ins(%zero : f32) outs(%y : memref<8x128xf32>)
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%v, %hidden : memref<8x12xf32>, memref<12x128xf32>) outs(%y : memref<8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  memref.dealloc %hidden : memref<12x128xf32>
  memref.dealloc %sums : memref<12x128xf32>
  return
}

// -----

// The second layer writes what the first one reads: a kernel each.
#w = affine_map<(i, k, c) -> (i, k)>
#x = affine_map<(i, k, c) -> (k, c)>
#y = affine_map<(i, k, c) -> (i, c)>

// CHECK-LABEL: func.func @apart
// CHECK-COUNT-2: {lci.row_threads = 128 : i64}
func.func @apart(%w: memref<8x8xf32>, %x: memref<8x128xf32>, %y: memref<8x128xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<8x8xf32>, memref<8x128xf32>) outs(%y : memref<8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %y : memref<8x8xf32>, memref<8x128xf32>) outs(%x : memref<8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  return
}

// -----

// Outputs, cells and steps that fill no blocks: threads beyond the last output and cell multiply with the others and
// do nothing else, and behind the last step are zeros. Of its six outputs a thread may have fewer. Reductions around
// the innermost one are loops as well; sums begin with what is there.
#w = affine_map<(i, r, k, c) -> (i, r, k)>
#x = affine_map<(i, r, k, c) -> (k, r, c)>
#y = affine_map<(i, r, k, c) -> (i, c)>

// CHECK-LABEL: func.func @ends
// CHECK:         %[[PACKED:.*]] = memref.alloc() : memref<3x3x3x64xf32>
// CHECK:         scf.parallel (%[[R:.*]], %{{.*}}, %{{.*}}, %{{.*}}) = (%c0, %c0, %c0, %c0) to (%c3, %c3, %c3, %c64)
// CHECK:           memref.load %{{.*}}[%{{.*}}, %[[R]], %{{.*}}] : memref<20x3x21xf32>
// CHECK:         scf.parallel (%[[TILE:.*]], %[[THREAD:.*]]) = (%c0, %c0) to (%c1, %c128) step (%c1, %c1) {
// CHECK:           %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c36
// CHECK:           arith.minui %{{.*}}, %c32
// CHECK:           arith.minui %{{.*}}, %c19
// CHECK:           vector.load %{{.*}} : memref<20x36xf32>, vector<4xf32>
// CHECK:           scf.for %[[R:.*]] = %c0 to %c3 step %c1
// CHECK:             scf.for %[[K:.*]] = %c0 to %c2 step %c1
// CHECK:               vector.load %{{.*}}[%{{.*}}, %[[R]], %{{.*}}] : memref<21x3x36xf32>, vector<4xf32>
// CHECK:               vector.load %[[PACKED]][%[[R]], %{{.*}}, %[[K]], %{{.*}}]
// CHECK-COUNT-6:       nvgpu.mma.sync
// CHECK:             %[[AT:.*]] = arith.minui %[[STEP:.*]], %c20
// CHECK:             %[[V:.*]] = vector.load %{{.*}}[%[[AT]], %[[R]], %{{.*}}] : memref<21x3x36xf32>, vector<4xf32>
// CHECK:             %[[THERE:.*]] = arith.cmpi ult, %[[STEP]], %c21
// CHECK:             arith.select %[[THERE]], %[[V]], %{{.*}}
// CHECK-COUNT-6:     nvgpu.mma.sync
// CHECK:           scf.if %[[IN]] {
// CHECK:             arith.cmpi ult, %{{.*}}, %c20
// CHECK:             scf.if
// CHECK:               vector.store %{{.*}} : memref<20x36xf32>, vector<4xf32>
// CHECK:         } {lci.row_threads = 128 : i64}
func.func @ends(%w: memref<20x3x21xf32>, %x: memref<21x3x36xf32>, %y: memref<20x36xf32> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#w, #x, #y], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
      ins(%w, %x : memref<20x3x21xf32>, memref<21x3x36xf32>) outs(%y : memref<20x36xf32>) {
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
                %one: memref<64xf32> {llvm.noalias}, %other: memref<16x8x64xf32>, %x64: memref<64x32xf32>, %x62: memref<8x62xf32>, %y62: memref<16x62xf32> {llvm.noalias},
                %z: memref<16x8x32xf32> {llvm.noalias}, %many: memref<8x3x64xf32>) {
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
  // expected-remark @+1 {{is computed exactly, not by tensor cores: it is of cells that are no multiple of four}}
  linalg.generic {indexing_maps = [affine_map<(i, k, c) -> (i, k)>, affine_map<(i, k, c) -> (k, c)>, affine_map<(i, k, c) -> (i, c)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x62 : memref<16x8xf32>, memref<8x62xf32>) outs(%y62 : memref<16x62xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  // expected-remark @+1 {{is computed exactly, not by tensor cores: it has outputs of several indices}}
  linalg.generic {indexing_maps = [affine_map<(n, i, k, c) -> (n, i, k)>, affine_map<(n, i, k, c) -> (k, c)>, affine_map<(n, i, k, c) -> (n, i, c)>],
                  iterator_types = ["parallel", "parallel", "reduction", "parallel"]}
      ins(%other, %x64 : memref<16x8x64xf32>, memref<64x32xf32>) outs(%z : memref<16x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  return
}

// What is summed up lies at another element for each step of the sum: that is no product.
// CHECK-LABEL: func @steps_of_their_own
// CHECK-NOT: nvgpu.mma.sync
// CHECK: return
func.func @steps_of_their_own(%w: memref<8x8xf32>, %x: memref<8x128xf32>, %y: memref<8x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, k, c) -> (i, k)>, affine_map<(i, k, c) -> (k, c)>,
                                   affine_map<(i, k, c) -> (k, c)>],
                  iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%w, %x : memref<8x8xf32>, memref<8x128xf32>) outs(%y : memref<8x128xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %next = math.fma %a, %b, %sum : f32
    linalg.yield %next : f32
  }
  return
}
