// RUN: lmpm-opt %s --pass-pipeline='builtin.module(func.func(lci-bitslice,canonicalize,cse))' | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: lmpm-opt %s --pass-pipeline='builtin.module(lci-attach-cpu-target{vector-bits=256},func.func(lci-bitslice,canonicalize,cse))' | FileCheck %s --check-prefixes=CHECK,NARROW
// A part of a tick that draws has separate lists of undecided words, as long as the part can be.

#layout = #lci.layout<split 1 planes 1 cells [10, 64] low [0, 0] high [0, 0]>

// CHECK-LABEL: func.func @draws(
// CHECK:       scf.forall (%[[PART:.*]]) in (3) {
// CHECK-DAG:     memref.alloc() : memref<4x1xi64>
// The list has rows for a place, a plane, its members and what is undecided, of the halves of eight
// words and of eight more.
// CHECK-DAG:     %[[LIST:.*]] = memref.alloc() : memref<4x32xi32>
// CHECK:         %[[ROWS:.*]] = arith.minsi
// CHECK:         lci.tick @A {{.*}} boxed(%{{.*}} : memref<4x1xi64>) box [%{{.*}}, 0] [%[[ROWS]], 1] step [1, 1]
// CHECK:         scf.for %{{.*}} = %c0 to %[[ROWS]]
// By vectors of eight words all fields are moved to the list at once, half a vector of each if no more
// are kept; else one by one.
// WIDE:            %[[KEPT:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : vector<16xi32>
// WIDE-COUNT-2:    llvm.call_intrinsic "llvm.experimental.vector.compress"(%{{.*}}, %[[KEPT]], %{{.*}})
// WIDE-COUNT-2:    vector.store %{{.*}}, %[[LIST]]{{.*}} vector<8xi32>
// WIDE:            scf.if
// WIDE-COUNT-2:      vector.store %{{.*}}, %[[LIST]]{{.*}} vector<8xi32>
// NARROW-NOT:      vector
// NARROW:          {lci.name = "A.list", llvm.loop_annotation = #[[SCALAR:.*]]}
// CHECK:         } {lci.name = "A.rest"}
// CHECK:         memref.dealloc
func.func @draws(%a: memref<10x64xi8, #layout>, %e: i64) {
  %four = arith.constant 4 : index
  %ten = arith.constant 10 : index
  scf.forall (%part) in (3) {
    %first = arith.muli %part, %four : index
    %left = arith.subi %ten, %first : index
    %rows = arith.minsi %left, %four : index
    lci.tick @A at %e, %e, %e target(%a : memref<10x64xi8, #layout>) box [%first, 0] [%rows, 64] step [1, 1] class_stride 1 {
    ^bb0(%i: index, %j: index, %epoch: i64, %phase: i64, %seed: i64):
      %true = arith.constant true
      %half = arith.constant 0.3 : f32
      %up = lci.bernoulli %half stream <1, 0>
      %x = arith.extui %up : i1 to i8
      lci.install %x if %true : i8
    }
  }
  return
}
