// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=2 min-groups=1}))' | FileCheck %s
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-groups=1}))' | FileCheck %s --check-prefix=FOUR
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-more=40 min-groups=1}))' | FileCheck %s --check-prefix=HALF
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=4 min-groups=3}))' | FileCheck %s --check-prefix=HALF
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(lci-attach-gpu-target,func.func(lci-unroll-jam-rows{rows=2 min-groups=1 load-cost=8}))' | FileCheck %s --check-prefix=THREADS
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=2 min-groups=1 max-accesses=5}))' | FileCheck %s --check-prefix=FEW
// RUN: lmpm-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(lci-unroll-jam-rows{rows=2 min-groups=1 max-operations=4}))' | FileCheck %s --check-prefix=FEW
// Rows whose windows overlap are computed together; what they share is loaded and computed once.

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// Of as many rows as may be, half are taken where the others would add little.
// FOUR-LABEL: func.func @overlap(
// FOUR: memref.subview %{{.*}}[0, 0] [1, 16] [4, 1]
// HALF-LABEL: func.func @overlap(
// HALF: memref.subview %{{.*}}[0, 0] [3, 16] [2, 1]
// CHECK-LABEL: func.func @overlap(
// CHECK-SAME: %[[A:.*]]: memref<9x16xi64> {{.*}}, %[[B:.*]]: memref<9x16xi64> {{.*}}, %[[COUNT:.*]]: memref<i64>
// CHECK-DAG: %[[A0:.*]] = memref.subview %[[A]][0, 0] [3, 16] [2, 1]
// CHECK-DAG: %[[A1:.*]] = memref.subview %[[A]][1, 0] [3, 16] [2, 1]
// CHECK-DAG: %[[A2:.*]] = memref.subview %[[A]][2, 0] [3, 16] [2, 1]
// CHECK-DAG: %[[A3:.*]] = memref.subview %[[A]][3, 0] [3, 16] [2, 1]
// CHECK-DAG: %[[B1:.*]] = memref.subview %[[B]][1, 0] [3, 16] [2, 1]
// CHECK-DAG: %[[B2:.*]] = memref.subview %[[B]][2, 0] [3, 16] [2, 1]
// CHECK: linalg.generic
// CHECK-SAME: ins(%[[A0]], %[[A1]], %[[A2]], %[[A3]] :
// CHECK-SAME: outs(%[[B1]], %[[COUNT]], %[[B2]] :
// CHECK: ^bb0(%[[X0:.*]]: i64, %[[X1:.*]]: i64, %[[X2:.*]]: i64, %[[X3:.*]]: i64, %{{.*}}: i64, %[[N:.*]]: i64, %{{.*}}: i64):
// CHECK-NEXT: %[[P0:.*]] = math.ctpop %[[X0]]
// CHECK-NEXT: %[[P1:.*]] = math.ctpop %[[X1]]
// CHECK-NEXT: %[[P2:.*]] = math.ctpop %[[X2]]
// CHECK-NEXT: %[[S0:.*]] = arith.addi %[[P0]], %[[P1]]
// CHECK-NEXT: %[[S1:.*]] = arith.addi %[[S0]], %[[P2]]
// CHECK-NEXT: %[[N1:.*]] = arith.addi %[[N]], %[[S1]]
// CHECK-NEXT: %[[P3:.*]] = math.ctpop %[[X3]]
// CHECK-NEXT: %[[S2:.*]] = arith.addi %[[P1]], %[[P2]]
// CHECK-NEXT: %[[S3:.*]] = arith.addi %[[S2]], %[[P3]]
// CHECK-NEXT: %[[N2:.*]] = arith.addi %[[N1]], %[[S3]]
// CHECK-NEXT: linalg.yield %[[S1]], %[[N2]], %[[S3]]
// The seventh row is alone.
// CHECK-DAG: memref.subview %[[A]][6, 0] [1, 16] [1, 1]
// CHECK-DAG: memref.subview %[[B]][7, 0] [1, 16] [1, 1]
// CHECK: linalg.generic
// CHECK: math.ctpop
// CHECK-NOT: linalg.generic
func.func @overlap(%a: memref<9x16xi64> {llvm.noalias}, %b: memref<9x16xi64> {llvm.noalias}, %count: memref<i64> {llvm.noalias}) {
  %above = memref.subview %a[0, 0] [7, 16] [1, 1] : memref<9x16xi64> to memref<7x16xi64, strided<[16, 1]>>
  %here = memref.subview %a[1, 0] [7, 16] [1, 1] : memref<9x16xi64> to memref<7x16xi64, strided<[16, 1], offset: 16>>
  %below = memref.subview %a[2, 0] [7, 16] [1, 1] : memref<9x16xi64> to memref<7x16xi64, strided<[16, 1], offset: 32>>
  %out = memref.subview %b[1, 0] [7, 16] [1, 1] : memref<9x16xi64> to memref<7x16xi64, strided<[16, 1], offset: 16>>
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%above, %here, %below : memref<7x16xi64, strided<[16, 1]>>, memref<7x16xi64, strided<[16, 1], offset: 16>>, memref<7x16xi64, strided<[16, 1], offset: 32>>)
      outs(%out, %count : memref<7x16xi64, strided<[16, 1], offset: 16>>, memref<i64>) {
  ^bb0(%x: i64, %y: i64, %z: i64, %old: i64, %n: i64):
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %r = math.ctpop %z : i64
    %s = arith.addi %p, %q : i64
    %t = arith.addi %s, %r : i64
    %m = arith.addi %n, %t : i64
    linalg.yield %t, %m : i64, i64
  }
  return
}

