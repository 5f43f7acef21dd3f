// RUN: lmpm-opt %s --convert-lci-to-linalg --canonicalize --split-input-file | FileCheck %s
// A halo is refreshed axis by axis, over the full width of the axes already done; the first one is last.

// CHECK-LABEL: func @torus
// CHECK-SAME:    %[[S:.*]]: memref<6x10xi8>
func.func @torus(%s: memref<6x10xi8>) {
  // CHECK-NEXT: memref.subview %[[S]][1, 8] [4, 1] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][1, 0] [4, 1] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: memref.subview %[[S]][1, 1] [4, 1] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][1, 9] [4, 1] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: %[[LAST:.*]] = memref.subview %[[S]][4, 0] [1, 10] [1, 1]
  // CHECK-NEXT: %[[ABOVE:.*]] = memref.subview %[[S]][0, 0] [1, 10] [1, 1]
  // CHECK-NEXT: linalg.copy ins(%[[LAST]] : {{.*}}) outs(%[[ABOVE]] :
  // CHECK-NEXT: %[[FIRST:.*]] = memref.subview %[[S]][1, 0] [1, 10] [1, 1]
  // CHECK-NEXT: %[[BELOW:.*]] = memref.subview %[[S]][5, 0] [1, 10] [1, 1]
  // CHECK-NEXT: linalg.copy ins(%[[FIRST]] : {{.*}}) outs(%[[BELOW]] :
  // CHECK-NEXT: return
  lci.refresh_halo %s low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<6x10xi8>
  return
}

// -----

// What is behind the halo of a row is nobody's, and is not copied either.

// CHECK-LABEL: func @spare
// CHECK-SAME:    %[[S:.*]]: memref<6x13xf32>
func.func @spare(%s: memref<6x13xf32>) {
  // CHECK-NEXT: memref.subview %[[S]][1, 8] [4, 1] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][1, 0] [4, 1] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: memref.subview %[[S]][1, 1] [4, 1] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][1, 9] [4, 1] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: memref.subview %[[S]][4, 0] [1, 10] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][0, 0] [1, 10] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: memref.subview %[[S]][1, 0] [1, 10] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][5, 0] [1, 10] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: return
  lci.refresh_halo %s low [1, 1] high [1, 1] spare 3 [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<6x13xf32>
  return
}

// -----

// A halo of five around two cells goes round two and a half times.

// CHECK-LABEL: func @wider_than_the_value
// CHECK-SAME:    %[[S:.*]]: memref<7xf32>
func.func @wider_than_the_value(%s: memref<7xf32>) {
  // CHECK-NEXT: memref.subview %[[S]][5] [2] [1]
  // CHECK-NEXT: memref.subview %[[S]][3] [2] [1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: memref.subview %[[S]][5] [2] [1]
  // CHECK-NEXT: memref.subview %[[S]][1] [2] [1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: memref.subview %[[S]][6] [1] [1]
  // CHECK-NEXT: memref.subview %[[S]][0] [1] [1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: return
  lci.refresh_halo %s low [5] high [0] [#lci.boundary<wrap>] : memref<7xf32>
  return
}

// -----

// CHECK-LABEL: func @clamp_and_open
// CHECK-SAME:    %[[S:.*]]: memref<6x5xi8>, %[[ZERO:.*]]: i8
func.func @clamp_and_open(%s: memref<6x5xi8>, %zero: i8) {
  // CHECK-NEXT: %[[BORDER:.*]] = memref.subview %[[S]][2, 0] [4, 1] [1, 1]
  // CHECK-NEXT: linalg.fill ins(%[[ZERO]] : i8) outs(%[[BORDER]]
  // CHECK-NEXT: memref.subview %[[S]][2, 0] [1, 5] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][1, 0] [1, 5] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: memref.subview %[[S]][2, 0] [1, 5] [1, 1]
  // CHECK-NEXT: memref.subview %[[S]][0, 0] [1, 5] [1, 1]
  // CHECK-NEXT: linalg.copy
  // CHECK-NEXT: return
  lci.refresh_halo %s low [2, 1] high [0, 0] [#lci.boundary<clamp>, #lci.boundary<open>] fill %zero : memref<6x5xi8>, i8
  return
}

// -----

// Of some rows the ends are copied, and a row of the halo if it shows one of them.

// CHECK-LABEL: func @some_rows
// CHECK-SAME:    %[[S:.*]]: memref<6x10xi8>, %[[BEGIN:.*]]: index, %[[COUNT:.*]]: index
func.func @some_rows(%s: memref<6x10xi8>, %begin: index, %count: index) {
  // CHECK: %[[AT:.*]] = arith.addi %[[BEGIN]], %c1
  // CHECK: memref.subview %[[S]][%[[AT]], 8] [%[[COUNT]], 1] [1, 1]
  // CHECK: memref.subview %[[S]][%{{.*}}, 0] [%[[COUNT]], 1] [1, 1]
  // CHECK: linalg.copy
  // CHECK: %[[FAR:.*]] = arith.subi %c3, %[[BEGIN]]
  // CHECK: %[[SHOWN:.*]] = arith.cmpi ult, %[[FAR]], %[[COUNT]]
  // CHECK: scf.if %[[SHOWN]] {
  // CHECK:   memref.subview %[[S]][4, 0] [1, 10] [1, 1]
  // CHECK:   memref.subview %[[S]][0, 0] [1, 10] [1, 1]
  // CHECK:   linalg.copy
  // CHECK: }
  // CHECK: scf.if
  // CHECK:   memref.subview %[[S]][1, 0] [1, 10] [1, 1]
  // CHECK:   memref.subview %[[S]][5, 0] [1, 10] [1, 1]
  // CHECK: return
  lci.refresh_halo %s rows [%begin, %count] low [1, 1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<6x10xi8>
  return
}
