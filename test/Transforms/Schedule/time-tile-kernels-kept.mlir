// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-time-tile-kernels{epochs=4 columns=4 threads=16 min-tiles=1 min-inner=0}))' | FileCheck %s
// Reasons to keep one launch per epoch: each function but the last differs from it in one thing.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-NOT: gpu.launch

// The buffers do not change places.
func.func @stays(%on: i1, %first: i64, %last: i64,
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
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %c2 = arith.constant 2 : i64
  %end:2 = scf.for %e = %first to %last step %c2 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
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

// What the switch is, the host may not know.
func.func @unknown_switch(%on: i1, %first: i64, %last: i64, %f: f32,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %c1 = arith.constant 1 : i64
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %on2 = arith.cmpf ogt, %f, %f : f32
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on2 {
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

// It reads what it writes.
func.func @reads_target(%on: i1, %first: i64, %last: i64,
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
      %down = memref.subview %b[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
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

// It reads another array.
func.func @reads_other(%on: i1, %first: i64, %last: i64, %C: memref<34x4xi32> {llvm.noalias},
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
      %down = memref.subview %C[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
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

// It looks at what was there.
func.func @looks(%on: i1, %first: i64, %last: i64,
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
        %s = arith.addi %x, %o : i32
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

// It reads at computed places.
func.func @loads(%on: i1, %first: i64, %last: i64, %C: memref<4xi32> {llvm.noalias},
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
        %i = arith.index_cast %x : i32 to index
        %s = memref.load %C[%i] : memref<4xi32>
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

// What it counts may be a cell.
func.func @counts_cells(%on: i1, %first: i64, %last: i64,
    %B: memref<34x4xi32> {lci.role = "scratch", llvm.noalias}, %A: memref<34x4xi32> {llvm.noalias}) {
  %C = func.call @find_counter() : () -> memref<1xi32>
  %c1 = arith.constant 1 : i64
  %if0 = memref.subview %A[32, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 128>>
  %it0 = memref.subview %A[0, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1]>>
  linalg.copy ins(%if0 : memref<1x4xi32, strided<[4, 1], offset: 128>>) outs(%it0 : memref<1x4xi32, strided<[4, 1]>>)
  %if1 = memref.subview %A[1, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 4>>
  %it1 = memref.subview %A[33, 0] [1, 4] [1, 1] : memref<34x4xi32> to memref<1x4xi32, strided<[4, 1], offset: 132>>
  linalg.copy ins(%if1 : memref<1x4xi32, strided<[4, 1], offset: 4>>) outs(%it1 : memref<1x4xi32, strided<[4, 1], offset: 132>>)
  %zero = arith.constant 0 : index
  %end:2 = scf.for %e = %first to %last step %c1 iter_args(%a = %A, %b = %B) -> (memref<34x4xi32>, memref<34x4xi32>) : i64 {
    scf.if %on {
      %up = memref.subview %a[0, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1]>>
      %down = memref.subview %a[2, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 8>>
      %next = memref.subview %b[1, 0] [32, 4] [1, 1] : memref<34x4xi32> to memref<32x4xi32, strided<[4, 1], offset: 4>>
      linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%up, %down : memref<32x4xi32, strided<[4, 1]>>, memref<32x4xi32, strided<[4, 1], offset: 8>>) outs(%next : memref<32x4xi32, strided<[4, 1], offset: 4>>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
          memref.atomic_rmw addi %x, %C[%zero] : (i32, memref<1xi32>) -> i32
        linalg.yield %x : i32
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

// Two operations.
func.func @twice(%on: i1, %first: i64, %last: i64,
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
    scf.if %on {
      %v = arith.constant 1 : i32
      linalg.fill ins(%v : i32) outs(%b : memref<34x4xi32>)
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
func.func private @find_counter() -> memref<1xi32>