// -----

// A row's number is the cell's, not the loop's.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @numbers(
// CHECK: linalg.generic
// CHECK-DAG: %[[I:.*]] = linalg.index 0
// CHECK-DAG: %[[TWICE:.*]] = arith.muli %[[I]], %c2
// CHECK-DAG: %[[ROW1:.*]] = arith.addi %[[TWICE]], %c1
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK: %[[J:.*]] = linalg.index 0
// CHECK: arith.muli %[[J]], %c1
// CHECK: arith.addi %{{.*}}, %c4
func.func @numbers(%a: memref<6x16xi64> {llvm.noalias}, %b: memref<5x16xi64> {llvm.noalias}) {
  %x = memref.subview %a[0, 0] [5, 16] [1, 1] : memref<6x16xi64> to memref<5x16xi64, strided<[16, 1]>>
  %y = memref.subview %a[1, 0] [5, 16] [1, 1] : memref<6x16xi64> to memref<5x16xi64, strided<[16, 1], offset: 16>>
  %out = memref.subview %b[0, 0] [5, 16] [1, 1] : memref<5x16xi64> to memref<5x16xi64, strided<[16, 1]>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : memref<5x16xi64, strided<[16, 1]>>, memref<5x16xi64, strided<[16, 1], offset: 16>>)
      outs(%out : memref<5x16xi64, strided<[16, 1]>>) {
  ^bb0(%u: i64, %v: i64, %old: i64):
    %p = math.ctpop %u : i64
    %pp = arith.muli %p, %p : i64
    %ppp = arith.muli %pp, %p : i64
    %q = math.ctpop %v : i64
    %qq = arith.muli %q, %q : i64
    %qqq = arith.muli %qq, %q : i64
    %s = arith.addi %ppp, %qqq : i64
    %row = linalg.index 0 : index
    %number = arith.index_cast %row : index to i64
    %t = arith.addi %s, %number : i64
    linalg.yield %t : i64
  }
  return
}

// -----

