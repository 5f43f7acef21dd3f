// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-share-scratch))' | FileCheck %s
// Scratch buffers are parts of one arena, in which those that are never needed together share bytes.

module attributes {gpu.container_module} {
// CHECK-LABEL: func.func @chain(
// CHECK:         %[[ARENA:.*]] = memref.alloc() {alignment = 256 : i64} : memref<1024xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         %[[A:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] : memref<1024xi8> to memref<128xf32>
// CHECK-NEXT:    gpu.launch_func @kernels::@one {{.*}} args(%[[A]]
// CHECK:         %[[B:.*]] = memref.view %[[ARENA]][%c512{{.*}}][] : memref<1024xi8> to memref<128xf32>
// CHECK-NEXT:    gpu.launch_func @kernels::@two {{.*}} args(%[[A]] : memref<128xf32>, %[[B]]
// CHECK:         %[[C:.*]] = memref.view %[[ARENA]][%c0{{.*}}][] : memref<1024xi8> to memref<128xf32>
// CHECK-NEXT:    gpu.launch_func @kernels::@two {{.*}} args(%[[B]] : memref<128xf32>, %[[C]]
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK-NOT:     memref.dealloc
func.func @chain() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  %c = memref.alloc() : memref<128xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<128xf32>)
  gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<128xf32>, %b : memref<128xf32>)
  gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%b : memref<128xf32>, %c : memref<128xf32>)
  memref.dealloc %a : memref<128xf32>
  memref.dealloc %b : memref<128xf32>
  return
}

// Each begins at a multiple of 256 bytes, also behind three bytes; of no
// bytes it has a place too.
// CHECK-LABEL: func.func @sizes(
// CHECK:         memref.alloc() {alignment = 256 : i64} : memref<1024xi8>
// CHECK-DAG:     memref.view {{.*}}[%c0{{.*}}][] : memref<1024xi8> to memref<130xi16>
// CHECK-DAG:     memref.view {{.*}}[%c768{{.*}}][] : memref<1024xi8> to memref<3xi8>
// CHECK-DAG:     memref.view {{.*}}[%c512{{.*}}][] : memref<1024xi8> to memref<2xvector<2xf32>>
// CHECK-DAG:     memref.view {{.*}}[%c1024{{.*}}][] : memref<1024xi8> to memref<0xf32>
func.func @sizes() {
  %c1 = arith.constant 1 : index
  %none = memref.alloc() : memref<0xf32>
  %bytes = memref.alloc() : memref<3xi8>
  %halves = memref.alloc() : memref<130xi16>
  %pairs = memref.alloc() : memref<2xvector<2xf32>>
  gpu.launch_func @kernels::@all blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%none : memref<0xf32>, %bytes : memref<3xi8>, %halves : memref<130xi16>, %pairs : memref<2xvector<2xf32>>)
  return
}

// What is allocated before a loop and used in it is needed in all iterations; what is allocated in the loop, in none
// but its own, so it may lie where something was before the loop, and two in turn may lie in one place.
// CHECK-LABEL: func.func @loops(
// CHECK:         memref.alloc() {{.*}} : memref<1024xi8>
// CHECK:         %[[BEFORE:.*]] = memref.view %{{.*}}[%c0{{.*}}][]
// CHECK-NEXT:    gpu.launch_func @kernels::@one {{.*}} args(%[[BEFORE]]
// CHECK:         %[[CARRIED:.*]] = memref.view %{{.*}}[%c0{{.*}}][]
// CHECK-NEXT:    scf.for
// CHECK:           %[[FIRST:.*]] = memref.view %{{.*}}[%c512{{.*}}][]
// CHECK-NEXT:      gpu.launch_func @kernels::@two {{.*}} args(%[[CARRIED]] : memref<128xf32>, %[[FIRST]]
// CHECK:           scf.if
// CHECK:             %[[SECOND:.*]] = memref.view %{{.*}}[%c512{{.*}}][]
// CHECK-NEXT:        gpu.launch_func @kernels::@one {{.*}} args(%[[SECOND]]
func.func @loops(%n: index, %on: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = memref.alloc() : memref<128xf32>
  %carried = memref.alloc() : memref<128xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%before : memref<128xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %first = memref.alloc() : memref<128xf32>
    gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%carried : memref<128xf32>, %first : memref<128xf32>)
    scf.if %on {
      %second = memref.alloc() : memref<128xf32>
      gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%second : memref<128xf32>)
    }
  }
  return
}

// Two that change places are both needed as long as either of their names is.
// CHECK-LABEL: func.func @ping_pong(
// CHECK:         memref.alloc() {{.*}} : memref<1536xi8>
func.func @ping_pong(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  %c = memref.alloc() : memref<128xf32>
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<128xf32>, memref<128xf32>) {
    gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<128xf32>, %y : memref<128xf32>)
    scf.yield %y, %x : memref<128xf32>, memref<128xf32>
  }
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c : memref<128xf32>)
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%last#0 : memref<128xf32>)
  return
}

// A part of a buffer, a choice, and a call are uses of it.
// CHECK-LABEL: func.func @names(
// CHECK:         memref.alloc() {{.*}} : memref<1536xi8>
func.func private @callee(memref<128xf32>)
func.func @names(%on: i1) {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  %b = memref.alloc() : memref<128xf32>
  %c = memref.alloc() : memref<128xf32>
  %half = memref.subview %a[64] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1], offset: 64>>
  %one = arith.select %on, %a, %b : memref<128xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%c : memref<128xf32>)
  func.call @callee(%one) : (memref<128xf32>) -> ()
  gpu.launch_func @kernels::@part blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%half : memref<64xf32, strided<[1], offset: 64>>)
  return
}

gpu.module @kernels {
  gpu.func @one(%a0: memref<128xf32>) kernel {
    gpu.return
  }
  gpu.func @two(%a0: memref<128xf32>, %a1: memref<128xf32>) kernel {
    gpu.return
  }
  gpu.func @all(%a0: memref<0xf32>, %a1: memref<3xi8>, %a2: memref<130xi16>, %a3: memref<2xvector<2xf32>>) kernel {
    gpu.return
  }
  gpu.func @part(%a0: memref<64xf32, strided<[1], offset: 64>>) kernel {
    gpu.return
  }
}
}
