// RUN: lmpm-translate --lci-to-plan --split-input-file --verify-diagnostics %s
// What a launch plan has no place for is refused where it stands.

module attributes {gpu.container_module} {
  func.func @numbers(%x: f32, %m: memref<2xf32>) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{has no place in a launch plan, which computes integers only; the kernels should compute it}}
    %y = arith.addf %x, %x : f32
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%m : memref<2xf32>, %y : f32)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%m: memref<2xf32>, %y: f32) kernel {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @sizes(%n: index) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{expected a known number of threads in a block}}
    gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1) threads in (%n, %c1, %c1)
    return
  }
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @shared(%bytes: i32) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{expected a kernel without clusters or shared memory that the host asks for its size}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes
    return
  }
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @buffers(%n: index) {
    // expected-error@+1 {{expected a buffer of known size}}
    %m = memref.alloc(%n) : memref<?xf32>
    return
  }
  gpu.module @kernels {
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @counters(%n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // expected-error@+1 {{expected a signed counter of 64 bits}}
    scf.for %i = %c0 to %n step %c1 : i32 {
    }
    return
  }
  gpu.module @kernels {
  }
}

// -----

module attributes {gpu.container_module} {
  func.func private @elsewhere() -> i64
  func.func @calls() {
    // expected-error@+1 {{expected a function of this module without branches}}
    %x = func.call @elsewhere() : () -> i64
    return
  }
  gpu.module @kernels {
  }
}

// -----

module attributes {gpu.container_module} {
  // expected-error@+1 {{expected a body without branches}}
  func.func @branches() {
    cf.br ^bb1
  ^bb1:
    return
  }
  gpu.module @kernels {
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @written(%bounds: memref<2xi64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{has no place in a launch plan, which computes integers only; the kernels should compute it}}
    %n = memref.load %bounds[%c0] : memref<2xi64>
    %blocks = arith.index_cast %n : i64 to index
    gpu.launch_func @kernels::@k blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1) args(%bounds : memref<2xi64>)
    return
  }
  gpu.module @kernels {
    gpu.func @k(%m: memref<2xi64>) kernel {
      %c0 = arith.constant 0 : index
      %x = arith.constant 1 : i64
      memref.store %x, %m[%c0] : memref<2xi64>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @moving(%from: index) {
    %arena = memref.alloc() : memref<512xi8>
    // expected-error@+1 {{expected a part of an allocation, from a known byte on}}
    %m = memref.view %arena[%from][] : memref<512xi8> to memref<4xf32>
    return
  }
  gpu.module @kernels {
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @part_of_argument(%state: memref<512xi8>) {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{expected a part of an allocation, from a known byte on}}
    %m = memref.view %state[%c0][] : memref<512xi8> to memref<4xf32>
    return
  }
  gpu.module @kernels {
  }
}
