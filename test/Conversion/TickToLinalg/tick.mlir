// RUN: lmpm-opt %s --convert-lci-to-linalg --canonicalize --cse --split-input-file | FileCheck %s
// A tick becomes one linalg.generic over its box, with a view of the storage for each distinct window.

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @windows
// CHECK-SAME:    %[[S:.*]]: memref<6x10xi8>, %[[T:.*]]: memref<4x8xi8>
func.func @windows(%s: memref<6x10xi8>, %t: memref<4x8xi8>, %e: i64) {
  // CHECK-DAG: %[[LEFT:.*]] = memref.subview %[[S]][1, 0] [4, 8] [1, 1]
  // CHECK-DAG: %[[RIGHT:.*]] = memref.subview %[[S]][1, 2] [4, 8] [1, 1]
  // CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: ins(%[[LEFT]], %[[RIGHT]] : {{.*}}) outs(%[[T]] : memref<4x8xi8>)
  // CHECK-NEXT: ^bb0(%[[L:.*]]: i8, %[[R:.*]]: i8, %{{.*}}: i8):
  // CHECK-NEXT:   %[[LL:.*]] = arith.addi %[[L]], %[[L]]
  // CHECK-NEXT:   %[[SUM:.*]] = arith.addi %[[LL]], %[[R]]
  // CHECK-NEXT:   linalg.yield %[[SUM]] : i8
  lci.tick @A at %e, %e, %e inputs(%s : memref<6x10xi8>) target(%t : memref<4x8xi8>) class_stride 1 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<6x10xi8>):
    %l = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<6x10xi8> -> i8
    %again = lci.load %in[affine_map<(x, y) -> (x + 1, y)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<6x10xi8> -> i8
    %r = lci.load %in[affine_map<(x, y) -> (x + 1, y + 2)>](%x, %y)
        [#lci.boundary<open>, #lci.boundary<open>] : memref<6x10xi8> -> i8
    %ll = arith.addi %l, %again : i8
    %sum = arith.addi %ll, %r : i8
    %yes = arith.constant true
    lci.install %sum if %yes : i8
  }
  return
}

// -----

// Every second cell from an offset known at run time; a cell that does not change keeps its token.

// CHECK-LABEL: func @strided_box
// CHECK-SAME:    %[[T:.*]]: memref<9xi32>, %[[FROM:.*]]: index
func.func @strided_box(%t: memref<9xi32>, %from: index, %e: i64) {
  // CHECK: %[[VIEW:.*]] = memref.subview %[[T]][%[[FROM]]] [4] [2]
  // CHECK: linalg.generic
  // CHECK-SAME: outs(%[[VIEW]]
  // CHECK-NEXT: ^bb0(%[[OLD:.*]]: i32):
  // CHECK-NEXT:   %[[I:.*]] = linalg.index 0
  // CHECK-NEXT:   %[[TWICE:.*]] = arith.muli %[[I]], %c2
  // CHECK-NEXT:   %[[CELL:.*]] = arith.addi %[[TWICE]], %[[FROM]]
  // CHECK-NEXT:   %[[NEW:.*]] = arith.index_cast %[[CELL]] : index to i32
  // CHECK-NEXT:   %[[IF:.*]] = arith.cmpi sgt, %[[NEW]], %c4
  // CHECK-NEXT:   %[[TOKEN:.*]] = arith.select %[[IF]], %[[NEW]], %[[OLD]]
  // CHECK-NEXT:   linalg.yield %[[TOKEN]]
  lci.tick @A at %e, %e, %e target(%t : memref<9xi32>) box [%from] [4] step [2] class_stride 2 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.index_cast %i : index to i32
    %four = arith.constant 4 : i32
    %big = arith.cmpi sgt, %v, %four : i32
    lci.install %v if %big : i32
  }
  return
}

// -----

// A window on fewer axes is a view of fewer dimensions; the cells of the phase are a test.

// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @fewer_axes
func.func @fewer_axes(%r: memref<5xi1>, %t: memref<3x4xi1>, %e: i64, %p: i64) {
  // CHECK: linalg.generic {indexing_maps = [#[[LAST]], #
  // CHECK: arith.remsi
  // CHECK: %[[MEMBER:.*]] = arith.cmpi eq
  // CHECK: arith.select %[[MEMBER]]
  lci.tick @A at %e, %p, %e inputs(%r : memref<5xi1>) target(%t : memref<3x4xi1>)
      cells affine_set<(x, y)[p] : ((x + y - p) mod 2 == 0)> class_stride 2 {
  ^bb0(%x: index, %y: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<5xi1>):
    %v = lci.load %in[affine_map<(y) -> (y + 1)>](%y) [#lci.boundary<open>] : memref<5xi1> -> i1
    %yes = arith.constant true
    lci.install %v if %yes : i1
  }
  return
}

// -----

// Nothing is left of a tick whose box is empty.

// CHECK-LABEL: func @empty_box
// CHECK-NEXT:    return
func.func @empty_box(%t: memref<9xi32>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%t : memref<9xi32>) box [3] [0] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 4 : i32
    %yes = arith.constant true
    lci.install %v if %yes : i32
  }
  return
}

// -----

// Nor of one that surely changes nothing.

// CHECK-LABEL: func @keeps_everything
// CHECK-NEXT:    return
func.func @keeps_everything(%t: memref<9xi32>, %k: memref<1xi64>, %e: i64) {
  lci.tick @A at %e, %e, %e target(%t : memref<9xi32>) counts(%k : memref<1xi64>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64):
    %v = arith.constant 4 : i32
    %no = arith.constant false
    lci.install %v if %no tally %no to [0] : i32
  }
  return
}

// -----

// Several targets are outputs, and so are boxed arrays, from their first element on. What a cell was is the output's
// argument, not another input. A view of the cells becomes part of the views.

// CHECK-LABEL: func @several
// CHECK-SAME:    %[[A:.*]]: memref<10xi64>, %[[B:.*]]: memref<8xi64>, %[[S:.*]]: memref<6xi64>
func.func @several(%a: memref<10xi64>, %b: memref<8xi64>, %s: memref<6xi64>, %e: i64) {
  // CHECK-DAG: %[[TO_A:.*]] = memref.subview %[[A]][3] [4] [1]
  // CHECK-DAG: %[[TO_B:.*]] = memref.subview %[[B]][2] [4] [1]
  // CHECK-DAG: %[[STATE:.*]] = memref.subview %[[S]][0] [4] [1]
  // CHECK-DAG: %[[NEXT:.*]] = memref.subview %[[A]][4] [4] [1]
  // CHECK: linalg.generic
  // CHECK-SAME: ins(%[[NEXT]] : {{.*}}) outs(%[[TO_A]], %[[TO_B]], %[[STATE]] :
  // CHECK-NEXT: ^bb0(%[[N:.*]]: i64, %[[OLD_A:.*]]: i64, %[[OLD_B:.*]]: i64, %{{.*}}: i64):
  // CHECK-NEXT:   %[[MORE:.*]] = arith.cmpi sgt, %[[N]], %[[OLD_B]]
  // CHECK-NEXT:   %[[NEW_A:.*]] = arith.select %[[MORE]], %[[N]], %[[OLD_A]]
  // CHECK-NEXT:   linalg.yield %[[NEW_A]], %[[OLD_B]], %[[N]]
  %cells = memref.subview %a[1] [8] [1] : memref<10xi64> to memref<8xi64, strided<[1], offset: 1>>
  lci.tick @A at %e, %e, %e inputs(%a, %b : memref<10xi64>, memref<8xi64>)
      target(%cells, %b : memref<8xi64, strided<[1], offset: 1>>, memref<8xi64>) boxed(%s : memref<6xi64>)
      box [2] [4] step [1] class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<10xi64>, %own: memref<8xi64>):
    %n = lci.load %in[affine_map<(d0) -> (d0 + 2)>](%i) [#lci.boundary<open>] : memref<10xi64> -> i64
    %old = lci.load %own[affine_map<(d0) -> (d0)>](%i) [#lci.boundary<open>] : memref<8xi64> -> i64
    %more = arith.cmpi sgt, %n, %old : i64
    lci.install %n, %old boxed(%n : i64) if %more : i64, i64
  }
  return
}
