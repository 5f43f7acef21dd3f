// RUN: lmpm-opt %s --lci-kernels-to-loops --split-input-file --verify-diagnostics | FileCheck %s
// The threads of a warp meet where they multiply: all give what they hold, then each adds its part.

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func private @product(
  // Who has taken the branch, what threads hold of both matrices, and of the sums.
  // CHECK-DAG:     %[[TAKEN:.*]] = memref.alloc({{.*}}) : memref<?x?x?xi1>
  // CHECK-DAG:     %[[A:.*]] = memref.alloc({{.*}}) : memref<?x?x?xvector<4x1xf32>>
  // CHECK-DAG:     %[[B:.*]] = memref.alloc({{.*}}) : memref<?x?x?xvector<2x1xf32>>
  // CHECK-DAG:     %[[D:.*]] = memref.alloc({{.*}}) : memref<?x?x?xvector<2x2xf32>>
  // CHECK:         scf.for
  // CHECK:           memref.store %{{.*}}, %{{.*}} : memref<?x?x?xi1>
  // Rounded to eleven bits, but for NaN.
  // CHECK:         scf.if
  // CHECK:           %[[V:.*]] = memref.load %{{.*}} : memref<64xf32>
  // CHECK:           %[[BITS:.*]] = arith.bitcast %[[V]] : f32 to i32
  // CHECK:           %[[MORE:.*]] = arith.addi %[[BITS]], %{{.*}} : i32
  // CHECK:           %[[ROUNDED:.*]] = arith.andi %[[MORE]], %{{.*}} : i32
  // CHECK:           %[[NUMBER:.*]] = arith.bitcast %[[ROUNDED]] : i32 to f32
  // CHECK:           %[[NAN:.*]] = arith.cmpf uno, %[[V]], %[[V]] : f32
  // CHECK:           arith.select %[[NAN]], %[[V]], %[[NUMBER]]
  // CHECK-NOT:       tf32
  // CHECK:         scf.if
  // CHECK:           memref.store %{{.*}} : memref<?x?x?xvector<4x1xf32>>
  // CHECK:           memref.store %{{.*}} : memref<?x?x?xvector<2x1xf32>>
  // Four sums of eight products.
  // CHECK:         scf.if
  // CHECK-COUNT-32:  math.fma
  // CHECK-NOT:       math.fma
  // CHECK:           memref.store %{{.*}} : memref<?x?x?xvector<2x2xf32>>
  // CHECK:         scf.if
  // CHECK:           memref.load %{{.*}} : memref<?x?x?xvector<2x2xf32>>
  gpu.module @kernels {
    gpu.func @product(%m: memref<64xf32>, %some: memref<1xi1>) kernel {
      %c0 = arith.constant 0 : index
      %sums = arith.constant dense<0.0> : vector<2x2xf32>
      %thread = gpu.thread_id x
      %taken = memref.load %some[%c0] : memref<1xi1>
      scf.if %taken {
        %v = memref.load %m[%thread] : memref<64xf32>
        %narrow = arith.truncf %v to_nearest_away : f32 to tf32
        %rounded = arith.extf %narrow : tf32 to f32
        %a = vector.broadcast %rounded : f32 to vector<4x1xf32>
        %b = vector.broadcast %rounded : f32 to vector<2x1xf32>
        %d = nvgpu.mma.sync (%a, %b, %sums) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
        %first = vector.extract %d[0, 0] : f32 from vector<2x2xf32>
        memref.store %first, %m[%thread] : memref<64xf32>
      }
      gpu.return
    }
  }
  func.func @host(%m: memref<64xf32>, %some: memref<1xi1>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%m : memref<64xf32>, %some : memref<1xi1>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @halves(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) kernel {
      // expected-error @+1 {{'nvgpu.mma.sync' op expected a product of 16 by 8 by 8 numbers in TF32, because others have no form on the host}}
      %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @product(%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) kernel {
      %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
      gpu.return
    }
  }
  func.func @host(%a: vector<4x1xf32>, %b: vector<2x1xf32>, %c: vector<2x2xf32>) {
    %c1 = arith.constant 1 : index
    %c48 = arith.constant 48 : index
    // expected-error @+1 {{'gpu.launch_func' op expected rows of whole warps, of 32 threads, because those of a warp work together}}
    gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c48, %c1, %c1) args(%a : vector<4x1xf32>, %b : vector<2x1xf32>, %c : vector<2x2xf32>)
    return
  }
}
