// RUN: lmpm-opt %s --lci-outline-ticks | FileCheck %s
// RUN: lmpm-opt %s --lci-outline-ticks --lci-merge-functions | FileCheck %s --check-prefix=ONCE
// Each tick gets a function whose buffers are known to be distinct; fixed views and constants move along.
// A clock that no cell uses is no argument.

// CHECK-LABEL: func private @p.A(
// CHECK-SAME:    %[[CUR:.*]]: memref<9xi8> {llvm.noalias}, %[[NEXT:.*]]: memref<9xi8> {llvm.noalias}) attributes {passthrough = ["noinline", ["prefer-vector-width", "512"]]}
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG:     %[[VIEW:.*]] = memref.subview %[[NEXT]][1] [8] [1]
// CHECK:         lci.tick @A at %[[ZERO]], {{.*}} inputs(%[[CUR]] : memref<9xi8>) target(%[[VIEW]]
// CHECK:         return
// CHECK-LABEL: func @p(
// CHECK:         scf.for %[[E:.*]] = %{{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}})
// CHECK:           func.call @p.A(%[[A]], %[[B]])
// CHECK-NOT:       lci.tick
func.func @p(%A: memref<9xi8> {llvm.noalias}, %B: memref<9xi8> {llvm.noalias}, %last: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.for %e = %zero to %last step %one iter_args(%cur = %A, %next = %B) -> (memref<9xi8>, memref<9xi8>) : i64 {
    %cells = memref.subview %next[1] [8] [1] : memref<9xi8> to memref<8xi8, strided<[1], offset: 1>>
    lci.tick @A at %e, %zero, %zero inputs(%cur : memref<9xi8>) target(%cells : memref<8xi8, strided<[1], offset: 1>>) class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9xi8>):
      %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<9xi8> -> i8
      %yes = arith.constant true
      lci.install %v if %yes : i8
    }
    scf.yield %next, %cur : memref<9xi8>, memref<9xi8>
  }
  return
}

