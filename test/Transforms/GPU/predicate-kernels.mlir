// RUN: lmpm-opt %s --lci-predicate-kernels --split-input-file --verify-diagnostics | FileCheck %s
// Kernels take the branches that depend on what kernels have written; the host keeps the others.

// CHECK-LABEL: func @found
// CHECK-SAME:    %[[FIRST:.*]]: index, %[[ON:.*]]: i1
// CHECK:         %[[NUMBER:.*]] = memref.alloc
// CHECK:         scf.if %[[ON]] {
// CHECK:           scf.for
// CHECK-NOT:         scf.if
// CHECK:             gpu.launch
// CHECK:               %[[OWN:.*]] = memref.alloca() : memref<2xf32>
// CHECK:               %[[MANY:.*]] = memref.load %[[NUMBER]]
// CHECK:               %[[CAST:.*]] = arith.index_cast %[[MANY]]
// CHECK:               %[[ANY:.*]] = arith.cmpi ult, %[[FIRST]], %[[CAST]]
// CHECK:               scf.if %[[ANY]] {
// CHECK:                 memref.store
// CHECK:               }
// CHECK-NEXT:          gpu.terminator
func.func @found(%first: index, %on: i1, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %x = arith.constant 1.0 : f32
  %number = memref.alloc() : memref<1xi64>
  linalg.fill ins(%none : i64) outs(%number : memref<1xi64>)
  scf.if %on {
    %many = memref.load %number[%c0] : memref<1xi64>
    %cast = arith.index_cast %many : i64 to index
    %any = arith.cmpi ult, %first, %cast : index
    scf.if %any {
      %next = arith.addi %first, %c1 : index
      scf.for %i = %c0 to %next step %c1 {
        gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                   threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
          %own = memref.alloca() : memref<2xf32>
          memref.store %x, %own[%c0] : memref<2xf32>
          memref.store %x, %y[%tx] : memref<64xf32>
          gpu.terminator
        }
      }
    }
  }
  return
}

// -----

// Numbers are for kernels, too.
// CHECK-LABEL: func @numbers
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch
// CHECK:           arith.cmpf
// CHECK:           scf.if
func.func @numbers(%gain: memref<f32>, %y: memref<64xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %limit = memref.load %gain[] : memref<f32>
  %is = arith.cmpf olt, %x, %limit : f32
  scf.if %is {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %x, %y[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}

// -----

// A plan has known elements of what nobody writes, which stay with the host; kernels find others.
// CHECK-LABEL: func @elements
// CHECK:         %[[KNOWN:.*]] = memref.load %{{.*}}[%c1]
// CHECK:         scf.if %[[KNOWN]] {
// CHECK-NOT:       scf.if
// CHECK:           gpu.launch
// CHECK:             memref.load
// CHECK:             scf.if
func.func @elements(%flags: memref<4xi1>, %epoch: index, %y: memref<64xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %known = memref.load %flags[%c1] : memref<4xi1>
  scf.if %known {
    %is = memref.load %flags[%epoch] : memref<4xi1>
    scf.if %is {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
        memref.store %x, %y[%tx] : memref<64xf32>
        gpu.terminator
      }
    }
  }
  return
}

// -----

func.func @otherwise(%flag: memref<1xi1>, %y: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  linalg.fill ins(%yes : i1) outs(%flag : memref<1xi1>)
  %is = memref.load %flag[%c0] : memref<1xi1>
  // expected-error @below {{expected a branch without results and without 'else', because its condition is known to kernels alone}}
  scf.if %is {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %x, %y[%tx] : memref<64xf32>
      gpu.terminator
    }
  } else {
    linalg.fill ins(%x : f32) outs(%y : memref<64xf32>)
  }
  return
}

// -----

func.func @changed(%flag: memref<1xi1>, %no: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  linalg.fill ins(%yes : i1) outs(%flag : memref<1xi1>)
  %is = memref.load %flag[%c0] : memref<1xi1>
  scf.if %is {
    // expected-error @below {{changes what the branch around it asks for}}
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %no, %flag[%c0] : memref<1xi1>
      gpu.terminator
    }
  }
  return
}

// -----

func.func @host(%flag: memref<1xi1>, %y: memref<64xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %yes = arith.constant true
  linalg.fill ins(%yes : i1) outs(%flag : memref<1xi1>)
  %is = memref.load %flag[%c0] : memref<1xi1>
  scf.if %is {
    // expected-error @below {{stands in a branch that only kernels can take}}
    memref.store %x, %y[%c0] : memref<64xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %x, %y[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}

// -----

// The host's buffers are allocated whether a branch is taken or not.
// CHECK-LABEL: func @allocates
// CHECK:         %[[SCRATCH:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    gpu.launch
// CHECK:           scf.if
// CHECK:             memref.store %{{.*}}, %[[SCRATCH]]
func.func @allocates(%gain: memref<f32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %limit = memref.load %gain[] : memref<f32>
  %is = arith.cmpf olt, %x, %limit : f32
  scf.if %is {
    %scratch = memref.alloc() : memref<64xf32>
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %x, %scratch[%tx] : memref<64xf32>
      gpu.terminator
    }
  }
  return
}
