// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-interior=0}))' | FileCheck %s
// Reasons to keep one launch per epoch: each function but the last differs from it in one thing.

#self = affine_map<(d0, d1) -> (d0 + 1, d1)>
#up = affine_map<(d0, d1) -> (d0, d1)>
#down = affine_map<(d0, d1) -> (d0 + 2, d1)>

// CHECK-NOT: gpu.launch

// The buffers do not change places.
func.func @stays(%on: i1, %first: i64, %last: i64,
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
    scf.yield %a, %b : memref<34x4xi32>, memref<34x4xi32>
  }
  %p = memref.extract_aligned_pointer_as_index %end#0 : memref<34x4xi32> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<34x4xi32> -> index
  %moved = arith.cmpi ne, %p, %q : index
  scf.if %moved {
    linalg.copy ins(%end#0 : memref<34x4xi32>) outs(%A : memref<34x4xi32>)
  }
  return
}

// Another step.
func.func @strides(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c2 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
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

// What the switch is, the host may not know.
func.func @unknown_switch(%on: i1, %first: i64, %last: i64, %f: f32,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %on2 = arith.cmpf ogt, %f, %f : f32
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on2 {
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

// It reads what it writes.
func.func @reads_target(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a, %b : memref<34x4xi32>, memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>, %out: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %out[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
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

// It reads another array.
func.func @reads_other(%on: i1, %first: i64, %last: i64, %C: memref<34x4xi32> {llvm.noalias},
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a, %C : memref<34x4xi32>, memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>, %other: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %other[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
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

// Some cells keep what they hold.
func.func @keeps(%on: i1, %first: i64, %last: i64,
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
        %some = arith.cmpi ne, %x, %y : i32
        lci.install %s if %some : i32
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

// Some cells are settled.
func.func @settles(%on: i1, %first: i64, %last: i64,
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
        %some = arith.cmpi ne, %x, %y : i32
        lci.install %s if %yes unless %some : i32
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

// It reads at computed places.
func.func @loads(%on: i1, %first: i64, %last: i64, %C: memref<4xi32> {llvm.noalias},
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a, %C : memref<34x4xi32>, memref<4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>, %table: memref<4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = memref.load %table[%j] : memref<4xi32>
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

// It reads cells at other places than a window.
func.func @gathers(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[affine_map<(d0, d1) -> (d0 mod 2, d1)>](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
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

// It reads rows as columns.
func.func @turns(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[affine_map<(d0, d1) -> (d0, d0 mod 4)>](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
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

// What it counts may be a cell.
func.func @counts_cells(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %counts = call @find_counter() : () -> memref<1xi32>
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) counts(%counts : memref<1xi32>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s if %yes tally %s : i32 to [0] : i32
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

// A part of the cells.
func.func @part(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) box [0, 0] [31, 4] step [1, 1] class_stride 1 {
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

// Every other row.
func.func @every_other(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) box [0, 0] [16, 4] step [2, 1] class_stride 1 {
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

// The cells of a set.
func.func @some_cells(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) cells affine_set<(d0, d1)[s0] : ((d0 + d1 - s0) mod 2 == 0)> class_stride 1 {
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

// It says how sure it is.
func.func @scores(%on: i1, %first: i64, %last: i64, %S: memref<32x4xf32> {llvm.noalias},
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) scores(%S : memref<32x4xf32>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        %sure = arith.constant 1.0 : f32
        lci.install %s if %yes score %sure : i32
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

// It writes two arrays.
func.func @two_targets(%on: i1, %first: i64, %last: i64, %C: memref<32x4xi32> {llvm.noalias},
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  lci.refresh_halo %A low [1, 0] high [1, 0] [#lci.boundary<wrap>, #lci.boundary<open>] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next, %C : memref<32x4xi32, strided<[4, 1], offset: 4>>, memref<32x4xi32>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %y = lci.load %in[#down](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        %s = arith.addi %x, %y : i32
        lci.install %s, %x if %yes : i32, i32
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

// Two ticks.
func.func @twice(%on: i1, %first: i64, %last: i64,
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
      lci.tick @Cell at %e, %e, %e inputs(%a : memref<34x4xi32>) target(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) class_stride 1 {
      ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<34x4xi32>):
        %yes = arith.constant true
        %x = lci.load %in[#up](%i, %j) [#lci.boundary<open>, #lci.boundary<open>] : memref<34x4xi32> -> i32
        lci.install %x if %yes : i32
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

func.func private @find_counter() -> memref<1xi32>
