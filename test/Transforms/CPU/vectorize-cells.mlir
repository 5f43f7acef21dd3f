// RUN: lmpm-opt %s --split-input-file --lci-vectorize-cells='once=true' --canonicalize --cse | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --lci-vectorize-cells --canonicalize --cse | FileCheck %s --check-prefix=ONCE
// RUN: lmpm-opt %s --split-input-file --lci-vectorize-cells='once=true max-operations=40' --canonicalize --cse | FileCheck %s --check-prefix=FEW
// RUN: lmpm-opt %s --split-input-file --lci-vectorize-cells='once=true max-operations=60' --canonicalize --cse | FileCheck %s --check-prefix=NARROW
// RUN: lmpm-opt %s --split-input-file --lci-attach-cpu-target=vector-bits=256 --lci-vectorize-cells=once=true --canonicalize --cse | FileCheck %s --check-prefix=AVX2
// Ticks with loops over candidates or draws are computed by vectors of the cells of a row.

// Every other cell: vectors of the whole row, a store after the next vector, and what is left of it.
// CHECK-LABEL: func.func @colour(
// CHECK-SAME: %[[IN:.*]]: memref<6x402xi8>, %[[OUT:.*]]: memref<4x400xi8>, %[[COUNTS:.*]]: memref<2xi64>
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK:   scf.for {{.*}} iter_args(%[[SUM:.*]] = {{.*}}, %[[BEFORE:.*]] = {{.*}}, %[[PLACE:.*]] = {{.*}}) -> (i64, vector<64xi8>, index)
// CHECK:     lci.philox {{.*}} : vector<8xi64>
// CHECK:     %[[BITS:.*]] = vector.bitcast {{.*}} : vector<128xi8> to vector<32xi32>
// CHECK:     %[[MORE:.*]] = vector.bitcast {{.*}} : vector<128xi8> to vector<32xi32>
// CHECK:     vector.shuffle %[[BITS]], %[[MORE]] {{.*}} : vector<32xi32>, vector<32xi32>
// CHECK-NOT: vector.store
// CHECK:     vector.load %[[IN]]{{.*}} : memref<6x402xi8>, vector<128xi8>
// CHECK-NOT: arith.divf
// CHECK:     %[[ONES:.*]] = math.ctpop
// CHECK:     vector.maskedstore %[[OUT]]
// CHECK:   vector.maskedstore %[[OUT]]
// CHECK:   vector.maskedload %[[IN]]
// CHECK:   vector.maskedstore %[[OUT]]
// CHECK:   memref.store {{.*}}, %[[COUNTS]][%{{.*}}]
// CHECK-NOT: lci.tick
// Vectors of 16 cells draw for 32 in every second iteration, and rotate the drawn vector in the others.
// NARROW-LABEL: func.func @colour(
// NARROW: scf.for {{.*}} iter_args(%{{.*}}, %[[BEFORE:.*]] = %{{.*}}, %{{.*}}, %{{.*}}) -> (i64, vector<32xi32>, vector<16xi8>, index)
// NARROW:   %[[BITS:.*]] = scf.if %{{.*}} -> (vector<32xi32>)
// NARROW:     lci.philox {{.*}} : vector<8xi64>
// NARROW:   } else {
// NARROW:     vector.shuffle %[[BEFORE]], %[[BEFORE]] [16, 17, {{.*}}, 47] : vector<32xi32>, vector<32xi32>
// NARROW:   vector.shuffle %[[BITS]], %[[BITS]] [0, {{.*}}, 15] : vector<32xi32>, vector<32xi32>
// NARROW:   scf.yield %{{.*}}, %[[BITS]], %{{.*}}, %{{.*}}
// AVX2-LABEL: func.func @colour(
// AVX2: scf.for {{.*}} -> (i64, vector<32xi8>, index)
// FEW-LABEL: func.func @colour(
// FEW: lci.tick
func.func @colour(%in: memref<6x402xi8>, %out: memref<4x400xi8>, %counts: memref<2xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%in : memref<6x402xi8>) target(%out : memref<4x400xi8>)
      counts(%counts : memref<2xi64>) box [0, 1] [4, 180] step [1, 2] class_stride 2 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<6x402xi8>):
    %left = lci.load %a[affine_map<(d0, d1) -> (d0 + 1, d1)>](%i, %j)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<6x402xi8> -> i8
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %one = arith.constant 1 : i64
    %none = arith.constant 0.0 : f32
    %whole = arith.uitofp %left : i8 to f32
    %no = arith.constant false
    %drawn = scf.for %k = %zero to %three step %one iter_args(%any = %no) -> (i1) : i64 {
      %part = arith.sitofp %k : i64 to f32
      %share = arith.divf %part, %whole : f32
      %now = lci.bernoulli %share stream <0, 0>
      %or = arith.ori %any, %now : i1
      scf.yield %or : i1
    }
    lci.install %left if %drawn tally %drawn to [1] : i8
  }
  return
}

