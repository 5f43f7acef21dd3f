// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-share-scratch))' | FileCheck %s
// A buffer of which it is not known how long it is needed, or how large it is, stays as it is; and without one there is no arena.

module attributes {gpu.container_module} {
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:    memref.alloc() : memref<8xf32>
// CHECK-NEXT:    return
func.func @returned() -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  return %a : memref<8xf32>
}

// CHECK-LABEL: func.func @next_iteration(
// CHECK-NOT:     memref.view
// CHECK:         scf.for
// CHECK:           memref.alloc() : memref<8xf32>
// CHECK-NOT:     memref.view
func.func @next_iteration(%n: index, %s: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %s) -> (memref<8xf32>) {
    %a = memref.alloc() : memref<8xf32>
    gpu.launch_func @kernels::@two blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%x : memref<8xf32>, %a : memref<8xf32>)
    scf.yield %a : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @address(
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @address() -> index {
  %a = memref.alloc() : memref<8xf32>
  %address = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  return %address : index
}

// CHECK-LABEL: func.func @elsewhere(
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @elsewhere(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dynamic = memref.alloc(%n) : memref<?xf32>
  %other = memref.alloc() : memref<8xf32, 3>
  %strided = memref.alloc() : memref<8xf32, strided<[2]>>
  gpu.launch_func @kernels::@three blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%dynamic : memref<?xf32>, %other : memref<8xf32, 3>, %strided : memref<8xf32, strided<[2]>>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %private = memref.alloc() : memref<8xf32>
    gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%private : memref<8xf32>)
  }
  return
}

// What nothing needs is no scratch at all.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT:    return
func.func @unused() {
  %a = memref.alloc() : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}

// An arena stays one.
// CHECK-LABEL: func.func @again(
// CHECK:         %[[ARENA:.*]] = memref.alloc() : memref<64xi8>
// CHECK:         memref.view %[[ARENA]]
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @again() {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  gpu.launch_func @kernels::@one blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<8xf32>)
  return
}

gpu.module @kernels {
  gpu.func @one(%a0: memref<8xf32>) kernel {
    gpu.return
  }
  gpu.func @two(%a0: memref<8xf32>, %a1: memref<8xf32>) kernel {
    gpu.return
  }
  gpu.func @three(%a0: memref<?xf32>, %a1: memref<8xf32, 3>, %a2: memref<8xf32, strided<[2]>>) kernel {
    gpu.return
  }
}
}
