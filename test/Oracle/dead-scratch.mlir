// RUN: grep -v 'too late$' %s > %t.right.mlir && grep -v 'in time$' %s > %t.wrong.mlir
// RUN: lmpm-opt %t.right.mlir --lci-check-equiv=%t.right.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: not lmpm-opt %t.right.mlir --lci-check-equiv=%t.wrong.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
// Scratch is poisoned where its life begins, so a life that begins in each iteration, though its contents are computed
// before the loop, is seen: in bytes that nothing else uses it would go unnoticed.

// RIGHT: remark: the same bits in 5 trials of 3 epochs
// WRONG: error: the modules are not equivalent: Cell[0] was {{[0-9-]+}}, but is {{[0-9-]+}} after 3 epochs of trial 1 [check-failed]
module attributes {gpu.container_module} {
  func.func @program(%cells: memref<7xi64> {lci.extents = array<i64: 7>, lci.halo_high = array<i64: 0>, lci.halo_low = array<i64: 0>, lci.name = "Cell", lci.role = "state", llvm.noalias}, %first: i64 {lci.name = "", lci.role = "first"}, %last: i64 {lci.name = "", lci.role = "last"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %one = arith.constant 1 : i64
    %arena = memref.alloc() {alignment = 256 : i64} : memref<56xi8>
    %all = memref.view %arena[%c0][] : memref<56xi8> to memref<7xi64>
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c7, %c1, %c1) args(%all : memref<7xi64>)
    scf.for %epoch = %first to %last step %one : i64 {
      %again = memref.view %arena[%c0][] : memref<56xi8> to memref<1x7xi64> // too late
      gpu.launch_func @kernels::@add_row blocks in (%c1, %c1, %c1) threads in (%c7, %c1, %c1) args(%cells : memref<7xi64>, %again : memref<1x7xi64>) // too late
      gpu.launch_func @kernels::@add blocks in (%c1, %c1, %c1) threads in (%c7, %c1, %c1) args(%cells : memref<7xi64>, %all : memref<7xi64>) // in time
    }
    return
  }
  func.func @program.init(%cells: memref<7xi64> {lci.extents = array<i64: 7>, lci.halo_high = array<i64: 0>, lci.halo_low = array<i64: 0>, lci.name = "Cell", lci.role = "state", llvm.noalias}) {
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c7, %c1, %c1) args(%cells : memref<7xi64>)
    return
  }
  gpu.module @kernels {
    gpu.func @fill(%a: memref<7xi64>) kernel {
      %three = arith.constant 3 : i64
      %i = gpu.thread_id x
      memref.store %three, %a[%i] : memref<7xi64>
      gpu.return
    }
    gpu.func @add(%a: memref<7xi64>, %b: memref<7xi64>) kernel {
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<7xi64>
      %y = memref.load %b[%i] : memref<7xi64>
      %z = arith.addi %x, %y : i64
      memref.store %z, %a[%i] : memref<7xi64>
      gpu.return
    }
    gpu.func @add_row(%a: memref<7xi64>, %b: memref<1x7xi64>) kernel {
      %c0 = arith.constant 0 : index
      %i = gpu.thread_id x
      %x = memref.load %a[%i] : memref<7xi64>
      %y = memref.load %b[%c0, %i] : memref<1x7xi64>
      %z = arith.addi %x, %y : i64
      memref.store %z, %a[%i] : memref<7xi64>
      gpu.return
    }
  }
}