// Two buffers that may be one are not said to be disjoint; a single one is.
// CHECK-LABEL: func private @unknown.A(%{{.*}}: memref<9xi8>, %{{.*}}: memref<9xi8>) attributes
func.func @unknown(%A: memref<9xi8>, %B: memref<9xi8>, %t: i64) {
  lci.tick @A at %t, %t, %t inputs(%A : memref<9xi8>) target(%B : memref<9xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<9xi8>):
    %v = lci.load %in[affine_map<(i) -> (i)>](%i) [#lci.boundary<open>] : memref<9xi8> -> i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  }
  return
}

// A tick that calls a model takes its phase as an argument, so that all phases have one function.
// CHECK-LABEL: func private @asks.A(
// CHECK-SAME:    %[[PHASE:.*]]: i64, %{{.*}}: memref<9xi8> {llvm.noalias})
// CHECK:         lci.tick @A at %{{.*}}, %[[PHASE]], %{{.*}} target
// CHECK-LABEL: func @asks(
func.func @asks(%A: memref<9xi8>, %t: i64) {
  %one = arith.constant 1 : i64
  lci.tick @A at %t, %one, %t target(%A : memref<9xi8>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = func.call @model() : () -> i8
    %yes = arith.constant true
    lci.install %v if %yes : i8
  }
  return
}
func.func private @model() -> i8

// A halo is refreshed by a function too.
// CHECK-LABEL: func private @torus.halo(
// CHECK-SAME:    %[[S:.*]]: memref<10xi8> {llvm.noalias}) attributes {passthrough = ["noinline", ["prefer-vector-width", "512"]]}
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK:         lci.refresh_halo %[[S]] {{.*}} fill %[[ZERO]]
// CHECK-LABEL: func @torus(
// CHECK:         call @torus.halo(
func.func @torus(%S: memref<10xi8>) {
  %zero = arith.constant 0 : i8
  lci.refresh_halo %S low [1] high [1] [#lci.boundary<open>] fill %zero : memref<10xi8>, i8
  return
}

// A state that ends in another buffer is copied back, if it does, by a function; the pointers are
// compared there, so that nothing may be said to be distinct.
// CHECK-LABEL: func private @back.copy(
// CHECK-SAME:    %[[FROM:.*]]: memref<8xi8>, %[[TO:.*]]: memref<8xi8>) attributes
// CHECK-DAG:     %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[FROM]]
// CHECK-DAG:     %[[Q:.*]] = memref.extract_aligned_pointer_as_index %[[TO]]
// CHECK:         %[[DIFFERS:.*]] = arith.cmpi ne, %[[P]], %[[Q]]
// CHECK:         scf.if %[[DIFFERS]]
// CHECK:           linalg.copy
// CHECK-LABEL: func @back(
// CHECK:         call @back.copy(
// CHECK-NOT:     scf.if %{{.*}} {
// CHECK:         scf.if %{{.*}} -> (index)
func.func @back(%A: memref<8xi8> {llvm.noalias}, %B: memref<8xi8> {llvm.noalias}, %c: i1) -> index {
  %from = arith.select %c, %A, %B : memref<8xi8>
  %p = memref.extract_aligned_pointer_as_index %from : memref<8xi8> -> index
  %q = memref.extract_aligned_pointer_as_index %A : memref<8xi8> -> index
  %differs = arith.cmpi ne, %p, %q : index
  scf.if %differs {
    %inner = memref.subview %from[1] [6] [1] : memref<8xi8> to memref<6xi8, strided<[1], offset: 1>>
    %home = memref.subview %A[1] [6] [1] : memref<8xi8> to memref<6xi8, strided<[1], offset: 1>>
    linalg.copy ins(%inner : memref<6xi8, strided<[1], offset: 1>>) outs(%home : memref<6xi8, strided<[1], offset: 1>>)
  }
  %other = scf.if %differs -> (index) {
    scf.yield %p : index
  } else {
    scf.yield %q : index
  }
  return %other : index
}

// CHECK-LABEL: func private @start.fill(
// CHECK-SAME:    %[[S:.*]]: memref<8xi8>
// CHECK:         linalg.fill {{.*}} outs(%[[S]]
// CHECK-LABEL: func @start(
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    call @start.fill(
func.func @start(%A: memref<8xi8>) {
  %nothing = arith.constant 2 : i8
  linalg.fill ins(%nothing : i8) outs(%A : memref<8xi8>)
  return
}

// The private tensors of a model are unchanged.
// CHECK-LABEL: func @network(
// CHECK:         linalg.fill
func.func @network(%T: tensor<8xi8>) -> tensor<8xi8> {
  %nothing = arith.constant 2 : i8
  %filled = linalg.fill ins(%nothing : i8) outs(%T : tensor<8xi8>) -> tensor<8xi8>
  return %filled : tensor<8xi8>
}

// A loop that only moves cells is one more function; one that ticks stays.
// CHECK-LABEL: func private @moves.move(
// CHECK-SAME:    %[[FROM:.*]]: memref<9xi8> {llvm.noalias}, %[[TO:.*]]: memref<9xi8> {llvm.noalias})
// CHECK:         scf.for
// CHECK:           memref.load %[[FROM]]
// CHECK:           memref.store %{{.*}}, %[[TO]]
// CHECK-LABEL: func @moves(
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    call @moves.move(
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      func.call @model()
func.func @moves(%A: memref<9xi8> {llvm.noalias}, %B: memref<9xi8> {llvm.noalias}) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : index
  scf.for %i = %zero to %nine step %one {
    %v = memref.load %A[%i] : memref<9xi8>
    memref.store %v, %B[%i] : memref<9xi8>
  }
  scf.for %i = %zero to %nine step %one {
    %v = func.call @model() : () -> i8
    memref.store %v, %B[%i] : memref<9xi8>
  }
  return
}

// Of a tick that threads share a part is a function, which takes the number of the part.
// CHECK-LABEL: func private @shared.A(
// CHECK-SAME:    %[[N:[^:]*]]: index, %[[S:[^:]*]]: memref<8xi8> {llvm.noalias}) attributes
// CHECK:         %[[C2:.*]] = arith.constant 2 : index
// CHECK:         %[[FIRST:.*]] = arith.muli %[[N]], %[[C2]]
// CHECK:         lci.tick @A {{.*}} target(%[[S]] : memref<8xi8>) box [%[[FIRST]]] [2]
// CHECK:         return
// CHECK-LABEL: func @shared(
// CHECK:         scf.forall (%[[PART:.*]]) in (4) {
// CHECK-NEXT:      func.call @shared.A(%[[PART]], %{{.*}})
// CHECK-NEXT:    } {lci.name = "A"}
func.func @shared(%S: memref<8xi8> {llvm.noalias}, %t: i64) {
  %two = arith.constant 2 : index
  scf.forall (%part) in (4) {
    %first = arith.muli %part, %two : index
    lci.tick @A at %t, %t, %t target(%S : memref<8xi8>) box [%first] [2] step [1] class_stride 1 {
    ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
      %v = arith.constant 1 : i8
      %yes = arith.constant true
      lci.install %v if %yes : i8
    }
  } {lci.name = "A"}
  return
}

// What belongs together and says its name is one function; nothing keeps it together there.
// CHECK-LABEL: func private @row.A(
// CHECK-SAME:    %[[CELLS:.*]]: memref<9xi8> {llvm.noalias})
// CHECK:         scf.execute_region {
// CHECK-NEXT:      memref.store
// CHECK-LABEL: func @row(
// CHECK:         call @row.A(
// CHECK-NOT:     memref.store
func.func @row(%cells: memref<9xi8> {llvm.noalias}, %x: i8) {
  %zero = arith.constant 0 : index
  scf.execute_region no_inline {
    memref.store %x, %cells[%zero] : memref<9xi8>
    scf.yield
  } {lci.name = "A"}
  return
}

// A rule that is switched off copies its buffer to the other one, by a function too. Parts that are not
// the same at every run would not be one pointer each, and stay.
// CHECK-LABEL: func private @off.copy(
// CHECK-SAME:    %[[FROM:.*]]: memref<8xi8> {llvm.noalias}, %[[TO:.*]]: memref<8xi8> {llvm.noalias})
// CHECK:         %[[PART:.*]] = memref.subview %[[TO]][1] [6] [1]
// CHECK:         linalg.copy ins(%{{.*}}) outs(%[[PART]]
// CHECK-LABEL: func @off(
// CHECK:         scf.if
// CHECK-NEXT:      call @off.copy(
// CHECK:         memref.subview %{{.*}}[%{{.*}}] [2] [1]
// CHECK:         linalg.copy
// CHECK:         memref.subview %{{.*}}[0] [%{{.*}}] [1]
// CHECK:         linalg.copy
func.func @off(%A: memref<8xi8> {llvm.noalias}, %B: memref<8xi8> {llvm.noalias}, %c: i1, %i: index) {
  %inner = memref.subview %A[1] [6] [1] : memref<8xi8> to memref<6xi8, strided<[1], offset: 1>>
  %home = memref.subview %B[1] [6] [1] : memref<8xi8> to memref<6xi8, strided<[1], offset: 1>>
  scf.if %c {
    linalg.copy ins(%inner : memref<6xi8, strided<[1], offset: 1>>) outs(%home : memref<6xi8, strided<[1], offset: 1>>)
  }
  %some = memref.subview %A[%i] [2] [1] : memref<8xi8> to memref<2xi8, strided<[1], offset: ?>>
  %there = memref.subview %B[%i] [2] [1] : memref<8xi8> to memref<2xi8, strided<[1], offset: ?>>
  linalg.copy ins(%some : memref<2xi8, strided<[1], offset: ?>>) outs(%there : memref<2xi8, strided<[1], offset: ?>>)
  %first = memref.subview %A[0] [%i] [1] : memref<8xi8> to memref<?xi8, strided<[1]>>
  %begin = memref.subview %B[0] [%i] [1] : memref<8xi8> to memref<?xi8, strided<[1]>>
  linalg.copy ins(%first : memref<?xi8, strided<[1]>>) outs(%begin : memref<?xi8, strided<[1]>>)
  return
}

// How far views are from each other is seen inside of the function: it takes the row alone.
// CHECK-LABEL: func private @rows.A(
// CHECK-SAME:    %{{.*}}: memref<9x16xi64> {llvm.noalias}, %[[ROW:.*]]: index, %[[N:.*]]: index,
// CHECK:         memref.subview %{{.*}}[%[[ROW]], 0] [%[[N]], 16]
// CHECK:         %[[NEXT:.*]] = arith.addi %[[ROW]], %{{.*}}
// CHECK:         memref.subview %{{.*}}[%[[NEXT]], 0] [%[[N]], 16]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @rows(%a: memref<9x16xi64> {llvm.noalias}, %b: memref<9x16xi64> {llvm.noalias}, %row: index, %n: index) {
  %one = arith.constant 1 : index
  %next = arith.addi %row, %one : index
  %from = memref.subview %a[%row, 0] [%n, 16] [1, 1] : memref<9x16xi64> to memref<?x16xi64, strided<[16, 1], offset: ?>>
  %to = memref.subview %b[%next, 0] [%n, 16] [1, 1] : memref<9x16xi64> to memref<?x16xi64, strided<[16, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], lci.name = "A"}
      ins(%from : memref<?x16xi64, strided<[16, 1], offset: ?>>) outs(%to : memref<?x16xi64, strided<[16, 1], offset: ?>>) {
  ^bb0(%x: i64, %old: i64):
    linalg.yield %x : i64
  }
  return
}

// The function has the name, and what is in it has none any more: words that differ by it alone are
// computed by one function in the end.
// ONCE-LABEL:  func private @alike.A(
// ONCE-NOT:      lci.name
// ONCE-NOT:    func private @alike.B(
// ONCE-LABEL:  func @alike(
// ONCE:          call @alike.A(
// ONCE-NEXT:     call @alike.A(
#word = affine_map<(d0) -> (d0)>
func.func @alike(%a: memref<4xi64> {llvm.noalias}, %b: memref<4xi64> {llvm.noalias}) {
  linalg.generic {indexing_maps = [#word], iterator_types = ["parallel"], lci.name = "A"}
      outs(%a : memref<4xi64>) {
  ^bb0(%x: i64):
    %next = arith.addi %x, %x : i64
    linalg.yield %next : i64
  }
  linalg.generic {indexing_maps = [#word], iterator_types = ["parallel"], lci.name = "B"}
      outs(%b : memref<4xi64>) {
  ^bb0(%x: i64):
    %next = arith.addi %x, %x : i64
    linalg.yield %next : i64
  }
  return
}