// -----

// A candidate's score is a count: tokens and counts are compared in the bits they have.
// CHECK-LABEL: func.func @candidates(
// CHECK: arith.cmpi eq, {{.*}} : vector<64xi8>
// CHECK: arith.cmpi ugt, {{.*}} : vector<64xi8>
// CHECK: arith.select {{.*}} : vector<64xi1>, vector<64xi8>
// CHECK-NOT: arith.cmpf
// CHECK: %[[AT:.*]] = arith.extui {{.*}} : vector<64xi8> to vector<64xi32>
// CHECK: vector.gather %{{.*}}[%{{.*}}] [%[[AT]]]
// CHECK-NOT: lci.agree
func.func @candidates(%in: memref<4x64xi8>, %out: memref<4x64xi8>, %table: memref<4xi8>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%in, %table : memref<4x64xi8>, memref<4xi8>)
      target(%out : memref<4x64xi8>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<4x64xi8>,
       %t: memref<4xi8>):
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %yes = arith.constant true
    %v = lci.load %a[affine_map<(d0, d1) -> (d0, d1)>](%i, %j)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<4x64xi8> -> i8
    %winner, %found = lci.agree %zero to %three {
    ^bb1(%token: i64):
      %wide = arith.extui %v : i8 to i64
      %same = arith.cmpi eq, %wide, %token : i64
      %count = arith.extui %same : i1 to i64
      %score = arith.sitofp %count : i64 to f32
      lci.candidate %yes levels() score %score proposed %yes
    }
    %short = arith.trunci %winner : i64 to i8
    %at = arith.index_castui %short : i8 to index
    %new = memref.load %t[%at] : memref<4xi8>
    lci.install %new if %found : i8
  }
  return
}

// -----

// The score of a winner that is a count is one of its bytes, too.
// CHECK-LABEL: func.func @winners_score(
// CHECK: arith.select
// CHECK: %[[BEST:.*]] = arith.select {{.*}} : vector<64xi1>, vector<64xi8>
// CHECK-NOT: arith.{{uitofp|sitofp|fptosi}}
// CHECK: vector.store %[[BEST]], {{.*}} : memref<4x64xi8>, vector<64xi8>
func.func @winners_score(%in: memref<4x64xi8>, %out: memref<4x64xi8>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%in : memref<4x64xi8>) target(%out : memref<4x64xi8>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<4x64xi8>):
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %yes = arith.constant true
    %v = lci.load %a[affine_map<(d0, d1) -> (d0, d1)>](%i, %j)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<4x64xi8> -> i8
    %winner, %found, %best = lci.agree %zero to %three score f32 {
    ^bb1(%token: i64):
      %wide = arith.extui %v : i8 to i64
      %same = arith.cmpi eq, %wide, %token : i64
      %count = arith.extui %same : i1 to i64
      %score = arith.sitofp %count : i64 to f32
      lci.candidate %yes levels() score %score proposed %yes
    }
    %whole = arith.fptosi %best : f32 to i64
    %short = arith.trunci %whole : i64 to i8
    lci.install %short if %found : i8
  }
  return
}

// -----

