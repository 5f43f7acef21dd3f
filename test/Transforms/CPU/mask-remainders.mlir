// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-cpu-target{vector-bits=512},func.func(lci-mask-remainders),canonicalize,cse)' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-cpu-target{vector-bits=256},func.func(lci-mask-remainders),canonicalize,cse)' | FileCheck %s --check-prefix=AVX2
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-cpu-target{vector-bits=128},func.func(lci-mask-remainders))' | FileCheck %s --check-prefix=NEON
// What is behind the whole vectors of a row is a vector, and one under a mask.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @numbers(
// CHECK-SAME: %[[A:.*]]: memref<?x83xf32>, %[[B:.*]]: memref<?x83xf32>, %[[COUNT:.*]]: memref<i64>
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<[true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false]> : vector<16xi1>
// CHECK: %[[REST:.*]] = memref.subview %[[A]][0, 64] [%{{.*}}, 19] [1, 1]
// CHECK: %[[OUT:.*]] = memref.subview %[[B]][0, 64] [%{{.*}}, 19] [1, 1]
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c1 {
// CHECK:   vector.load %[[REST]][%[[I]], %c0]
// CHECK:   memref.store {{.*}}, %[[COUNT]][] : memref<i64>
// CHECK:   vector.maskedload %[[REST]][%[[I]], %c16], %[[MASK]]
// CHECK:   arith.select %[[MASK]]
// CHECK:   memref.store {{.*}}, %[[COUNT]][] : memref<i64>
// CHECK:   vector.store {{.*}}, %[[OUT]][%[[I]], %c0]
// CHECK:   vector.maskedstore %[[OUT]][%[[I]], %c16], %[[MASK]]
// CHECK: %[[WHOLE:.*]] = memref.subview %[[A]][0, 0] [%{{.*}}, 64] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[WHOLE]] :
// AVX2-LABEL: func.func @numbers(
// AVX2: memref.subview {{.*}}[0, 80] [%{{.*}}, 3] [1, 1]
// AVX2: vector.maskedload
// NEON-LABEL: func.func @numbers(
// NEON-NOT: vector.
func.func @numbers(%a: memref<?x83xf32>, %b: memref<?x83xf32>, %count: memref<i64>) {
  linalg.generic {indexing_maps = [#id, #id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<?x83xf32>) outs(%b, %count : memref<?x83xf32>, memref<i64>) {
  ^bb0(%x: f32, %old: f32, %n: i64):
    %new = arith.addf %x, %old : f32
    %changed = arith.cmpf one, %new, %old : f32
    %one = arith.extui %changed : i1 to i64
    %next = arith.addi %n, %one : i64
    linalg.yield %new, %next : f32, i64
  }
  return
}

// -----

// A row shorter than a vector is one under a mask, where the machine has masks for bytes.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @short_row(
// CHECK: vector.maskedload {{.*}} into vector<64xi8>
// CHECK-NOT: linalg.generic
// AVX2-LABEL: func.func @short_row(
// AVX2-NOT: vector.
func.func @short_row(%a: memref<30xi8>, %b: memref<30xi8>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<30xi8>) outs(%b : memref<30xi8>) {
  ^bb0(%x: i8, %old: i8):
    %y = arith.addi %x, %old : i8
    linalg.yield %y : i8
  }
  return
}

// -----

// A long row that does not begin with a vector of the buffer: the cells before the first vector under
// a mask, so that all others are stored to one line of the cache each. Rows whose beginnings differ,
// and short ones, begin where they begin.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @unaligned(
// CHECK-SAME: %[[A:.*]]: memref<?x160xf32>, %{{.*}}: memref<?x150xf32>,
// CHECK-DAG: %[[VIEW:.*]] = memref.subview %[[A]][%{{.*}}, 3] [%{{.*}}, 150] [1, 1]
// CHECK: memref.subview %[[VIEW]][0, 0] [%{{.*}}, 13] [1, 1]
// CHECK: vector.maskedstore
// CHECK: memref.subview %[[VIEW]][0, 141] [%{{.*}}, 9] [1, 1]
// CHECK: vector.maskedstore
// CHECK: %[[WHOLE:.*]] = memref.subview %[[VIEW]][0, 13] [%{{.*}}, 128] [1, 1]
// CHECK: linalg.generic {{.*}} outs(%[[WHOLE]] :
// CHECK: memref.subview {{.*}}[0, 128] [%{{.*}}, 22] [1, 1]
// CHECK: linalg.generic
// CHECK: memref.subview {{.*}}[0, 32] [%{{.*}}, 18] [1, 1]
// CHECK: linalg.generic
// AVX2-LABEL: func.func @unaligned(
// AVX2: memref.subview {{.*}}[0, 0] [%{{.*}}, 5] [1, 1]
// AVX2: memref.subview {{.*}}[0, 149] [%{{.*}}, 1] [1, 1]
// AVX2: memref.subview {{.*}}[0, 5] [%{{.*}}, 144] [1, 1]
// NEON-LABEL: func.func @unaligned(
// NEON-NOT: vector.
func.func @unaligned(%a: memref<?x160xf32>, %b: memref<?x150xf32>, %first: index, %n: index) {
  %view = memref.subview %a[%first, 3] [%n, 150] [1, 1]
      : memref<?x160xf32> to memref<?x150xf32, strided<[160, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : memref<?x150xf32>) outs(%view : memref<?x150xf32, strided<[160, 1], offset: ?>>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%view : memref<?x150xf32, strided<[160, 1], offset: ?>>) outs(%b : memref<?x150xf32>) {
  ^bb0(%x: f32, %old: f32):
    %y = arith.addf %x, %old : f32
    linalg.yield %y : f32
  }
  %short = memref.subview %a[%first, 3] [%n, 50] [1, 1]
      : memref<?x160xf32> to memref<?x50xf32, strided<[160, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%short : memref<?x50xf32, strided<[160, 1], offset: ?>>) {
  ^bb0(%old: f32):
    %y = arith.addf %old, %old : f32
    linalg.yield %y : f32
  }
  return
}

// -----

// Whole vectors, a single cell behind them, steps, other orders of axes, values of many registers,
// other operations than elementwise ones, operands of unknown rows and cells that are vectors are
// left to LLVM.
#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @negative_others(
// CHECK-COUNT-8: linalg.generic
// CHECK-NOT: {{vector\.(load|masked)}}
func.func @negative_others(%whole: memref<4x48xf32>, %single: memref<4x33xf32>,
                           %steps: memref<4x35xf32, strided<[70, 2]>>, %a: memref<35x35xf32>,
                           %bytes: memref<4x35xi8>, %n: memref<4x?xf32>, %o: memref<4x35xf32>,
                           %vectors: memref<4x35xvector<4xf32>>) {
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%whole : memref<4x48xf32>) {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%single : memref<4x33xf32>) {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%steps : memref<4x35xf32, strided<[70, 2]>>) {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#turned], iterator_types = ["parallel", "parallel"]}
      outs(%a : memref<35x35xf32>) {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%bytes : memref<4x35xi8>) {
  ^bb0(%x: i8):
    %wide = arith.extui %x : i8 to i64
    %y = arith.muli %wide, %wide : i64
    %narrow = arith.trunci %y : i64 to i8
    linalg.yield %narrow : i8
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%n : memref<4x?xf32>) {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%o : memref<4x35xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    linalg.yield %f : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%vectors : memref<4x35xvector<4xf32>>) {
  ^bb0(%x: vector<4xf32>):
    linalg.yield %x : vector<4xf32>
  }
  return
}

// -----

// Two words of a row, of the four of a register, are a separate vector: without AVX-512 a store under a mask
// takes some processors twenty cycles.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @half_a_register(
// CHECK: vector.maskedstore {{.*}} vector<8xi64>
// AVX2-LABEL: func.func @half_a_register(
// AVX2-NOT: masked
// AVX2: vector.load {{.*}} vector<2xi64>
// AVX2: %[[Y:.*]] = arith.xori {{.*}} : vector<2xi64>
// AVX2: vector.bitcast {{.*}} : vector<2xi1> to vector<1xi2>
// AVX2: vector.store %[[Y]], {{.*}} vector<2xi64>
// AVX2: return
func.func @half_a_register(%a: memref<8x2xi64>, %b: memref<8x2xi64>, %count: memref<i64>) {
  linalg.generic {indexing_maps = [#id, #id, affine_map<(d0, d1) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%a : memref<8x2xi64>) outs(%b, %count : memref<8x2xi64>, memref<i64>) {
  ^bb0(%x: i64, %old: i64, %n: i64):
    %y = arith.xori %x, %old : i64
    %changed = arith.cmpi ne, %y, %old : i64
    %one = arith.extui %changed : i1 to i64
    %next = arith.addi %n, %one : i64
    linalg.yield %y, %next : i64, i64
  }
  return
}

// -----

// LLVM would mask all of a row of five words, but not of one of seventeen.
#id = affine_map<(d0, d1) -> (d0, d1)>
// AVX2-LABEL: func.func @one_is_left(
// AVX2-NOT: masked
// AVX2: vector.load {{.*}} memref<8x5xi64>, vector<4xi64>
// AVX2: vector.load {{.*}} memref<8x5xi64>, vector<1xi64>
// AVX2: vector.store {{.*}} memref<8x5xi64>, vector<4xi64>
// AVX2: vector.store {{.*}} memref<8x5xi64>, vector<1xi64>
// AVX2: linalg.generic {{.*}} ins(%{{.*}} : memref<8x17xi64>)
func.func @one_is_left(%a: memref<8x5xi64>, %b: memref<8x5xi64>, %c: memref<8x17xi64>, %d: memref<8x17xi64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<8x5xi64>) outs(%b : memref<8x5xi64>) {
  ^bb0(%x: i64, %old: i64):
    %y = arith.xori %x, %old : i64
    linalg.yield %y : i64
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<8x17xi64>) outs(%d : memref<8x17xi64>) {
  ^bb0(%x: i64, %old: i64):
    %y = arith.xori %x, %old : i64
    linalg.yield %y : i64
  }
  return
}

// -----

// Truth values have a byte each in an array, and a bit each in a vector; zeros behind a row are no divisors.
#id = affine_map<(d0) -> (d0)>
// CHECK-LABEL: func.func @negative_truths(
// CHECK-NOT: vector.
func.func @negative_truths(%a: memref<30xi1>, %b: memref<30xi1>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<30xi1>) outs(%b : memref<30xi1>) {
  ^bb0(%x: i1, %old: i1):
    %new = arith.andi %x, %old : i1
    linalg.yield %new : i1
  }
  return
}
// CHECK-LABEL: func.func @negative_remainders(
// CHECK-NOT: vector.
// CHECK: return
func.func @negative_remainders(%a: memref<30xi8>, %b: memref<30xi8>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<30xi8>) outs(%b : memref<30xi8>) {
  ^bb0(%x: i8, %old: i8):
    %new = arith.remsi %x, %old : i8
    linalg.yield %new : i8
  }
  return
}
// By a number that is none there are such vectors.
// CHECK-LABEL: func.func @remainders_by_three(
// CHECK: arith.remsi {{.*}} : vector<64xi8>
func.func @remainders_by_three(%a: memref<30xi8>, %b: memref<30xi8>) {
  %three = arith.constant 3 : i8
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<30xi8>) outs(%b : memref<30xi8>) {
  ^bb0(%x: i8, %old: i8):
    %new = arith.remsi %x, %three : i8
    linalg.yield %new : i8
  }
  return
}
