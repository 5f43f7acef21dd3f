// RUN: lmpm-opt %s --split-input-file --lci-attach-cpu-target=vector-bits=128 --lci-split-vectors | FileCheck %s
// Numbers that fill several registers are computed one register after the other.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.*]]: vector<8xf32>, %[[M:.*]]: memref<8xf32>
// CHECK: %[[X0:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [4], strides = [1]}
// CHECK-NEXT: %[[Y0:.*]] = arith.addf %[[X0]], %{{.*}} : vector<4xf32>
// CHECK-NEXT: %[[MORE0:.*]] = arith.cmpf ogt, %[[Y0]], %{{.*}} : vector<4xf32>
// CHECK-NEXT: arith.select %[[MORE0]], %[[Y0]], %{{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: %[[FIRST:.*]] = vector.insert_strided_slice %{{.*}} {offsets = [0], strides = [1]}
// CHECK: %[[X1:.*]] = vector.extract_strided_slice %[[X]] {offsets = [4], sizes = [4], strides = [1]}
// CHECK-NEXT: arith.addf %[[X1]]
// CHECK: %[[ALL:.*]] = vector.insert_strided_slice %{{.*}}, %[[FIRST]] {offsets = [4], strides = [1]}
// CHECK: vector.store %[[ALL]], %[[M]]
func.func @chain(%x: vector<8xf32>, %m: memref<8xf32>) {
  %zero = arith.constant 0 : index
  %c = arith.constant dense<1.0> : vector<8xf32>
  %none = arith.constant dense<0.0> : vector<8xf32>
  %y = arith.addf %x, %c : vector<8xf32>
  %more = arith.cmpf ogt, %y, %none : vector<8xf32>
  %z = arith.select %more, %y, %none : vector<8xi1>, vector<8xf32>
  vector.store %z, %m[%zero] : memref<8xf32>, vector<8xf32>
  return
}

// -----

// Calls that compute lane by lane move along, with what they are given; others, and what a later block needs, stay.
func.func private @lci.lanes.twice(vector<4xf32>) -> vector<4xf32>
func.func private @other(vector<4xf32>) -> vector<4xf32>
// CHECK-LABEL: func.func @calls(
// CHECK: call @other
// CHECK: %[[KEPT:.*]] = vector.extract_strided_slice %{{.*}} {offsets = [4], sizes = [4], strides = [1]}
// CHECK: scf.if
// CHECK: %[[LOW:.*]] = vector.extract_strided_slice
// CHECK-NEXT: %[[DONE:.*]] = call @lci.lanes.twice(%[[LOW]])
// CHECK-NEXT: vector.store %[[DONE]]
func.func @calls(%x: vector<8xf32>, %y: vector<8xf32>, %m: memref<4xf32>, %some: i1) {
  %zero = arith.constant 0 : index
  %low = vector.extract_strided_slice %x {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %done = func.call @lci.lanes.twice(%low) : (vector<4xf32>) -> vector<4xf32>
  %same = vector.extract_strided_slice %y {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %unused = func.call @other(%same) : (vector<4xf32>) -> vector<4xf32>
  %high = vector.extract_strided_slice %x {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  scf.if %some {
    vector.store %high, %m[%zero] : memref<4xf32>, vector<4xf32>
  }
  vector.store %done, %m[%zero] : memref<4xf32>, vector<4xf32>
  return
}

// -----

// What fits one register, or comes in bytes, stays as it is; so does a part that a block behind this one needs.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: vector.extract_strided_slice
// CHECK: %[[Z:.*]] = arith.addf %{{.*}} : vector<4xf32>
// CHECK-NEXT: cf.br
func.func @small(%x: vector<4xf32>, %b: vector<8xi8>, %p: vector<8x!llvm.ptr>) -> (vector<4xf32>, vector<8xi8>) {
  %same = arith.cmpi eq, %b, %b : vector<8xi8>
  %q = arith.select %same, %p, %p : vector<8xi1>, vector<8x!llvm.ptr>
  %y = arith.addi %b, %b : vector<8xi8>
  %z = arith.addf %x, %x : vector<4xf32>
  cf.br ^next
^next:
  return %z, %y : vector<4xf32>, vector<8xi8>
}