// What separates drawn parts of a whole is found in 32 bits, unless a lane needs 64: once for all
// parts, whose signs are not needed where the whole is a magnitude, and a register at a time.
// CHECK-LABEL: func.func @shares(
// CHECK: %[[WHOLE:.*]] = math.absf %{{.*}} : vector<64xf32>
// CHECK: %[[DRAW:.*]] = vector.extract_strided_slice %[[WORDS:.*]] {offsets = [0], sizes = [16], strides = [1]}
// CHECK: %[[OF:.*]] = vector.extract_strided_slice %[[WHOLE]] {offsets = [0], sizes = [16], strides = [1]}
// CHECK: %[[PART:.*]] = func.call @lci.lanes.share_limit.16(%[[DRAW]], %[[OF]])
// CHECK: vector.insert_strided_slice %[[PART]], %{{.*}} {offsets = [0], strides = [1]}
// CHECK-COUNT-3: func.call @lci.lanes.share_limit.16(
// CHECK: %[[LIMIT:.*]] = vector.insert_strided_slice %{{.*}} {offsets = [48], strides = [1]}
// CHECK: arith.cmpf ogt, %{{.*}}, %[[LIMIT]] : vector<64xf32>
// CHECK: arith.cmpf ogt, %{{.*}}, %[[LIMIT]] : vector<64xf32>
// CHECK-NOT: func.call
// CHECK: return
// CHECK: func.func private @lci.lanes.share_limit.16(%[[DRAW:.*]]: vector<16xi32>, %[[WHOLE:.*]]: vector<16xf32>)
// CHECK-DAG: arith.cmpi ne, %[[DRAW]], %{{.*}} : vector<16xi32>
// CHECK-DAG: arith.cmpf oge, %[[WHOLE]], %{{.*}} : vector<16xf32>
// CHECK-DAG: arith.cmpf olt, %[[WHOLE]], %{{.*}} : vector<16xf32>
// CHECK: %[[QUICK:.*]] = vector.reduction <and>, %{{.*}} : vector<16xi1> into i1
// CHECK: scf.if %[[QUICK]] -> (vector<16xf32>) {
// CHECK:   arith.uitofp %{{.*}} : vector<16xi32> to vector<16xf32>
// CHECK-COUNT-2: math.fma %{{.*}} : vector<16xf32>
// CHECK: } else {
// CHECK:   arith.extui %[[DRAW]] : vector<16xi32> to vector<16xi64>
// CHECK: }
func.func @shares(%in: memref<4x64xf32>, %out: memref<4x64xi8>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%in : memref<4x64xf32>) target(%out : memref<4x64xi8>)
      class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<4x64xf32>):
    %x = lci.load %a[affine_map<(d0, d1) -> (d0, d1)>](%i, %j)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<4x64xf32> -> f32
    %whole = math.absf %x : f32
    %half = arith.constant 0.5 : f32
    %part = arith.mulf %whole, %half : f32
    %other = arith.addf %part, %half : f32
    %share = arith.divf %part, %whole : f32
    %others = arith.divf %other, %whole : f32
    %one = lci.bernoulli %share stream <0, 0>
    %two = lci.bernoulli %others stream <0, 0>
    %yes = arith.constant true
    %first = arith.extui %one : i1 to i8
    %second = arith.extui %two : i1 to i8
    %sum = arith.addi %first, %second : i8
    lci.install %sum if %yes : i8
  }
  return
}

// -----

// A row that begins in the middle of a group of 32 cells has parts of two groups in each 32 lanes.
// An only row stays together, to become a function.
// CHECK-LABEL: func.func @middle(
// CHECK: scf.execute_region no_inline {
// CHECK: %[[FIRST:.*]] = vector.bitcast {{.*}} : vector<128xi8> to vector<32xi32>
// CHECK: scf.for {{.*}} iter_args(%[[LEFT:.*]] = %[[FIRST]]) -> (vector<32xi32>)
// CHECK:   %[[ONE:.*]] = vector.bitcast {{.*}} : vector<128xi8> to vector<32xi32>
// CHECK:   %[[TWO:.*]] = vector.bitcast {{.*}} : vector<128xi8> to vector<32xi32>
// CHECK:   vector.shuffle %[[LEFT]], %[[ONE]] [8, 9, {{.*}}, 39] : vector<32xi32>, vector<32xi32>
// CHECK:   vector.shuffle %[[ONE]], %[[TWO]] [8, 9, {{.*}}, 39] : vector<32xi32>, vector<32xi32>
// CHECK:   vector.shuffle {{.*}} [0, 1, {{.*}}, 63] : vector<32xi32>, vector<32xi32>
// CHECK:   scf.yield %[[TWO]]
// CHECK: } {lci.name = "E"}
func.func @middle(%in: memref<164xi8>, %out: memref<164xi8>, %e: i64, %p: f32) {
  lci.tick @E at %e, %e, %e inputs(%in, %p : memref<164xi8>, f32) target(%out : memref<164xi8>)
      box [8] [128] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<164xi8>, %q: f32):
    %v = lci.load %a[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<164xi8> -> i8
    %b = lci.bernoulli %q stream <0, 0>
    lci.install %v if %b : i8
  }
  return
}

// -----

// What LLVM makes vectors of, gathers, numbered draws and sets of cells are left to others.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-4: lci.tick
// CHECK-NOT: vector.
func.func @others(%in: memref<64xi8>, %out: memref<64xi8>, %e: i64, %p: f32) {
  lci.tick @A at %e, %e, %e inputs(%in : memref<64xi8>) target(%out : memref<64xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<64xi8>):
    %v = lci.load %a[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<64xi8> -> i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  }
  lci.tick @B at %e, %e, %e inputs(%in, %p : memref<64xi8>, f32) target(%out : memref<64xi8>)
      class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<64xi8>, %q: f32):
    %v = lci.load %a[affine_map<(d0) -> (-d0 + 63)>](%i) [#lci.boundary<open>] : memref<64xi8> -> i8
    %b = lci.bernoulli %q stream <0, 0>
    lci.install %v if %b : i8
  }
  lci.tick @C at %e, %e, %e inputs(%in, %p : memref<64xi8>, f32) target(%out : memref<64xi8>)
      class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<64xi8>, %q: f32):
    %v = lci.load %a[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<64xi8> -> i8
    %number = arith.extui %v : i8 to i64
    %b = lci.bernoulli %q number %number stream <0, 0>
    lci.install %v if %b : i8
  }
  lci.tick @D at %e, %e, %e inputs(%in, %p : memref<64xi8>, f32) target(%out : memref<64xi8>)
      cells affine_set<(d0)[s0] : (d0 - 3 >= 0)> class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<64xi8>, %q: f32):
    %v = lci.load %a[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<64xi8> -> i8
    %b = lci.bernoulli %q stream <0, 0>
    lci.install %v if %b : i8
  }
  return
}

