// RUN: lmpm-translate --lci-to-plan --split-input-file %s | FileCheck %s --check-prefixes=CHECK,BLOCKS
// The host's side of kernels as a launch plan: registers for arguments first, integers at their widths, what
// loops carry, choices, calls, memory. Constants stand where they are used.

// CHECK-LABEL: plan host registers 18
// CHECK-NEXT:  writes %0 %1
// CHECK-NEXT:    %5 = allocate 32
// CHECK-NEXT:    %6 = less_signed.64 0 %3
// CHECK-NEXT:    %7 = sign_extend.32 %4
// CHECK-NEXT:    %7 = move.64 %7
// CHECK-NEXT:    %8 = move.64 %0
// CHECK-NEXT:    %9 = move.64 %1
// CHECK-NEXT:    loop %10 %3 %7 1
// CHECK-NEXT:      launch tick blocks 2 1 1 threads 128 1 1 %8 %9 %10 1056964608
// CHECK-NEXT:      %11 = move.64 %9
// CHECK-NEXT:      %12 = move.64 %8
// CHECK-NEXT:      %8 = move.64 %11
// CHECK-NEXT:      %9 = move.64 %12
// CHECK-NEXT:    end
// CHECK-NEXT:    if %6
// CHECK-NEXT:      launch fill blocks 1 1 1 threads 128 1 1 %5 %2
// CHECK-NEXT:      %13 = move.64 %7
// CHECK-NEXT:    else
// CHECK-NEXT:      %13 = move.64 5
// CHECK-NEXT:    end
// CHECK-NEXT:    %14 = move.64 %13
// CHECK-NEXT:    %15 = multiply.64 %14 3
// CHECK-NEXT:    %16 = move.64 %15
// CHECK-NEXT:    %17 = move.1 %16
// CHECK-NEXT:    if %17
// CHECK-NEXT:      launch fill blocks 1 1 1 threads 128 1 1 %5 %2
// CHECK-NEXT:    end
// CHECK-NEXT:  end
// What kernels do with their operands, so that launches need wait for few others.
// CHECK-NEXT:  kernel tick read read none none
// CHECK-NEXT:  kernel fill write read
module attributes {gpu.container_module} {
  func.func @host(%a: memref<200xf32>, %b: memref<200xf32>, %p: memref<200xf32>, %first: i64, %n: i32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %five = arith.constant 5 : i64
    %half = arith.constant 0.5 : f32
    %scratch = memref.alloc() : memref<8xf32>
    %some = arith.cmpi sgt, %first, %zero : i64
    %last = arith.extsi %n : i32 to i64
    %now:2 = scf.for %e = %first to %last step %one iter_args(%x = %a, %y = %b)
        -> (memref<200xf32>, memref<200xf32>) : i64 {
      gpu.launch_func @kernels::@tick blocks in (%c2, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%x : memref<200xf32>, %y : memref<200xf32>, %e : i64, %half : f32)
      scf.yield %y, %x : memref<200xf32>, memref<200xf32>
    }
    %chosen = scf.if %some -> i64 {
      gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%scratch : memref<8xf32>, %p : memref<200xf32>)
      scf.yield %last : i64
    } else {
      scf.yield %five : i64
    }
    %three = func.call @triple(%chosen) : (i64) -> i64
    %isOdd = arith.trunci %three : i64 to i1
    scf.if %isOdd {
      gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
          args(%scratch : memref<8xf32>, %p : memref<200xf32>)
    }
    memref.dealloc %scratch : memref<8xf32>
    return
  }
  func.func private @triple(%x: i64) -> i64 {
    %three = arith.constant 3 : i64
    %y = arith.muli %x, %three : i64
    return %y : i64
  }
  gpu.module @kernels {
    gpu.func @tick(%x: memref<200xf32>, %y: memref<200xf32>, %e: i64, %r: f32) kernel {
      gpu.return
    }
    // It only reads the second: its array need not come back from the device.
    gpu.func @fill(%m: memref<8xf32>, %p: memref<200xf32>) kernel {
      %i = gpu.thread_id x
      %v = memref.load %p[%i] : memref<200xf32>
      memref.store %v, %m[%i] : memref<8xf32>
      gpu.return
    }
  }
}

