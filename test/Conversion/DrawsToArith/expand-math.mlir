// RUN: lmpm-opt %s --lci-expand-math | FileCheck %s
// Functions become exact operations: fused multiply-adds and square roots, never a library's exp.

// CHECK-LABEL: func @sqrt_scalar
// CHECK-SAME: (%[[X:.*]]: f32)
func.func @sqrt_scalar(%x: f32) -> f32 {
  // CHECK: %[[ROOT:.*]] = math.sqrt %[[X]] : f32
  // NaN becomes canonical on the bits: LLVM drops a select between NaNs.
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[ROOT]] : f32 to i32
  // CHECK-DAG: %[[NAN:.*]] = arith.constant 2143289344 : i32
  // CHECK-DAG: %[[ISNAN:.*]] = arith.cmpi ugt
  // CHECK: %[[RESULT:.*]] = arith.select %[[ISNAN]], %[[NAN]], %[[BITS]]
  // CHECK: arith.bitcast %[[RESULT]] : i32 to f32
  %y = lci.elementary sqrt %x : f32
  return %y : f32
}

// CHECK-LABEL: func @exp_scalar
func.func @exp_scalar(%x: f32) -> f32 {
  // CHECK: arith.extf %{{.*}} : f32 to f64
  // CHECK: math.fma %{{.*}} : f64
  // CHECK: arith.shli %{{.*}} : i64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %y = lci.elementary exp %x : f32
  return %y : f32
}

// CHECK-LABEL: func @exp_vector
func.func @exp_vector(%x: vector<16xf32>) -> vector<16xf32> {
  // CHECK: arith.constant dense<{{.*}}> : vector<16xf64>
  // CHECK: math.fma %{{.*}} : vector<16xf64>
  // CHECK: arith.bitcast %{{.*}} : vector<16xf64> to vector<16xi64>
  // CHECK: arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
  %y = lci.elementary exp %x : vector<16xf32>
  return %y : vector<16xf32>
}

// CHECK-LABEL: func @pow_tensor
func.func @pow_tensor(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x4xf32>, tensor<4x4xf32>)
  // CHECK: arith.divf %{{.*}} : f64
  // CHECK: arith.truncf %{{.*}} : f64 to f32
  %z = lci.elementary_binary pow %x, %y : tensor<4x4xf32>
  return %z : tensor<4x4xf32>
}

// CHECK-LABEL: func @floordiv_constant
// CHECK-SAME: (%[[X:.*]]: i64)
func.func @floordiv_constant(%x: i64) -> i64 {
  // The guards against dividing by 0 and -1 fold away.
  // CHECK-NOT: arith.cmpi eq
  // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8
  // CHECK: arith.divsi %[[X]], %[[EIGHT]]
  // CHECK: return
  %c = arith.constant 8 : i64
  %y = lci.floordiv %x, %c : i64
  return %y : i64
}

// CHECK-LABEL: func @floormod_variable
// CHECK-SAME: (%[[X:.*]]: i64, %[[Y:.*]]: i64)
func.func @floormod_variable(%x: i64, %y: i64) -> i64 {
  // CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Y]] : i64
  // CHECK: arith.remsi %[[X]], %[[SAFE]]
  // CHECK-NOT: lci.floormod
  %z = lci.floormod %x, %y : i64
  return %z : i64
}

// Models write upstream's operations; on f32 they mean the same.
// CHECK-LABEL: func @upstream
func.func @upstream(%x: f32, %v: vector<4xf32>) -> (f32, vector<4xf32>) {
  // CHECK-NOT: math.{{exp|powf|tanh|rsqrt}}
  // CHECK: math.sqrt %{{.*}} : f64
  %a = math.exp %x : f32
  %b = math.powf %a, %x : f32
  %c = math.rsqrt %b : f32
  %d = math.tanh %v : vector<4xf32>
  return %c, %d : f32, vector<4xf32>
}

// CHECK-LABEL: func @no_expand_other_types
func.func @no_expand_other_types(%x: f64, %y: f32) -> (f64, f32) {
  // CHECK: math.cos %{{.*}} : f64
  // CHECK: math.sqrt %{{.*}} : f32
  %a = math.cos %x : f64
  %b = math.sqrt %y : f32
  return %a, %b : f64, f32
}

// CHECK-LABEL: func @threshold
func.func @threshold(%p: f32) -> i64 {
  // CHECK-NOT: lci.threshold
  // CHECK: arith.mulf %{{.*}} : f64
  // CHECK: arith.select %{{.*}} : i64
  %t = lci.threshold %p
  return %t : i64
}

// CHECK-LABEL: func @absolute
// CHECK-SAME: (%[[X:.*]]: i64)
func.func @absolute(%x: i64) -> i64 {
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK: %[[OPPOSITE:.*]] = arith.subi %[[ZERO]], %[[X]] : i64
  // CHECK: arith.maxsi %[[X]], %[[OPPOSITE]] : i64
  %y = math.absi %x : i64
  return %y : i64
}

// A model's stays.
// CHECK-LABEL: func @absolutes
func.func @absolutes(%x: tensor<4xi64>) -> tensor<4xi64> {
  // CHECK: math.absi %{{.*}} : tensor<4xi64>
  %y = math.absi %x : tensor<4xi64>
  return %y : tensor<4xi64>
}
