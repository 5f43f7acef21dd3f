// RUN: lmpm-opt %s --lci-narrow-arithmetic --canonicalize | FileCheck %s
// Integers are computed in few bits, but never so few that a sign or a shift would be another one.

// Sums up to 200 fit eight bits without sign only: so must the comparison and the extremum be.
// CHECK-LABEL: func.func @without_sign(
// CHECK: %[[X:.*]] = arith.addi {{.*}} : i8
// CHECK: %[[Y:.*]] = arith.addi {{.*}} : i8
// CHECK: arith.cmpi ugt, %[[X]], %[[Y]] : i8
// CHECK: arith.maxui %[[X]], %[[Y]] : i8
// CHECK: arith.divui {{.*}} : i8
// CHECK: arith.remui {{.*}} : i8
func.func @without_sign(%a: i1, %b: i1, %c: i1) -> (i1, i64, i64, i64) {
  %zero = arith.constant 0 : i64
  %hundred = arith.constant 100 : i64
  %seven = arith.constant 7 : i64
  %p = arith.select %a, %hundred, %zero : i64
  %q = arith.select %b, %hundred, %zero : i64
  %r = arith.select %c, %hundred, %zero : i64
  %x = arith.addi %p, %q : i64
  %y = arith.addi %q, %r : i64
  %more = arith.cmpi sgt, %x, %y : i64
  %most = arith.maxsi %x, %y : i64
  %part = arith.divsi %most, %seven : i64
  %rest = arith.remsi %most, %seven : i64
  return %more, %most, %part, %rest : i1, i64, i64, i64
}

// With a sign there are fewer numbers in eight bits.
// CHECK-LABEL: func.func @with_sign(
// CHECK: %[[X:.*]] = arith.addi {{.*}} : i8
// CHECK: arith.cmpi slt, %[[X]], %{{.*}} : i8
// CHECK: %[[Y:.*]] = arith.addi {{.*}} : i16
// CHECK: arith.minsi %[[Y]], %{{.*}} : i16
func.func @with_sign(%a: i1, %b: i1) -> (i1, i64) {
  %less = arith.constant -50 : i64
  %fifty = arith.constant 50 : i64
  %hundred = arith.constant 100 : i64
  %p = arith.select %a, %less, %fifty : i64
  %q = arith.select %b, %less, %hundred : i64
  %x = arith.addi %p, %fifty : i64
  %under = arith.cmpi slt, %x, %p : i64
  %y = arith.addi %q, %hundred : i64
  %least = arith.minsi %y, %q : i64
  return %under, %least : i1, i64
}

// A shift by up to 7 fits eight bits; one by up to 20 would be no number there.
// CHECK-LABEL: func.func @shifts(
// CHECK: arith.shrui {{.*}} : i8
// CHECK: arith.shrui {{.*}} : i64
func.func @shifts(%a: i1, %b: i1) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %twenty = arith.constant 20 : i64
  %rule = arith.constant 110 : i64
  %few = arith.select %a, %seven, %zero : i64
  %many = arith.select %b, %twenty, %zero : i64
  %x = arith.shrsi %rule, %few : i64
  %y = arith.shrsi %rule, %many : i64
  return %x, %y : i64, i64
}

// The number of ones of a negative number depends on the width.
// CHECK-LABEL: func.func @ones(
// CHECK: math.ctpop {{.*}} : i64
func.func @ones(%a: i1) -> i64 {
  %less = arith.constant -1 : i64
  %five = arith.constant 5 : i64
  %x = arith.select %a, %less, %five : i64
  %n = math.ctpop %x : i64
  return %n : i64
}

// Up to 254 fits eight bits without sign, and would overflow with one; of fewer bits nothing is said.
// CHECK-LABEL: func.func @overflow(
// CHECK: arith.divui {{.*}} : i8
// CHECK: arith.muli %{{[^:]*}} : i8
// CHECK-NOT: overflow
// CHECK: arith.subi %{{.*}} : i8
// CHECK: arith.shli %{{.*}} : i16
func.func @overflow(%a: i8) -> (i64, i64, i64) {
  %two = arith.constant 2 : i64
  %x = arith.extui %a : i8 to i64
  %half = arith.divui %x, %two : i64
  %even = arith.muli %half, %two overflow<nsw> : i64
  %rest = arith.subi %x, %even overflow<nsw, nuw> : i64
  %double = arith.shli %x, %two overflow<nsw, nuw> : i64
  return %even, %rest, %double : i64, i64, i64
}
