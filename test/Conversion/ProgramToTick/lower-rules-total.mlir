// RUN: lmpm-opt %s --lci-lower-rules --split-input-file --verify-diagnostics | FileCheck %s
// What means nothing for some operands is guarded; constants that need no guard get none.

// CHECK-LABEL: func.func @net
// CHECK-SAME:    (%[[A:.*]]: tensor<1xi64>, %{{.*}}: tensor<1xi1>, %[[T:.*]]: tensor<4xi64>
// CHECK:         %[[X:.*]] = tensor.extract %[[A]][%{{.*}}]
// CHECK:         %[[ZERO:.*]] = arith.cmpi eq, %[[X]], %{{.*}} : i64
// CHECK:         %[[SAFE:.*]] = arith.select %[[ZERO]], %{{.*}}, %[[X]] : i64
// CHECK:         %[[MINUS:.*]] = arith.cmpi eq, %[[X]], %{{.*}} : i64
// CHECK:         %[[SAFER:.*]] = arith.select %[[MINUS]], %{{.*}}, %[[SAFE]] : i64
// CHECK:         %[[Q:.*]] = arith.divsi %[[X]], %[[SAFER]] : i64
// CHECK:         %[[NEGATED:.*]] = arith.subi %{{.*}}, %[[X]] : i64
// CHECK:         %[[WRAPPED:.*]] = arith.select %[[MINUS]], %[[NEGATED]], %[[Q]] : i64
// CHECK:         %[[TOTAL:.*]] = arith.select %[[ZERO]], %{{.*}}, %[[WRAPPED]] : i64
// CHECK:         %[[R:.*]] = arith.remsi %[[TOTAL]], %{{.*}} : i64
// CHECK-NOT:     arith.select
// CHECK:         arith.addi %[[R]], %[[R]] : i64
// CHECK:         %[[I:.*]] = arith.index_cast
// CHECK:         %[[LEAST:.*]] = arith.maxsi %[[I]], %{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.minsi %[[LEAST]], %{{.*}} : index
// CHECK:         tensor.extract %[[T]][%[[AT]]]
func.func @net(%a: tensor<1xi64>, %p: tensor<1xi1>, %t: tensor<4xi64> {lci.weight = "t"}) -> i64 {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : i64
  %x = tensor.extract %a[%c0] : tensor<1xi64>
  %q = arith.divsi %x, %x exact : i64
  %r = arith.remsi %q, %c7 : i64
  %s = arith.addi %r, %r overflow<nsw> : i64
  %i = arith.index_cast %s : i64 to index
  %y = tensor.extract %t[%i] : tensor<4xi64>
  return %y : i64
}

lci.program @asked sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (8)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.model "Net" is "net"
  lci.rule @Ask on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : i64
    lci.emit %v : i64
  }
  lci.commit @A using accept {
  }
}

// -----

// Rules that are written as IR may say so, too.

// CHECK-LABEL: func.func @shifted
// CHECK:         lci.tick @A
// CHECK:           %[[FITS:.*]] = arith.cmpi ult, %[[X:.*]], %{{.*}} : i64
// CHECK:           %[[AMOUNT:.*]] = arith.select %[[FITS]], %[[X]], %{{.*}} : i64
// CHECK:           %[[Y:.*]] = arith.shli %[[X]], %[[AMOUNT]] : i64
// CHECK:           arith.select %[[FITS]], %[[Y]], %{{.*}} : i64
lci.program @shifted sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (8)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Shift on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : i64
    %w = arith.shli %v, %v : i64
    lci.emit %w : i64
  }
  lci.commit @A using accept {
  }
}

// -----

// Upstream takes an index that loses bits and is an index again for the index itself.

// CHECK-LABEL: func.func @narrow
// CHECK:         %[[I:.*]] = arith.index_castui %{{.*}} : i64 to index
// CHECK:         %[[WHOLE:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:         %[[BYTE:.*]] = arith.trunci %[[WHOLE]] : i64 to i8
// CHECK:         %[[BACK:.*]] = arith.index_castui %[[BYTE]] : i8 to index
// CHECK:         arith.index_cast %[[BACK]] : index to i64
func.func @narrow(%a: tensor<1xi64>, %p: tensor<1xi1>) -> i64 {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0] : tensor<1xi64>
  %i = arith.index_castui %x : i64 to index
  %byte = arith.index_castui %i : index to i8
  %back = arith.index_castui %byte : i8 to index
  %y = arith.index_cast %back : index to i64
  return %y : i64
}

lci.program @asked sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (8)> shape affine_map<() -> (8)>
    boundary [#lci.boundary<wrap>] {
  }
  lci.model "Net" is "narrow"
  lci.rule @Ask on @A {
  ^bb0(%i: index):
    %v, %p = lci.read @A[affine_map<(d0) -> (d0)>](%i) : i64
    lci.emit %v : i64
  }
  lci.commit @A using accept {
  }
}
