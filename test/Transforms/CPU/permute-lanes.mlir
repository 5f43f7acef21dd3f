// RUN: lmpm-opt %s --split-input-file --lci-attach-cpu-target=vector-bits=128 --lci-permute-lanes | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --lci-permute-lanes | FileCheck %s --check-prefix=WIDE
// Numbers that are made of bytes lie in the order in which these lie in words, where nobody sees it.

// Bytes are shifted out of words and back; what truths in that order choose stays a number until it is stored.
// CHECK-LABEL: func.func @choose(
// CHECK: %[[BYTES:.*]] = vector.load %{{.*}} : memref<16xi8>, vector<16xi8>
// CHECK: %[[WORDS:.*]] = vector.bitcast %[[BYTES]] : vector<16xi8> to vector<4xi32>
// CHECK: %[[LEFT:.*]] = arith.shli %[[WORDS]], %{{.*}} : vector<4xi32>
// CHECK: %[[FIRST:.*]] = arith.shrui %[[LEFT]], %{{.*}} : vector<4xi32>
// CHECK: vector.insert_strided_slice %[[FIRST]], %{{.*}} {offsets = [0], strides = [1]} : vector<4xi32> into vector<16xi32>
// CHECK: %[[NUMBERS:.*]] = vector.insert_strided_slice %{{.*}} {offsets = [12], strides = [1]} : vector<4xi32> into vector<16xi32>
// CHECK-NOT: arith.extui {{.*}} : vector<16xi8>
// CHECK: arith.uitofp %[[NUMBERS]] : vector<16xi32> to vector<16xf32>
// CHECK: %[[LESS:.*]] = arith.cmpf olt
// CHECK: %[[ONE:.*]] = arith.select %[[LESS]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: %[[TWO:.*]] = arith.select %{{.*}}, %{{.*}}, %[[ONE]] : vector<16xi1>, vector<16xi32>
// CHECK: vector.extract_strided_slice %[[TWO]] {offsets = [0], sizes = [4], strides = [1]} : vector<16xi32> to vector<4xi32>
// CHECK: vector.extract_strided_slice %[[TWO]] {offsets = [12], sizes = [4], strides = [1]} : vector<16xi32> to vector<4xi32>
// CHECK: %[[TOGETHER:.*]] = arith.ori {{.*}} : vector<4xi32>
// CHECK: %[[NEW:.*]] = vector.bitcast %[[TOGETHER]] : vector<4xi32> to vector<16xi8>
// CHECK-NEXT: vector.store %[[NEW]]
// Of 16 bytes wider registers have more.
// WIDE-LABEL: func.func @choose(
// WIDE-COUNT-3: arith.ext
// WIDE-NOT: vector.bitcast
// WIDE: return
func.func @choose(%m: memref<16xi8>, %p: f32) {
  %zero = arith.constant 0 : index
  %bytes = vector.load %m[%zero] : memref<16xi8>, vector<16xi8>
  %a = arith.extui %bytes : vector<16xi8> to vector<16xi32>
  %b = arith.extsi %bytes : vector<16xi8> to vector<16xi64>
  %c = arith.extui %bytes : vector<16xi8> to vector<16xi64>
  %d = arith.uitofp %bytes : vector<16xi8> to vector<16xf32>
  %x = arith.uitofp %a : vector<16xi32> to vector<16xf32>
  %limit = vector.broadcast %p : f32 to vector<16xf32>
  %less = arith.cmpf olt, %x, %limit : vector<16xf32>
  %same = arith.cmpi eq, %b, %c : vector<16xi64>
  %lowest = arith.cmpf ogt, %d, %limit : vector<16xf32>
  %either = arith.andi %same, %lowest : vector<16xi1>
  %c0 = arith.constant dense<0> : vector<16xi8>
  %c1 = arith.constant dense<1> : vector<16xi8>
  %c2 = arith.constant dense<2> : vector<16xi8>
  %one = arith.select %less, %c1, %c0 : vector<16xi1>, vector<16xi8>
  %two = arith.select %either, %c2, %one : vector<16xi1>, vector<16xi8>
  vector.store %two, %m[%zero] : memref<16xi8>, vector<16xi8>
  return
}

// -----

