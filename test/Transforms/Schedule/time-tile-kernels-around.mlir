// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-inner=0}))' | FileCheck %s
// Reasons to keep one launch per epoch, in halos and in operations around the loop: each function but the last differs from it in one thing.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-NOT: gpu.launch

// The halo lacks a row.
func.func @lacks(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
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

// The halo is another row.
func.func @mirrors(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %z = arith.constant 0 : i32
    %last_row = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.fill ins(%z : i32) outs(%last_row : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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
func.func @begins(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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

// After the halo was made cells are written.
func.func @overwritten(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %z = arith.constant 0 : i32
  %czero = arith.constant 0 : index
  %cz = arith.constant 5 : index
  memref.store %z, %A[%cz, %czero] : memref<34x4xi32>
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
    scf.yield %b, %a : memref<34x4xi32>, memref<34x4xi32>
  }
  return
}

// The second result is used.
func.func @second(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %s = arith.addi %x, %y : i32
        linalg.yield %s : i32
      }
    }
    %hf0 = memref.subview %b[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
    %ht0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
    linalg.copy ins(%hf0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%ht0 : memref<1x4xi32, strided<[4, 1]>>)
    %hf1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
    %ht1 = memref.subview %b[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
    linalg.copy ins(%hf1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%ht1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
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