// -----

// Bounds that only the host knows before a launch say how many blocks there are; the host has what nobody writes.
// BLOCKS:      plan some registers 5
// BLOCKS-NEXT: writes{{$}}
// BLOCKS-NEXT:   %2 = read.64 %0 8
// BLOCKS-NEXT:   %3 = sign_extend.64 %2
// BLOCKS-NEXT:   %3 = move.64 %3
// BLOCKS-NEXT:   %4 = maximum_signed.64 %3 0
// BLOCKS-NEXT:   launch fill blocks %4 1 1 threads 128 1 1 %1
// BLOCKS-NEXT: end
// BLOCKS-NEXT: kernel fill read
module attributes {gpu.container_module} {
  func.func @some(%bounds: memref<1x2xi64>, %m: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %last = memref.load %bounds[%c0, %c1] : memref<1x2xi64>
    %index = arith.index_cast %last : i64 to index
    %blocks = arith.maxsi %index, %c0 : index
    gpu.launch_func @kernels::@fill blocks in (%blocks, %c1, %c1) threads in (%c128, %c1, %c1) args(%m : memref<8xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @fill(%m: memref<8xf32>) kernel {
      gpu.return
    }
  }
}

// -----

// A truth value of the host's has a byte.
// BLOCKS:      plan truths registers 3
// BLOCKS-NEXT: writes{{$}}
// BLOCKS-NEXT:   %2 = read.8 %0 3
// BLOCKS-NEXT:   if %2
// BLOCKS-NEXT:     launch fill blocks 1 1 1 threads 1 1 1 %1
module attributes {gpu.container_module} {
  func.func @truths(%flags: memref<5xi1>, %m: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %is = memref.load %flags[%c3] : memref<5xi1>
    scf.if %is {
      gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<8xf32>)
    }
    return
  }
  gpu.module @kernels {
    gpu.func @fill(%m: memref<8xf32>) kernel {
      gpu.return
    }
  }
}

// -----

// Elements have LLVM's stride: 304 of 8 bytes, though 33 bits fill 5.
// BLOCKS:      plan odd registers 2
// BLOCKS-NEXT: writes{{$}}
// BLOCKS-NEXT:   %1 = allocate 2432
module attributes {gpu.container_module} {
  func.func @odd(%m: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    %scratch = memref.alloc() : memref<16x19xi33>
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%m : memref<8xf32>, %scratch : memref<16x19xi33>)
    return
  }
  gpu.module @kernels {
    gpu.func @fill(%m: memref<8xf32>, %scratch: memref<16x19xi33>) kernel {
      gpu.return
    }
  }
}

// -----

// Parts of an allocation: where their lives begin, their contents are undefined.
// CHECK-LABEL: plan parts registers 5
// CHECK-NEXT:  writes
// CHECK-NEXT:    %1 = allocate 384
// CHECK-NEXT:    %2 = view %1 256 128
// CHECK-NEXT:    loop %3 0 %0 1
// CHECK-NEXT:      %4 = view %1 0 128
// CHECK-NEXT:      launch both blocks 1 1 1 threads 1 1 1 %2 %4
// CHECK-NEXT:    end
// CHECK-NEXT:  end
module attributes {gpu.container_module} {
  func.func @parts(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %arena = memref.alloc() : memref<384xi8>
    %a = memref.view %arena[%c256][] : memref<384xi8> to memref<32xf32>
    scf.for %i = %c0 to %n step %c1 {
      %b = memref.view %arena[%c0][] : memref<384xi8> to memref<128xi8>
      gpu.launch_func @kernels::@both blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%a : memref<32xf32>, %b : memref<128xi8>)
    }
    memref.dealloc %arena : memref<384xi8>
    return
  }
  gpu.module @kernels {
    gpu.func @both(%a: memref<32xf32>, %b: memref<128xi8>) kernel {
      gpu.return
    }
  }
}