// -----

// A table that two registers hold is looked up there, 16 cells at a time.
// CHECK-LABEL: func.func @registers(
// CHECK-SAME: %{{.*}}: memref<4x32xi8>, %{{.*}}: memref<4x32xf32>, %[[TABLE:.*]]: memref<3x7xf32>
// CHECK: %[[ALL:.*]] = memref.collapse_shape %[[TABLE]]
// CHECK: %[[HELD:.*]] = vector.maskedload %[[ALL]]{{.*}} : memref<21xf32>, {{.*}} into vector<32xf32>
// CHECK: call @lci.lanes.look_up.32xf32(%[[HELD]], %{{.*}}) : (vector<32xf32>, vector<16xi32>) -> vector<16xf32>
// CHECK: func.func private @lci.lanes.look_up.32xf32(%[[T:.*]]: vector<32xf32>, %[[P:.*]]: vector<16xi32>)
// CHECK: %[[FIRST:.*]] = vector.extract %[[P]][0]
// CHECK: %[[AT:.*]] = arith.index_castui %[[FIRST]]
// CHECK: vector.extract %[[T]][%[[AT]]]
func.func @registers(%in: memref<4x32xi8>, %out: memref<4x32xf32>, %table: memref<3x7xf32>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%in, %table : memref<4x32xi8>, memref<3x7xf32>)
      target(%out : memref<4x32xf32>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<4x32xi8>,
       %t: memref<3x7xf32>):
    %v = lci.load %a[affine_map<(d0, d1) -> (d0, d1)>](%i, %j)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<4x32xi8> -> i8
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %none = arith.constant 0.0 : f32
    %yes = arith.constant true
    %at = arith.index_castui %v : i8 to index
    %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %none) -> (f32) {
      %x = memref.load %t[%k, %at] : memref<3x7xf32>
      %n = arith.addf %s, %x : f32
      scf.yield %n : f32
    }
    lci.install %sum if %yes : f32
  }
  return
}

// -----

// Long loops stay loops, which carry vectors; a source without axes is the same for all cells.
// CHECK-LABEL: func.func @long(
// CHECK-SAME: %{{.*}}: memref<4x64xi8>, %[[ONE:.*]]: memref<i64>
// CHECK: %[[LIMIT:.*]] = memref.load %[[ONE]][] : memref<i64>
// CHECK: %[[BEST:.*]]:4 = scf.for %[[TOKEN:[a-z0-9]+]] = {{.*}} -> (vector<64xi8>, vector<64xi1>, vector<64xf32>, vector<64xi1>)
// CHECK:   %[[SHORT:.*]] = arith.trunci %[[TOKEN]] : i64 to i8
// CHECK:   vector.broadcast %[[SHORT]] : i8 to vector<64xi8>
// CHECK:   scf.yield
// CHECK: vector.store %[[BEST]]#0
func.func @long(%out: memref<4x64xi8>, %one: memref<i64>, %e: i64) {
  lci.tick @A at %e, %e, %e inputs(%one : memref<i64>) target(%out : memref<4x64xi8>) class_stride 1 {
  ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %a: memref<i64>):
    %limit = lci.load %a[affine_map<(d0, d1) -> ()>](%i, %j) [] : memref<i64> -> i64
    %zero = arith.constant 0 : i64
    %hundred = arith.constant 100 : i64
    %yes = arith.constant true
    %column = arith.index_cast %j : index to i64
    %winner, %found = lci.agree %zero to %hundred {
    ^bb1(%token: i64):
      %below = arith.cmpi slt, %token, %limit : i64
      %far = arith.subi %token, %column : i64
      %score = arith.sitofp %far : i64 to f32
      lci.candidate %below levels() score %score proposed %yes
    }
    %short = arith.trunci %winner : i64 to i8
    lci.install %short if %yes : i8
  }
  return
}

// What runs once is not worth it.
// ONCE-NOT: vector.
