// RUN: lmpm-opt %s --lci-hoist-scratch | FileCheck %s
// What private functions allocate comes from the function that others call, once for all calls.

// CHECK-LABEL: func.func private @inner(
// CHECK-SAME: %[[X:[^:]*]]: memref<4xf32> {llvm.noalias}, %[[Y:[^:]*]]: memref<4xf32> {llvm.noalias})
// CHECK-NOT: alloc
// CHECK: memref.copy %[[X]], %[[Y]]
func.func private @inner() {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  memref.dealloc %y : memref<4xf32>
  return
}

// Two levels up; another callee's buffer of the same type is the same one.
// CHECK-LABEL: func.func private @middle(
// CHECK-SAME: %{{[^:]*}}: index, %[[X:[^:]*]]: memref<4xf32> {llvm.noalias}, %[[Y:[^:]*]]: memref<4xf32> {llvm.noalias})
// CHECK: call @inner(%[[Y]], %[[X]])
func.func private @middle(%n: index) {
  call @inner() : () -> ()
  return
}
// CHECK-LABEL: func.func private @other(
func.func private @other() {
  %z = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @run(
// CHECK: %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK: scf.for
// CHECK:   func.call @middle(%{{.*}}, %[[A]], %[[B]])
// CHECK:   func.call @other(%[[A]])
// CHECK: }
// CHECK-DAG: memref.dealloc %[[A]]
// CHECK-DAG: memref.dealloc %[[B]]
// CHECK: return
func.func @run(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @middle(%i) : (index) -> ()
    func.call @other() : () -> ()
  }
  return
}

// A size that differs from call to call, and a function that calls itself, stay as they are.
// CHECK-LABEL: func.func private @sized(%{{[^:]*}}: index)
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
func.func private @sized(%n: index) {
  %x = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %x : memref<?xf32>
  return
}
// CHECK-LABEL: func.func private @again()
// CHECK: memref.alloc() : memref<2xf32>
// CHECK: call @again()
// CHECK: memref.dealloc
func.func private @again() {
  %x = memref.alloc() : memref<2xf32>
  call @again() : () -> ()
  return
}

// A buffer that the function hands out is not scratch.
// CHECK-LABEL: func.func private @give() -> memref<2xf32>
// CHECK-NOT: dealloc
func.func private @give() -> memref<2xf32> {
  %x = memref.alloc() : memref<2xf32>
  return %x : memref<2xf32>
}

// What threads call side by side has a place for each of them, which begins a cache line.
// CHECK-LABEL: func.func private @part(
// CHECK-SAME: %[[N:[^:]*]]: index, %[[BYTES:[^:]*]]: memref<256xi8> {llvm.noalias})
// CHECK-DAG:    %[[C64:.*]] = arith.constant 64 : index
// CHECK:        %[[AT:.*]] = arith.muli %[[N]], %[[C64]]
// CHECK:        %[[X:.*]] = memref.view %[[BYTES]][%[[AT]]][] : memref<256xi8> to memref<3xf32>
// CHECK:        linalg.fill {{.*}} outs(%[[X]]
func.func private @part() {
  %x = memref.alloc() : memref<3xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<3xf32>)
  memref.dealloc %x : memref<3xf32>
  return
}
// CHECK-LABEL: func.func @share(
// CHECK:         %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK:         scf.forall (%[[PART:.*]]) in (4) {
// CHECK:           func.call @part(%[[PART]], %[[ALL]])
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : index
// CHECK:         call @part(%[[ZERO]], %[[ALL]])
// CHECK:         memref.dealloc %[[ALL]]
func.func @share() {
  scf.forall (%part) in (4) {
    func.call @part() : () -> ()
  }
  call @part() : () -> ()
  return
}

// Elements have LLVM's stride: 9 * 8 bytes, 33 * 4 and 5 * 16, each a multiple of 64.
// CHECK-LABEL: func.func private @odd(
// CHECK-SAME: memref<512xi8> {llvm.noalias}, %{{[^:]*}}: memref<768xi8> {llvm.noalias}, %{{[^:]*}}: memref<512xi8> {llvm.noalias})
// CHECK-DAG:    memref.view {{.*}} : memref<512xi8> to memref<9xi33>
// CHECK-DAG:    memref.view {{.*}} : memref<768xi8> to memref<33xi17>
// CHECK-DAG:    memref.view {{.*}} : memref<512xi8> to memref<5xvector<3xi40>>
func.func private @odd() {
  %x = memref.alloc() : memref<9xi33>
  %y = memref.alloc() : memref<33xi17>
  %z = memref.alloc() : memref<5xvector<3xi40>>
  memref.dealloc %x : memref<9xi33>
  memref.dealloc %y : memref<33xi17>
  memref.dealloc %z : memref<5xvector<3xi40>>
  return
}
func.func @share_odd() {
  scf.forall (%part) in (4) {
    func.call @odd() : () -> ()
  }
  return
}
