// RUN: lmpm-opt %s --canonicalize | FileCheck %s
// Functions of constants fold to the correctly rounded value, not to the host library's.

// CHECK-LABEL: func @scalar
func.func @scalar() -> (f32, f32, f32) {
  // exp(0.5), 2^-0x1.e7526ep-6 (a near tie), and the square root of a negative number.
  // CHECK-DAG: arith.constant 1.64872122 : f32
  // CHECK-DAG: arith.constant 0.97959429 : f32
  // CHECK-DAG: arith.constant 0x7FC00000 : f32
  // CHECK-NOT: lci.elementary
  %half = arith.constant 0.5 : f32
  %hard = arith.constant 0xBCF3A937 : f32
  %minus = arith.constant -1.0 : f32
  %a = lci.elementary exp %half : f32
  %b = lci.elementary exp2 %hard : f32
  %c = lci.elementary sqrt %minus : f32
  return %a, %b, %c : f32, f32, f32
}

// CHECK-LABEL: func @splat
func.func @splat() -> tensor<4xf32> {
  // CHECK: arith.constant dense<5.000000e-01> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %a = lci.elementary sigmoid %zero : tensor<4xf32>
  return %a : tensor<4xf32>
}

// CHECK-LABEL: func @binary
func.func @binary() -> (f32, f32) {
  // CHECK-DAG: arith.constant 0x4B801000 : f32
  // CHECK-DAG: arith.constant 0.785398185 : f32
  %x = arith.constant 4097.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = lci.elementary_binary pow %x, %two : f32
  %b = lci.elementary_binary atan2 %one, %one : f32
  return %a, %b : f32, f32
}

// CHECK-LABEL: func @no_fold_variable
func.func @no_fold_variable(%x: f32) -> f32 {
  // CHECK: lci.elementary exp
  %a = lci.elementary exp %x : f32
  return %a : f32
}

// CHECK-LABEL: func @threshold
func.func @threshold() -> (i64, i64) {
  // CHECK-DAG: arith.constant 4294967296 : i64
  // CHECK-DAG: arith.constant 1073741824 : i64
  %sure = arith.constant 1.5 : f32
  %quarter = arith.constant 0.25 : f32
  %a = lci.threshold %sure
  %b = lci.threshold %quarter
  return %a, %b : i64, i64
}

// The authors' known answer for pi's digits; each element of a vector by itself.
// CHECK-LABEL: func @words
func.func @words() -> (i64, i64, i64, i64, vector<2xi64>) {
  // CHECK-DAG: arith.constant 3513581065 : i64
  // CHECK-DAG: arith.constant 2499661035 : i64
  // CHECK-DAG: arith.constant 1342301216 : i64
  // CHECK-DAG: arith.constant 605187745 : i64
  // CHECK-DAG: arith.constant dense<[1713891541, 1083123565]> : vector<2xi64>
  // CHECK-NOT: lci.philox
  %a = arith.constant 0x243f6a88 : i64
  %b = arith.constant 0x85a308d3 : i64
  %c = arith.constant 0x13198a2e : i64
  %d = arith.constant 0x03707344 : i64
  %low = arith.constant 0xa4093822 : i64
  %high = arith.constant 0x299f31d0 : i64
  %w:4 = lci.philox %a, %b, %c, %d key %low, %high : i64
  %least_and_most = arith.constant dense<[0, 0xffffffff]> : vector<2xi64>
  %v:4 = lci.philox %least_and_most, %least_and_most, %least_and_most, %least_and_most key %least_and_most, %least_and_most : vector<2xi64>
  return %w#0, %w#1, %w#2, %w#3, %v#0 : i64, i64, i64, i64, vector<2xi64>
}

// Before a program is bound nobody knows how many ones there are.
// CHECK-LABEL: func @power_of_unknown
func.func @power_of_unknown(%v: tensor<?xf32>, %w: tensor<2xf32>) -> (tensor<?xf32>, tensor<2xf32>) {
  // CHECK-DAG: arith.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK-DAG: lci.power %{{.*}}, 0 : tensor<?xf32>
  %p = lci.power %v, 0 : tensor<?xf32>
  %q = lci.power %w, 0 : tensor<2xf32>
  return %p, %q : tensor<?xf32>, tensor<2xf32>
}
