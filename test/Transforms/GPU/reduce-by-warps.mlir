// RUN: lmpm-opt %s --pass-pipeline='builtin.module(gpu.module(lci-reduce-by-warps),canonicalize)' | FileCheck %s
// Each warp sums up by one instruction, and one more sums up what the warps have.

// CHECK-LABEL: gpu.func @four(
// CHECK-SAME:    workgroup(%[[SUMS:.*]] : memref<4xi32, #gpu.address_space<workgroup>>)
// CHECK-DAG:     %[[NONE:.*]] = arith.constant 0 : i32
// CHECK:         %[[MINE:.*]] = memref.load
// CHECK:         %[[WARP_SUM:.*]] = gpu.subgroup_reduce add %[[MINE]] uniform
// CHECK:         %[[LANE:.*]] = arith.remui %{{.*}}, %c32
// CHECK:         %[[WARP:.*]] = arith.divui %{{.*}}, %c32
// CHECK:         scf.if
// CHECK:           memref.store %[[WARP_SUM]], %[[SUMS]][%[[WARP]]]
// CHECK:         gpu.barrier
// CHECK:         %[[PLACE:.*]] = arith.minui %[[LANE]], %c3
// CHECK:         %[[OTHER:.*]] = memref.load %[[SUMS]][%[[PLACE]]]
// CHECK:         %[[IS:.*]] = arith.cmpi ult, %[[LANE]], %c4
// CHECK:         %[[OR:.*]] = arith.select %[[IS]], %[[OTHER]], %[[NONE]] : i32
// CHECK:         %[[SUM:.*]] = gpu.subgroup_reduce add %[[OR]] uniform
// CHECK-NOT:     gpu.all_reduce
// CHECK:         memref.store %[[SUM]]
gpu.module @kernels {
  gpu.func @four(%m: memref<128xi32>) kernel attributes {known_block_size = array<i32: 16, 4, 2>} {
    %x = gpu.thread_id x
    %v = memref.load %m[%x] : memref<128xi32>
    %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
    memref.store %sum, %m[%x] : memref<128xi32>
    gpu.return
  }

  // A block of one warp, even if not a whole one, needs no memory.
  // CHECK-LABEL: gpu.func @one(
  // CHECK-NOT:     workgroup
  // CHECK:         gpu.subgroup_reduce
  // CHECK-NOT:     gpu.subgroup_reduce
  // CHECK:         gpu.return
  gpu.func @one(%m: memref<128xi32>) kernel attributes {known_block_size = array<i32: 20, 1, 1>} {
    %x = gpu.thread_id x
    %v = memref.load %m[%x] : memref<128xi32>
    %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
    memref.store %sum, %m[%x] : memref<128xi32>
    gpu.return
  }

  // Other numbers, other reductions, sums that not all threads need get to and those in loops stay.
  // CHECK-LABEL: gpu.func @negative_others(
  // CHECK-COUNT-4: gpu.all_reduce
  // CHECK-NOT:     gpu.subgroup_reduce
  gpu.func @negative_others(%m: memref<128xi32>, %f: f32, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = gpu.thread_id x
    %v = memref.load %m[%x] : memref<128xi32>
    %a = gpu.all_reduce add %f uniform {} : (f32) -> f32
    %b = gpu.all_reduce maxsi %v uniform {} : (i32) -> i32
    %c = gpu.all_reduce add %v {} : (i32) -> i32
    scf.for %i = %c0 to %n step %c1 {
      %d = gpu.all_reduce add %v uniform {} : (i32) -> i32
      memref.store %d, %m[%i] : memref<128xi32>
    }
    memref.store %b, %m[%x] : memref<128xi32>
    memref.store %c, %m[%x] : memref<128xi32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_size(
  // CHECK:         gpu.all_reduce
  gpu.func @negative_size(%m: memref<128xi32>) kernel {
    %x = gpu.thread_id x
    %v = memref.load %m[%x] : memref<128xi32>
    %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
    memref.store %sum, %m[%x] : memref<128xi32>
    gpu.return
  }
}
