// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-time-tile-ticks{min-bytes=1 max-epochs=2 rows=2}))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-time-tile-ticks{min-bytes=0 max-epochs=2 rows=2}))' | FileCheck %s --check-prefix=ALL
// Where cells draw for longer than memory moves, windows gain nothing.

// CHECK-LABEL: func.func @bytes(
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// ALL-LABEL: func.func @bytes(
// ALL-COUNT-3: scf.for
func.func @bytes(%a: memref<64x64xi8> {llvm.noalias}, %first: i64, %last: i64) {
  %c1 = arith.constant 1 : i64
  scf.for %e = %first to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e target(%a : memref<64x64xi8>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64):
      %limit = arith.constant 2147483648 : i64
      %drawn = lci.draw_below %limit stream <1, 0>
      %token = arith.extui %drawn : i1 to i8
      %yes = arith.constant true
      lci.install %token if %yes : i8
    }
  }
  return
}

// -----

// Numbers of 32 bits move as long as one draw of each takes.
// CHECK-LABEL: func.func @numbers(
// CHECK-COUNT-3: scf.for
func.func @numbers(%a: memref<64x64xf32> {llvm.noalias}, %first: i64, %last: i64) {
  %c1 = arith.constant 1 : i64
  scf.for %e = %first to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e target(%a : memref<64x64xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64):
      %limit = arith.constant 2147483648 : i64
      %drawn = lci.draw_below %limit stream <1, 0>
      %token = arith.uitofp %drawn : i1 to f32
      %yes = arith.constant true
      lci.install %token if %yes : f32
    }
  }
  return
}

// -----

// A number for each cell takes a quarter of a block.
// CHECK-LABEL: func.func @uniform(
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
func.func @uniform(%a: memref<64x64xf32> {llvm.noalias}, %first: i64, %last: i64) {
  %c1 = arith.constant 1 : i64
  scf.for %e = %first to %last step %c1 : i64 {
    lci.tick @A at %e, %e, %e target(%a : memref<64x64xf32>) class_stride 1 {
    ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64):
      %number = lci.uniform stream <1, 0>
      %yes = arith.constant true
      lci.install %number if %yes : f32
    }
  }
  return
}