// Random words are shuffled so in the first place, bytes of eight cells and then pairs of cells, or halves;
// constants are written so.
func.func private @lci.lanes.twice(vector<8xi32>) -> vector<8xi32>
// CHECK-LABEL: func.func @words(
// CHECK: %[[EIGHTS:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23, 8, {{.*}}, 60, 61, 62, 63] : vector<64xi8>, vector<64xi8>
// CHECK: %[[PAIRS:.*]] = vector.bitcast %[[EIGHTS]] : vector<64xi8> to vector<8xi64>
// CHECK: %[[ORDERED:.*]] = vector.shuffle %[[PAIRS]], %[[PAIRS]] [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xi64>, vector<8xi64>
// CHECK: %[[DRAWN:.*]] = vector.bitcast %[[ORDERED]] : vector<8xi64> to vector<16xi32>
// CHECK: %[[LOW:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xi32>, vector<8xi32>
// CHECK: %[[HIGH:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 4, 1, 5, 2, 6, 3, 7] : vector<8xi32>, vector<8xi32>
// CHECK: %[[MORE:.*]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15] : vector<8xi32>, vector<8xi32>
// CHECK: %[[SLICE:.*]] = vector.extract_strided_slice %[[DRAWN]] {offsets = [8], sizes = [8], strides = [1]}
// CHECK: %[[TWICE:.*]] = call @lci.lanes.twice(%[[SLICE]])
// CHECK: %[[SOME:.*]] = vector.insert_strided_slice %[[TWICE]], %{{.*}} {offsets = [8], strides = [1]}
// CHECK: %[[SUM:.*]] = arith.addi %[[SOME]], %[[MORE]] : vector<16xi32>
// CHECK: arith.constant dense<[0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]> : vector<16xi32>
// CHECK: vector.reduction <add>
func.func @words(%bytes: vector<16xi8>, %others: vector<64xi8>, %low: vector<8xi32>, %high: vector<8xi32>) -> i32 {
  %shuffled = vector.shuffle %others, %others [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63] : vector<64xi8>, vector<64xi8>
  %drawn = vector.bitcast %shuffled : vector<64xi8> to vector<16xi32>
  %more = vector.shuffle %low, %high [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi32>, vector<8xi32>
  %a = arith.extui %bytes : vector<16xi8> to vector<16xi32>
  %lanes = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xi32>
  %slice = vector.extract_strided_slice %drawn {offsets = [8], sizes = [8], strides = [1]} : vector<16xi32> to vector<8xi32>
  %twice = func.call @lci.lanes.twice(%slice) : (vector<8xi32>) -> vector<8xi32>
  %zeros = arith.constant dense<0> : vector<16xi32>
  %some = vector.insert_strided_slice %twice, %zeros {offsets = [8], strides = [1]} : vector<8xi32> into vector<16xi32>
  %sum = arith.addi %some, %more : vector<16xi32>
  %all = arith.addi %sum, %a : vector<16xi32>
  %places = arith.muli %all, %lanes : vector<16xi32>
  %result = vector.reduction <add>, %places : vector<16xi32> into i32
  return %result : i32
}

// -----

// A truth of bytes is turned for numbers, and one of numbers for bytes, if that costs less than is saved.
// CHECK-LABEL: func.func @turned(
// CHECK: %[[KNOWN:.*]] = arith.cmpi eq, %{{.*}} : vector<16xi8>
// CHECK: %[[BYTE:.*]] = arith.extui %[[KNOWN]] : vector<16xi1> to vector<16xi8>
// CHECK: vector.bitcast %[[BYTE]] : vector<16xi8> to vector<4xi32>
// CHECK: %[[TURNED:.*]] = arith.cmpi ne, %{{.*}} : vector<16xi32>
// CHECK: arith.select %[[TURNED]], %{{.*}} : vector<16xi1>, vector<16xi32>
// CHECK: %[[MORE:.*]] = arith.cmpi ugt, %{{.*}} : vector<16xi32>
// CHECK: %[[NUMBER:.*]] = arith.extui %[[MORE]] : vector<16xi1> to vector<16xi32>
// CHECK: %[[BACK:.*]] = arith.cmpi ne, %{{.*}} : vector<16xi8>
// CHECK: vector.maskedstore %{{.*}}, %[[BACK]], %{{.*}} : memref<16xi8>, vector<16xi1>, vector<16xi8>
func.func @turned(%m: memref<16xi8>, %a: vector<16xi8>, %b: vector<16xi8>, %c: vector<16xi8>, %d: vector<16xi8>, %e: vector<16xi8>, %f: vector<16xi8>) {
  %zero = arith.constant 0 : index
  %known = arith.cmpi eq, %a, %b : vector<16xi8>
  %x = arith.extui %a : vector<16xi8> to vector<16xi32>
  %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %z = arith.extui %c : vector<16xi8> to vector<16xi32>
  %u = arith.extui %d : vector<16xi8> to vector<16xi32>
  %v = arith.extui %e : vector<16xi8> to vector<16xi32>
  %w = arith.extui %f : vector<16xi8> to vector<16xi32>
  %chosen = arith.select %known, %x, %y : vector<16xi1>, vector<16xi32>
  %p = arith.muli %chosen, %z : vector<16xi32>
  %q = arith.muli %u, %v : vector<16xi32>
  %r = arith.addi %q, %w : vector<16xi32>
  %more = arith.cmpi ugt, %p, %r : vector<16xi32>
  vector.maskedstore %m[%zero], %more, %a : memref<16xi8>, vector<16xi1>, vector<16xi8>
  return
}

// -----

// Memory, numbers of other widths, and sums that depend on the order are in the way; others are not.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: vector.bitcast
// CHECK: return
func.func @kept(%a: vector<16xi8>, %m: memref<16xi32>) {
  %zero = arith.constant 0 : index
  %x = arith.extui %a : vector<16xi8> to vector<16xi32>
  vector.store %x, %m[%zero] : memref<16xi32>, vector<16xi32>
  return
}
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: vector.bitcast
// CHECK: return
func.func @halves(%a: vector<16xi8>) -> i16 {
  %x = arith.extui %a : vector<16xi8> to vector<16xi32>
  %y = arith.trunci %x : vector<16xi32> to vector<16xi16>
  %sum = vector.reduction <add>, %y : vector<16xi16> into i16
  return %sum : i16
}
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: vector.bitcast
// CHECK: return
func.func @sum(%a: vector<16xi8>) -> f32 {
  %x = arith.uitofp %a : vector<16xi8> to vector<16xf32>
  %sum = vector.reduction <add>, %x : vector<16xf32> into f32
  return %sum : f32
}
// CHECK-LABEL: func.func @most(
// CHECK: vector.bitcast
// CHECK: vector.reduction <maxnumf>
func.func @most(%a: vector<16xi8>) -> f32 {
  %x = arith.uitofp %a : vector<16xi8> to vector<16xf32>
  %most = vector.reduction <maxnumf>, %x : vector<16xf32> into f32
  return %most : f32
}

// -----

// Each block is one scope, but for what is open to the one around it; look-ups are made lane by lane, and
// what goes into numbers of more bits goes by 32.
func.func private @lci.lanes.look_up.8xf32(vector<8xf32>, vector<16xi32>) -> vector<16xf32>
// CHECK-LABEL: func.func @blocks(
// CHECK: arith.extui %{{.*}} : vector<16xi8> to vector<16xi32>
// CHECK-NEXT: vector.store
// CHECK: scf.for
// CHECK:   vector.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
// CHECK:   %[[AT:.*]] = vector.insert_strided_slice %{{.*}} {offsets = [12], strides = [1]} : vector<4xi32> into vector<16xi32>
// CHECK:   %[[FOUND:.*]] = func.call @lci.lanes.look_up.8xf32(%{{.*}}, %[[AT]])
// CHECK:   scf.if %{{.*}} -> (vector<16xf32>) {
// CHECK:     scf.yield %[[FOUND]] : vector<16xf32>
// CHECK:   %[[LOWEST:.*]] = arith.trunci %{{.*}} : vector<16xi64> to vector<16xi32>
// CHECK:   vector.extract_strided_slice %[[LOWEST]] {offsets = [0]
// CHECK:   vector.bitcast %{{.*}} : vector<4xi32> to vector<16xi8>
func.func @blocks(%bytes: memref<16xi8>, %m: memref<16xi32>, %table: vector<8xf32>, %some: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %own = vector.load %bytes[%zero] : memref<16xi8>, vector<16xi8>
  %numbers = arith.extui %own : vector<16xi8> to vector<16xi32>
  vector.store %numbers, %m[%zero] : memref<16xi32>, vector<16xi32>
  scf.for %i = %zero to %two step %one {
    %b = vector.load %bytes[%zero] : memref<16xi8>, vector<16xi8>
    %at = arith.extui %b : vector<16xi8> to vector<16xi32>
    %found = func.call @lci.lanes.look_up.8xf32(%table, %at) : (vector<8xf32>, vector<16xi32>) -> vector<16xf32>
    %kept = scf.if %some -> (vector<16xf32>) {
      scf.yield %found : vector<16xf32>
    } else {
      %nothing = arith.constant dense<0.0> : vector<16xf32>
      scf.yield %nothing : vector<16xf32>
    }
    %long = arith.fptoui %kept : vector<16xf32> to vector<16xi64>
    %new = arith.trunci %long : vector<16xi64> to vector<16xi8>
    vector.store %new, %bytes[%zero] : memref<16xi8>, vector<16xi8>
  }
  return
}

// -----

// A mask of the first five cells, four of which begin a word: it is written in the order of what it keeps.
// CHECK-LABEL: func.func @mask(
// CHECK: %[[MASK:.*]] = arith.constant dense<[true, true, false, false, true, false, false, false, true, false, false, false, true, false, false, false]>
// CHECK: arith.select %[[MASK]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xi1>
func.func @mask(%m: memref<16xi8>, %p: f32) -> i1 {
  %zero = arith.constant 0 : index
  %bytes = vector.load %m[%zero] : memref<16xi8>, vector<16xi8>
  %x = arith.uitofp %bytes : vector<16xi8> to vector<16xf32>
  %limit = vector.broadcast %p : f32 to vector<16xf32>
  %less = arith.cmpf olt, %x, %limit : vector<16xf32>
  %five = arith.constant dense<[true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false]> : vector<16xi1>
  %none = arith.constant dense<false> : vector<16xi1>
  %kept = arith.select %five, %less, %none : vector<16xi1>, vector<16xi1>
  %any = vector.reduction <or>, %kept : vector<16xi1> into i1
  return %any : i1
}
