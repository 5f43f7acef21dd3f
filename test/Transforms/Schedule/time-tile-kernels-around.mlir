// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-interior=0}))' | FileCheck %s
// Reasons to keep one launch per epoch, in halos and in operations around the loop: each function but the last differs from it in one thing.

#self = affine_map<(d0, d1) -> (d0 + 1, d1)>
#up = affine_map<(d0, d1) -> (d0, d1)>
#down = affine_map<(d0, d1) -> (d0 + 2, d1)>

// CHECK-NOT: gpu.launch

// There is no halo.
func.func @lacks(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// The halo is the nearest row.
func.func @clamps(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<clamp>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// The halo is a constant.
func.func @constant(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<open>, #lci.boundary<open>] fill %z : memref<34x4xi32>, i32
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// The halo has one side only.
func.func @narrow(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [0, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// Only some rows of it are refreshed.
func.func @some_rows(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %i0 = arith.constant 0 : index
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b rows [%i0, %i0] low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// It is the halo of the other buffer.
func.func @other_buffer(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %a low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// There are two.
func.func @two_halos(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// Something else follows the tick.
func.func @copies(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    %from = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %to = memref.subview %b[2, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 8>>
    linalg.copy ins(%from : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%to : memref<1x4xi32, strided<[4, 1], offset: 8>>)
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// Before the loop the halo is not refreshed.
func.func @begins(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// Before the loop the halo is not the torus's.
func.func @begins_otherwise(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<clamp>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// After the halo was refreshed cells are written.
func.func @overwritten(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %w = arith.constant 7 : i32
  %row = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  linalg.fill ins(%w : i32) outs(%row : memref<1x4xi32, strided<[4, 1], offset: 4>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// The second buffer is somebody's.
func.func @shared(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// Somebody looks at the second buffer.
func.func @looked_at(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  linalg.copy ins(%B : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  return
}

// Nobody brings the result back.
func.func @left(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  return
}

// The second result is used.
func.func @second(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  linalg.copy ins(%end#1 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  return
}

// CHECK-LABEL: func.func @blocked(
// CHECK: gpu.launch
// None of that.
func.func @blocked(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes : i32
      }
    }
    lci.refresh_halo %b low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}