// Alone stay rows that have little in common, that read what another one writes, whose buffers may
// be the same, whose windows are not known, or that are too few.
#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @alone(
// CHECK-COUNT-6: linalg.generic
// CHECK-NOT: linalg.generic
func.func @alone(%a: memref<9x16xi64> {llvm.noalias}, %b: memref<9x16xi64> {llvm.noalias}, %c: memref<9x16xi64>, %d: memref<9x16xi64>, %last: memref<i64> {llvm.noalias}, %k: index) {
  %a0 = memref.subview %a[0, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1]>>
  %a1 = memref.subview %a[1, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
  %b0 = memref.subview %b[0, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1]>>
  %c0 = memref.subview %c[0, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1]>>
  %c1 = memref.subview %c[1, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
  %d0 = memref.subview %d[0, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1]>>
  // Nothing in common.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a0 : memref<8x16xi64, strided<[16, 1]>>) outs(%b0 : memref<8x16xi64, strided<[16, 1]>>) {
  ^bb0(%u: i64, %old: i64):
    %p = math.ctpop %u : i64
    linalg.yield %p : i64
  }
  // In place.
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>)
      outs(%a0 : memref<8x16xi64, strided<[16, 1]>>) {
  ^bb0(%u: i64, %v: i64, %old: i64):
    %p = math.ctpop %u : i64
    %q = math.ctpop %v : i64
    %s = arith.addi %p, %q : i64
    linalg.yield %s : i64
  }
  // Perhaps in place.
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c0, %c1 : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>)
      outs(%d0 : memref<8x16xi64, strided<[16, 1]>>) {
  ^bb0(%u: i64, %v: i64, %old: i64):
    %p = math.ctpop %u : i64
    %q = math.ctpop %v : i64
    %s = arith.addi %p, %q : i64
    linalg.yield %s : i64
  }
  // No view.
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<9x16xi64>) outs(%b : memref<9x16xi64>) {
  ^bb0(%u: i64, %old: i64):
    linalg.yield %u : i64
  }
  // The last row's number, which is no count.
  linalg.generic {indexing_maps = [#id, #id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%a0, %a1 : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>)
      outs(%last : memref<i64>) {
  ^bb0(%u: i64, %v: i64, %old: i64):
    %p = math.ctpop %u : i64
    %q = math.ctpop %v : i64
    %s = arith.addi %p, %q : i64
    linalg.yield %s : i64
  }
  // A branch.
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a0, %a1 : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>)
      outs(%b0 : memref<8x16xi64, strided<[16, 1]>>) {
  ^bb0(%u: i64, %v: i64, %old: i64):
    %p = math.ctpop %u : i64
    %q = math.ctpop %v : i64
    %same = arith.cmpi eq, %p, %q : i64
    %s = scf.if %same -> i64 {
      scf.yield %p : i64
    } else {
      scf.yield %q : i64
    }
    linalg.yield %s : i64
  }
  return
}

// -----

// Rows may begin at one that is computed, as those of a part of a tick do.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %[[A:.*]]: memref<9x16xi64> {{.*}}, %[[B:.*]]: memref<9x16xi64> {{.*}}, %[[FIRST:.*]]: index
// CHECK-DAG: memref.subview %[[A]][%[[FIRST]], 0] [2, 16] [2, 1]
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[THIRD:.*]] = arith.addi %[[FIRST]], %[[TWO]]
// CHECK: memref.subview %[[A]][%[[THIRD]], 0] [2, 16] [2, 1]
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[a-z0-9_]*}}, %{{[a-z0-9_]*}}, %{{[a-z0-9_]*}} :
// CHECK: math.ctpop
// CHECK-NEXT: math.ctpop
// CHECK: math.ctpop
// CHECK-NOT: math.ctpop
func.func @part(%a: memref<9x16xi64> {llvm.noalias}, %b: memref<9x16xi64> {llvm.noalias}, %first: index) {
  %one = arith.constant 1 : index
  %second = arith.addi %first, %one : index
  %above = memref.subview %a[%first, 0] [4, 16] [1, 1] : memref<9x16xi64> to memref<4x16xi64, strided<[16, 1], offset: ?>>
  %here = memref.subview %a[%second, 0] [4, 16] [1, 1] : memref<9x16xi64> to memref<4x16xi64, strided<[16, 1], offset: ?>>
  %out = memref.subview %b[%second, 0] [4, 16] [1, 1] : memref<9x16xi64> to memref<4x16xi64, strided<[16, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%above, %here : memref<4x16xi64, strided<[16, 1], offset: ?>>, memref<4x16xi64, strided<[16, 1], offset: ?>>)
      outs(%out : memref<4x16xi64, strided<[16, 1], offset: ?>>) {
  ^bb0(%x: i64, %y: i64, %old: i64):
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %s = arith.addi %p, %q : i64
    linalg.yield %s : i64
  }
  return
}

