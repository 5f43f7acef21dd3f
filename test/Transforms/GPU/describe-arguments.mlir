// RUN: lmpm-opt %s --lci-describe-arguments | FileCheck %s
// Arguments that are disjoint at every launch are marked so; those that are only read, too.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // CHECK: gpu.func @apart(%{{.*}}: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias}, %{{.*}}: index)
    gpu.func @apart(%x: memref<64xf32>, %y: memref<64xf32>, %i: index) kernel {
      %v = memref.load %x[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
      gpu.return
    }
    // Once both are one buffer.
    // CHECK: gpu.func @same(%{{.*}}: memref<64xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<64xf32> {llvm.align = 16 : i64})
    gpu.func @same(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
      gpu.return
    }
    // It may be either of two, one of which is the other one.
    // CHECK: gpu.func @chosen(%{{.*}}: memref<64xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<64xf32> {llvm.align = 16 : i64})
    gpu.func @chosen(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
      gpu.return
    }
    // Two buffers that a loop swaps in each iteration stay two.
    // CHECK: gpu.func @exchanged(%{{.*}}: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias})
    gpu.func @exchanged(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<64xf32>
      memref.store %v, %y[%c0] : memref<64xf32>
      gpu.return
    }
    // Of which both may come to be the second.
    // CHECK: gpu.func @forgotten(%{{.*}}: memref<64xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<64xf32> {llvm.align = 16 : i64})
    gpu.func @forgotten(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
      gpu.return
    }
    // The second may be the view's buffer; it is unknown how a view lies.
    // CHECK: gpu.func @unknown(%{{.*}}: memref<64xf32> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<64xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<8xf32, strided<[1], offset: ?>>)
    gpu.func @unknown(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<8xf32, strided<[1], offset: ?>>) kernel {
      gpu.return
    }
  }
  func.func @host(%a: memref<64xf32> {llvm.noalias}, %b: memref<64xf32>, %is: i1, %i: index,
                  %v: memref<8xf32, strided<[1], offset: ?>>) {
    %c1 = arith.constant 1 : index
    %own = memref.alloc() : memref<64xf32>
    %other = memref.alloc() : memref<64xf32>
    %which = arith.select %is, %own, %other : memref<64xf32>
    %mixed = arith.select %is, %own, %b : memref<64xf32>
    gpu.launch_func @kernels::@apart blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<64xf32>, %own : memref<64xf32>, %i : index)
    gpu.launch_func @kernels::@apart blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%which : memref<64xf32>, %a : memref<64xf32>, %i : index)
    gpu.launch_func @kernels::@same blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<64xf32>, %own : memref<64xf32>)
    gpu.launch_func @kernels::@same blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%own : memref<64xf32>, %own : memref<64xf32>)
    gpu.launch_func @kernels::@chosen blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%which : memref<64xf32>, %own : memref<64xf32>)
    %c0 = arith.constant 0 : index
    %ends:2 = scf.for %turn = %c0 to %i step %c1 iter_args(%from = %own, %to = %a) -> (memref<64xf32>, memref<64xf32>) {
      gpu.launch_func @kernels::@exchanged blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%from : memref<64xf32>, %to : memref<64xf32>)
      scf.yield %to, %from : memref<64xf32>, memref<64xf32>
    }
    %kept:2 = scf.for %turn = %c0 to %i step %c1 iter_args(%from = %own, %to = %a) -> (memref<64xf32>, memref<64xf32>) {
      gpu.launch_func @kernels::@forgotten blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%from : memref<64xf32>, %to : memref<64xf32>)
      scf.yield %to, %to : memref<64xf32>, memref<64xf32>
    }
    gpu.launch_func @kernels::@unknown blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<64xf32>, %mixed : memref<64xf32>, %v : memref<8xf32, strided<[1], offset: ?>>)
    return
  }
}
