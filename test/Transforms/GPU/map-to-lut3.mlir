// RUN: lmpm-opt %s --lci-map-to-lut3 --canonicalize | FileCheck %s
// A function of three values is one look-up, whatever it was written as; what is shared is counted once.

// Sum and carry of an adder; the exclusive or of two values, which nobody else needs, disappears.
// CHECK-LABEL: func.func @adder
// CHECK-SAME:    (%[[A:.*]]: i64, %[[B:.*]]: i64, %[[C:.*]]: i64)
// CHECK-DAG:     %[[SUM:.*]] = lci.lookup %{{.*}}, %{{.*}}, %{{.*}} in 150 : i64
// CHECK-DAG:     %[[CARRY:.*]] = lci.lookup %{{.*}}, %{{.*}}, %{{.*}} in 232 : i64
// CHECK-NOT:     arith
// CHECK:         return %[[SUM]], %[[CARRY]]
func.func @adder(%a: i64, %b: i64, %c: i64) -> (i64, i64) {
  %ones = arith.constant -1 : i64
  %half = arith.xori %a, %b : i64
  %sum = arith.xori %half, %c : i64
  %x = arith.andi %half, %c : i64
  %same = arith.xori %half, %ones : i64
  %y = arith.andi %same, %a : i64
  %carry = arith.ori %x, %y : i64
  return %sum, %carry : i64, i64
}

// Functions of two values are unchanged, and so are those of another width; a value that makes no
// difference is not used.
// CHECK-LABEL: func.func @negative_two
// CHECK-SAME:    (%[[A:.*]]: i64, %[[B:.*]]: i64, %[[C:.*]]: i64, %[[P:.*]]: i1, %[[Q:.*]]: i1, %[[R:.*]]: i1)
// CHECK-DAG:     %[[BOTH:.*]] = arith.andi %[[A]], %[[B]] : i64
// CHECK-DAG:     %[[SOME:.*]] = arith.ori %[[P]], %[[Q]] : i1
// CHECK-DAG:     %[[ALL:.*]] = arith.andi %[[SOME]], %[[R]] : i1
// CHECK-DAG:     %[[ONE:.*]] = lci.lookup %[[A]], %[[B]], %[[A]] in {{[0-9]+}} : i64
// CHECK-NOT:     lci.lookup
// CHECK:         return %[[BOTH]], %[[ONE]], %[[ALL]]
func.func @negative_two(%a: i64, %b: i64, %c: i64, %p: i1, %q: i1, %r: i1) -> (i64, i64, i1) {
  %ones = arith.constant -1 : i64
  %both = arith.andi %a, %b : i64
  %neither = arith.xori %both, %ones : i64
  %with = arith.andi %neither, %c : i64
  %notc = arith.xori %c, %ones : i64
  %without = arith.andi %neither, %notc : i64
  %one = arith.ori %with, %without : i64
  %some = arith.ori %p, %q : i1
  %all = arith.andi %some, %r : i1
  return %both, %one, %all : i64, i64, i1
}

// Bits of a neighbour come in by one instruction, which is not looked into.
// CHECK-LABEL: func.func @negative_funnel
// CHECK:         %[[MOVED:.*]] = arith.ori %{{.*}}, %{{.*}} : i64
// CHECK:         lci.lookup %[[MOVED]], %{{.*}}, %{{.*}} in
func.func @negative_funnel(%a: i64, %b: i64, %c: i64, %d: i64) -> i64 {
  %one = arith.constant 1 : i64
  %most = arith.constant 63 : i64
  %low = arith.shli %a, %one : i64
  %high = arith.shrui %b, %most : i64
  %moved = arith.ori %low, %high : i64
  %x = arith.xori %moved, %c : i64
  %y = arith.andi %x, %d : i64
  return %y : i64
}

// A mask is a value as any other. What a loop carries is used outside of its block.
// CHECK-LABEL: func.func @loop
// CHECK:         %[[MASK:.*]] = arith.constant 255 : i32
// CHECK:         scf.for {{.*}} iter_args(%[[ALL:.*]] = %{{.*}})
// CHECK-NEXT:      %[[NEXT:.*]] = lci.lookup %{{.*}}, %{{.*}}, %{{.*}} in
// CHECK-NEXT:      scf.yield %[[NEXT]]
func.func @loop(%a: i32, %n: index) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %mask = arith.constant 255 : i32
  %result = scf.for %i = %zero to %n step %one iter_args(%all = %a) -> i32 {
    %x = arith.xori %all, %a : i32
    %y = arith.andi %x, %mask : i32
    scf.yield %y : i32
  }
  return %result : i32
}

// What is a function of six values is decomposed: Conway's rule for a cell with neighbours of weight one (r, y) and of
// weight two (a, b, c) takes four look-ups, where those of the circuit take six.
// CHECK-LABEL: func.func @six_values
// CHECK-COUNT-4: lci.lookup
// CHECK-NOT:     lci.lookup
// CHECK-NOT:     arith
// CHECK:         return
func.func @six_values(%r: i64, %y: i64, %a: i64, %b: i64, %c: i64, %self: i64) -> i64 {
  %ones = arith.constant -1 : i64
  %odd = arith.xori %r, %y : i64
  %d = arith.andi %r, %y : i64
  %half = arith.xori %a, %b : i64
  %sum = arith.xori %half, %c : i64
  %x = arith.andi %half, %c : i64
  %same = arith.xori %half, %ones : i64
  %z = arith.andi %same, %a : i64
  %carry = arith.ori %x, %z : i64
  %two = arith.xori %sum, %d : i64
  %over = arith.andi %sum, %d : i64
  %four = arith.ori %carry, %over : i64
  %few = arith.xori %four, %ones : i64
  %right = arith.andi %few, %two : i64
  %alive = arith.ori %odd, %self : i64
  %new = arith.andi %right, %alive : i64
  return %new : i64
}