// -----

// The rows of a window are computed: how many there are, and from where. One row may be left.
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[A:.*]]: memref<?x16xi64> {{.*}}, %[[B:.*]]: memref<?x16xi64> {{.*}}, %[[FIRST:.*]]: index, %[[N:.*]]: index
// CHECK: %[[PAIRS:.*]] = arith.divui %[[N]], %{{.*}}
// CHECK: %[[DONE:.*]] = arith.muli %[[PAIRS]], %{{.*}}
// CHECK: %[[REST:.*]] = arith.subi %[[N]], %[[DONE]]
// CHECK: memref.subview %[[A]][%[[FIRST]], 0] [%[[PAIRS]], 16] [2, 1]
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<?x16xi64
// CHECK: %[[FROM:.*]] = arith.addi %[[FIRST]], %[[DONE]]
// CHECK: memref.subview %[[A]][%[[FROM]], 0] [%[[REST]], 16] [1, 1]
// CHECK: linalg.generic
// CHECK: arith.addi %{{.*}}, %[[DONE]]
// CHECK-NOT: linalg.generic
func.func @window(%a: memref<?x16xi64> {llvm.noalias}, %b: memref<?x16xi64> {llvm.noalias}, %first: index, %n: index) {
  %one = arith.constant 1 : index
  %next = arith.addi %first, %one : index
  %above = memref.subview %a[%first, 0] [%n, 16] [1, 1] : memref<?x16xi64> to memref<?x16xi64, strided<[16, 1], offset: ?>>
  %here = memref.subview %a[%next, 0] [%n, 16] [1, 1] : memref<?x16xi64> to memref<?x16xi64, strided<[16, 1], offset: ?>>
  %out = memref.subview %b[%next, 0] [%n, 16] [1, 1] : memref<?x16xi64> to memref<?x16xi64, strided<[16, 1], offset: ?>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%above, %here : memref<?x16xi64, strided<[16, 1], offset: ?>>, memref<?x16xi64, strided<[16, 1], offset: ?>>)
      outs(%out : memref<?x16xi64, strided<[16, 1], offset: ?>>) {
  ^bb0(%x: i64, %y: i64, %old: i64):
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %pp = math.ctpop %p : i64
    %qq = math.ctpop %q : i64
    %row = linalg.index 0 : index
    %k = arith.index_cast %row : index to i64
    %s = arith.addi %pp, %qq : i64
    %t = arith.addi %s, %k : i64
    linalg.yield %t : i64
  }
  return
}

// A window at the edge of its buffer has one row at most, whatever its size is called: the row behind it
// would begin where the buffer ends.
// CHECK-LABEL: func.func @edge(
// CHECK-COUNT-3: memref.subview
// CHECK-NOT: memref.subview
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @edge(%a: memref<8x16xi64> {llvm.noalias}, %b: memref<8x16xi64> {llvm.noalias}, %n: index) {
  %above = memref.subview %a[6, 0] [%n, 16] [1, 1] : memref<8x16xi64> to memref<?x16xi64, strided<[16, 1], offset: 96>>
  %here = memref.subview %a[7, 0] [%n, 16] [1, 1] : memref<8x16xi64> to memref<?x16xi64, strided<[16, 1], offset: 112>>
  %out = memref.subview %b[7, 0] [%n, 16] [1, 1] : memref<8x16xi64> to memref<?x16xi64, strided<[16, 1], offset: 112>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%above, %here : memref<?x16xi64, strided<[16, 1], offset: 96>>, memref<?x16xi64, strided<[16, 1], offset: 112>>)
      outs(%out : memref<?x16xi64, strided<[16, 1], offset: 112>>) {
  ^bb0(%x: i64, %y: i64, %old: i64):
    %p = math.ctpop %x : i64
    %q = math.ctpop %y : i64
    %pp = math.ctpop %p : i64
    %qq = math.ctpop %q : i64
    %s = arith.addi %pp, %qq : i64
    linalg.yield %s : i64
  }
  return
}

