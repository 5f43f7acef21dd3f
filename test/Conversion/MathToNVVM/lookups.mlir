// RUN: lmpm-opt %s --convert-lci-math-to-nvvm | FileCheck %s
// Look-ups of three bits are instructions.

// What a look-up leaves of a word is a half, if it gives zero wherever what is known to be one does.
// CHECK-LABEL: func @wide_lookup
// CHECK:         llvm.inline_asm "mul.wide.u32
// CHECK:         arith.muli
func.func @wide_lookup(%x: i64, %y: i64) -> (i64, i64) {
  %mask = arith.constant 4294967295 : i64
  %factor = arith.constant 3528531795 : i64
  %some = lci.lookup %x, %y, %mask in 40 : i64
  %p = arith.muli %some, %factor : i64
  %more = lci.lookup %x, %y, %mask in 41 : i64
  %q = arith.muli %more, %factor : i64
  return %p, %q : i64, i64
}

// A look-up is an instruction for each half of a word; of other widths there is none.
// CHECK-LABEL: func @lookups
// CHECK-SAME:    %[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i32, %[[X:.*]]: i64, %[[Y:.*]]: i64, %[[Z:.*]]: i64
// CHECK:         %[[SHORT:.*]] = llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 232;", "=r,r,r,r" %[[A]], %[[B]], %[[C]] : (i32, i32, i32) -> i32
// CHECK-DAG:     %[[LOW:.*]] = arith.trunci %[[X]] : i64 to i32
// CHECK-DAG:     %[[UPPER:.*]] = arith.shrui %[[X]], %c32_i64 : i64
// CHECK-DAG:     %[[HIGH:.*]] = arith.trunci %[[UPPER]] : i64 to i32
// CHECK:         %[[P:.*]] = llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 150;", "=r,r,r,r" %[[LOW]], %{{.*}}, %{{.*}} : (i32, i32, i32) -> i32
// CHECK:         %[[PW:.*]] = arith.extui %[[P]] : i32 to i64
// CHECK:         %[[Q:.*]] = llvm.inline_asm "lop3.b32 $0, $1, $2, $3, 150;", "=r,r,r,r" %[[HIGH]], %{{.*}}, %{{.*}} : (i32, i32, i32) -> i32
// CHECK:         %[[QW:.*]] = arith.extui %[[Q]] : i32 to i64
// CHECK:         %[[QH:.*]] = arith.shli %[[QW]], %c32_i64 : i64
// CHECK:         %[[LONG:.*]] = arith.ori %[[PW]], %[[QH]] : i64
// CHECK:         %[[TINY:.*]] = lci.lookup %{{.*}} in 150 : i8
// CHECK:         return %[[SHORT]], %[[LONG]], %[[TINY]]
func.func @lookups(%a: i32, %b: i32, %c: i32, %x: i64, %y: i64, %z: i64, %t: i8) -> (i32, i64, i8) {
  %short = lci.lookup %a, %b, %c in 232 : i32
  %long = lci.lookup %x, %y, %z in 150 : i64
  %tiny = lci.lookup %t, %t, %t in 150 : i8
  return %short, %long, %tiny : i32, i64, i8
}
