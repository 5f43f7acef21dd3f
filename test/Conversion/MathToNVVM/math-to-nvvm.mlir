// RUN: lmpm-opt %s --lci-expand-math --convert-lci-math-to-nvvm | FileCheck %s
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(gpu.module(lci-expand-math,convert-lci-math-to-nvvm,convert-gpu-to-nvvm,reconcile-unrealized-casts),nvvm-attach-target{chip=sm_90 features=+ptx80})' | mlir-opt --gpu-module-to-binary=format=isa | FileCheck %s --check-prefix=PTX
// Expanded functions reach PTX as instructions that round to nearest; nothing is left to libdevice.

// PTX-NOT: .extern
// PTX-NOT: __nv_
// PTX: fma.rn.f64
// PTX-NOT: __nv_

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @exp
  gpu.func @exp(%p: memref<8xf32>, %i: index) kernel {
    %x = memref.load %p[%i] : memref<8xf32>
    // CHECK: llvm.call_intrinsic "llvm.fma.f64"
    // CHECK-NOT: math.
    %y = lci.elementary exp %x : f32
    memref.store %y, %p[%i] : memref<8xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @rounding
  gpu.func @rounding(%p: memref<8xf32>, %i: index) kernel {
    %x = memref.load %p[%i] : memref<8xf32>
    // CHECK: llvm.call_intrinsic "llvm.sqrt.f32"
    // CHECK: llvm.call_intrinsic "llvm.fabs.f32"
    // CHECK: llvm.call_intrinsic "llvm.floor.f32"
    // CHECK: llvm.call_intrinsic "llvm.ceil.f32"
    // CHECK: llvm.call_intrinsic "llvm.roundeven.f32"
    %a = lci.elementary sqrt %x : f32
    %b = math.absf %a : f32
    %c = math.floor %b : f32
    %d = math.ceil %c : f32
    %e = math.roundeven %d : f32
    memref.store %e, %p[%i] : memref<8xf32>
    gpu.return
  }
}

// CHECK-LABEL: func @exact
// CHECK:         llvm.call_intrinsic "llvm.trunc.f64"
// CHECK:         llvm.call_intrinsic "llvm.copysign.f64"
// CHECK:         llvm.call_intrinsic "llvm.fma.v4f32"(%{{.*}}) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
func.func @exact(%x: f64, %v: vector<4xf32>) -> (f64, vector<4xf32>) {
  %t = math.trunc %x : f64
  %s = math.copysign %t, %x : f64
  %f = math.fma %v, %v, %v : vector<4xf32>
  return %s, %f : f64, vector<4xf32>
}

// A product of halves is one instruction; what may be more than a half is not.
// CHECK-LABEL: func @wide
// CHECK:         %[[LOW:.*]] = arith.andi
// CHECK:         %[[A:.*]] = arith.trunci %[[LOW]] : i64 to i32
// CHECK:         %[[B:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK:         %[[P:.*]] = llvm.inline_asm "mul.wide.u32 $0, $1, $2;", "=l,r,r" %[[A]], %[[B]] : (i32, i32) -> i64
// CHECK:         arith.xori
// CHECK:         llvm.inline_asm "mul.wide.u32
// CHECK:         arith.muli
func.func @wide(%x: i64, %y: i32) -> (i64, i64) {
  %mask = arith.constant 4294967295 : i64
  %factor = arith.constant 3528531795 : i64
  %bits = arith.constant 32 : i64
  %low = arith.andi %x, %mask : i64
  %p = arith.muli %low, %factor : i64
  %high = arith.shrui %p, %bits : i64
  %wide = arith.extui %y : i32 to i64
  %both = arith.xori %high, %wide : i64
  %q = arith.muli %both, %factor : i64
  %r = arith.muli %q, %factor : i64
  return %q, %r : i64, i64
}

// A number that is rounded to eleven bits, of two the larger one, has half of its last bit added, unless it is infinite
// or none; in another way it is not rounded.
// CHECK-LABEL: func @rounded
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK:         %[[MOST:.*]] = arith.constant 0x7F800000 : f32
// CHECK:         %[[SIZE:.*]] = llvm.call_intrinsic "llvm.fabs.f32"(%[[X]])
// CHECK:         %[[FINITE:.*]] = arith.cmpf olt, %[[SIZE]], %[[MOST]] : f32
// CHECK:         %[[HALF:.*]] = arith.select %[[FINITE]], %c4096_i32, %c0_i32 : i32
// CHECK:         %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// CHECK:         %[[SUM:.*]] = arith.addi %[[BITS]], %[[HALF]] : i32
// CHECK:         %[[Y:.*]] = arith.bitcast %[[SUM]] : i32 to f32
// CHECK:         arith.truncf %[[X]] : f32 to tf32
// CHECK:         %[[Z:.*]] = arith.extf
// CHECK:         return %[[Y]], %[[Z]]
func.func @rounded(%x: f32) -> (f32, f32) {
  %narrow = arith.truncf %x to_nearest_away : f32 to tf32
  %y = arith.extf %narrow : tf32 to f32
  %even = arith.truncf %x : f32 to tf32
  %z = arith.extf %even : tf32 to f32
  return %y, %z : f32, f32
}

// Only scalars of 32 and 64 bits have such instructions.
// CHECK-LABEL: func @no_lowering_half
func.func @no_lowering_half(%x: f16) -> f16 {
  // CHECK: math.sqrt %{{.*}} : f16
  %y = math.sqrt %x : f16
  return %y : f16
}