// -----

// Two counters of one array are two; one that is counted in twice is not.
#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func.func @counters(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} : memref<4x16xi64
// CHECK-SAME: outs(%{{[^ ]*}}, %[[FIRST:[^ ]*]], %[[SECOND:[^ ]*]], %{{[^ ]*}} :
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[^ ]*}}, %{{[^ ]*}} : memref<8x16xi64
// CHECK-SAME: outs(%{{[^ ]*}}, %[[FIRST]], %[[FIRST]] :
func.func @counters(%a: memref<9x16xi64> {llvm.noalias}, %b: memref<9x16xi64> {llvm.noalias}, %counts: memref<2xi64> {llvm.noalias}) {
  %a0 = memref.subview %a[0, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1]>>
  %a1 = memref.subview %a[1, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
  %b0 = memref.subview %b[0, 0] [8, 16] [1, 1] : memref<9x16xi64> to memref<8x16xi64, strided<[16, 1]>>
  %first = memref.subview %counts[0] [1] [1] : memref<2xi64> to memref<i64, strided<[]>>
  %second = memref.subview %counts[1] [1] [1] : memref<2xi64> to memref<i64, strided<[], offset: 1>>
  linalg.generic {indexing_maps = [#id, #id, #id, #none, #none], iterator_types = ["reduction", "reduction"]}
      ins(%a0, %a1 : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>)
      outs(%b0, %first, %second : memref<8x16xi64, strided<[16, 1]>>, memref<i64, strided<[]>>, memref<i64, strided<[], offset: 1>>) {
  ^bb0(%u: i64, %v: i64, %old: i64, %n: i64, %m: i64):
    %pp = math.ctpop %u : i64
    %qq = math.ctpop %v : i64
    %p = math.ctpop %pp : i64
    %q = math.ctpop %qq : i64
    %s = arith.addi %p, %q : i64
    %k = arith.addi %n, %p : i64
    %l = arith.addi %m, %q : i64
    linalg.yield %s, %k, %l : i64, i64, i64
  }
  linalg.generic {indexing_maps = [#id, #id, #id, #none, #none], iterator_types = ["reduction", "reduction"]}
      ins(%a0, %a1 : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>)
      outs(%b0, %first, %first : memref<8x16xi64, strided<[16, 1]>>, memref<i64, strided<[]>>, memref<i64, strided<[]>>) {
  ^bb0(%u: i64, %v: i64, %old: i64, %n: i64, %m: i64):
    %pp = math.ctpop %u : i64
    %qq = math.ctpop %v : i64
    %p = math.ctpop %pp : i64
    %q = math.ctpop %qq : i64
    %s = arith.addi %p, %q : i64
    %k = arith.addi %n, %p : i64
    %l = arith.addi %m, %q : i64
    linalg.yield %s, %k, %l : i64, i64, i64
  }
  return
}

// -----

// Additions of rows to a number shared by all threads are combined; ping-pong buffers do not alias.
#same = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @turns(
// CHECK-SAME: %[[COUNT:[a-z0-9]+]]: memref<1xi64>
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: %[[C0:.*]] = math.ctpop
// CHECK: %[[C1:.*]] = math.ctpop
// CHECK: %[[ALL:.*]] = arith.addi %[[C0]], %[[C1]] : i64
// CHECK-NEXT: memref.atomic_rmw addi %[[ALL]], %[[COUNT]][%{{.*}}] : (i64, memref<1xi64>) -> i64
// CHECK-NOT: memref.atomic_rmw
// CHECK: scf.yield
func.func @turns(%a: memref<10x16xi64> {llvm.noalias}, %b: memref<10x16xi64> {llvm.noalias}, %count: memref<1xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 iter_args(%from = %a, %to = %b) -> (memref<10x16xi64>, memref<10x16xi64>) {
    %above = memref.subview %from[0, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1]>>
    %here = memref.subview %from[1, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
    %below = memref.subview %from[2, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 32>>
    %out = memref.subview %to[1, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
    linalg.generic {indexing_maps = [#same, #same, #same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%above, %here, %below : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>, memref<8x16xi64, strided<[16, 1], offset: 32>>)
        outs(%out : memref<8x16xi64, strided<[16, 1], offset: 16>>) {
    ^bb0(%x: i64, %y: i64, %z: i64, %old: i64):
      %s = arith.xori %x, %y : i64
      %t = arith.xori %s, %z : i64
      %p = math.ctpop %t : i64
      memref.atomic_rmw addi %p, %count[%c0] : (i64, memref<1xi64>) -> i64
      linalg.yield %t : i64
    }
    scf.yield %to, %from : memref<10x16xi64>, memref<10x16xi64>
  }
  return
}

// -----

// Of buffers one of which the loop keeps and hands on as both, nothing is known: nothing is joined.
#same = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @merged(
// CHECK: scf.for
// CHECK-NOT: [4, 16] [2, 1]
// CHECK: return
func.func @merged(%a: memref<10x16xi64> {llvm.noalias}, %b: memref<10x16xi64> {llvm.noalias}, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 iter_args(%from = %a, %to = %b) -> (memref<10x16xi64>, memref<10x16xi64>) {
    %above = memref.subview %from[0, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1]>>
    %here = memref.subview %from[1, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
    %below = memref.subview %from[2, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 32>>
    %out = memref.subview %to[1, 0] [8, 16] [1, 1] : memref<10x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
    linalg.generic {indexing_maps = [#same, #same, #same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%above, %here, %below : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>, memref<8x16xi64, strided<[16, 1], offset: 32>>)
        outs(%out : memref<8x16xi64, strided<[16, 1], offset: 16>>) {
    ^bb0(%x: i64, %y: i64, %z: i64, %old: i64):
      %s = arith.xori %x, %y : i64
      %t = arith.xori %s, %z : i64
      linalg.yield %t : i64
    }
    scf.yield %to, %to : memref<10x16xi64>, memref<10x16xi64>
  }
  return
}

// -----

// What is counted under a condition is counted of both rows at once. Of nine rows the last one is a thread of the same loop.
#same = affine_map<(d0, d1) -> (d0, d1)>
// FEW-LABEL: func.func @conditions(
// FEW-NOT: [2, 1]
// FEW: return
// CHECK-LABEL: func.func @conditions(
// CHECK: linalg.generic
// CHECK-COUNT-2: memref.atomic_rmw
// CHECK: linalg.generic
// CHECK-COUNT-2: memref.atomic_rmw
// CHECK: return
// THREADS-LABEL: func.func @conditions(
// THREADS-SAME: %[[COUNT:[a-z0-9]+]]: memref<2xi64>
// THREADS-NOT: linalg.generic
// THREADS: scf.parallel (%[[I:.*]], %{{.*}}) =
// THREADS: %[[IN:.*]] = arith.cmpi ult, %[[I]], %{{.*}} : index
// THREADS: scf.if %[[IN]] {
// THREADS: %[[ONE:.*]] = arith.extui %{{.*}} : i1 to i64
// THREADS: arith.select %{{.*}}, %{{.*}}, %{{.*}} : i64
// THREADS: %[[OTHER:.*]] = arith.extui %{{.*}} : i1 to i64
// THREADS: %[[SUM:.*]] = arith.addi %[[ONE]], %[[OTHER]] : i64
// THREADS: memref.atomic_rmw addi %[[SUM]], %[[COUNT]]
// THREADS: memref.atomic_rmw addi %{{.*}}, %[[COUNT]]
// THREADS-NOT: memref.atomic_rmw
// THREADS: } else {
// THREADS: arith.subi %[[I]],
// THREADS: memref.load
// THREADS: scf.if
// THREADS-NEXT: memref.atomic_rmw addi %{{.*}}, %[[COUNT]]
// THREADS-NOT: scf.parallel
// THREADS: return
func.func @conditions(%a: memref<11x16xi64> {llvm.noalias}, %b: memref<11x16xi64> {llvm.noalias}, %count: memref<2xi64> {llvm.noalias}, %many: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %above = memref.subview %a[0, 0] [9, 16] [1, 1] : memref<11x16xi64> to memref<9x16xi64, strided<[16, 1]>>
  %here = memref.subview %a[1, 0] [9, 16] [1, 1] : memref<11x16xi64> to memref<9x16xi64, strided<[16, 1], offset: 16>>
  %below = memref.subview %a[2, 0] [9, 16] [1, 1] : memref<11x16xi64> to memref<9x16xi64, strided<[16, 1], offset: 32>>
  %out = memref.subview %b[1, 0] [9, 16] [1, 1] : memref<11x16xi64> to memref<9x16xi64, strided<[16, 1], offset: 16>>
  linalg.generic {indexing_maps = [#same, #same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%above, %here, %below : memref<9x16xi64, strided<[16, 1]>>, memref<9x16xi64, strided<[16, 1], offset: 16>>, memref<9x16xi64, strided<[16, 1], offset: 32>>)
      outs(%out : memref<9x16xi64, strided<[16, 1], offset: 16>>) {
  ^bb0(%x: i64, %y: i64, %z: i64, %old: i64):
    %s = arith.xori %x, %z : i64
    %t = arith.xori %s, %y : i64
    %u = arith.muli %t, %t : i64
    %v = arith.muli %u, %t : i64
    %w = arith.addi %v, %t : i64
    %is = arith.cmpi ne, %w, %y : i64
    scf.if %is {
      memref.atomic_rmw addi %one, %count[%c0] : (i64, memref<2xi64>) -> i64
    }
    scf.if %is {
      memref.atomic_rmw addi %many, %count[%c1] : (i64, memref<2xi64>) -> i64
    }
    linalg.yield %w : i64
  }
  return
}

// -----

// What has another alternative, or does more than count, is no count.
#same = affine_map<(d0, d1) -> (d0, d1)>
// THREADS-LABEL: func.func @no_count(
// THREADS-NOT: [2, 1]
// THREADS: linalg.generic
// THREADS: return
func.func @no_count(%a: memref<11x16xi64> {llvm.noalias}, %b: memref<11x16xi64> {llvm.noalias}, %count: memref<1xi64> {llvm.noalias}, %one: i64) {
  %c0 = arith.constant 0 : index
  %above = memref.subview %a[0, 0] [8, 16] [1, 1] : memref<11x16xi64> to memref<8x16xi64, strided<[16, 1]>>
  %below = memref.subview %a[1, 0] [8, 16] [1, 1] : memref<11x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
  %out = memref.subview %b[1, 0] [8, 16] [1, 1] : memref<11x16xi64> to memref<8x16xi64, strided<[16, 1], offset: 16>>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%above, %below : memref<8x16xi64, strided<[16, 1]>>, memref<8x16xi64, strided<[16, 1], offset: 16>>)
      outs(%out : memref<8x16xi64, strided<[16, 1], offset: 16>>) {
  ^bb0(%x: i64, %y: i64, %old: i64):
    %is = arith.cmpi ne, %x, %y : i64
    scf.if %is {
      memref.atomic_rmw addi %one, %count[%c0] : (i64, memref<1xi64>) -> i64
    } else {
      memref.store %x, %count[%c0] : memref<1xi64>
    }
    linalg.yield %x : i64
  }
  return
}
