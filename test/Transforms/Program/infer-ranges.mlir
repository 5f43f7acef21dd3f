// RUN: lmpm-opt %s --lci-infer-ranges --split-input-file --verify-diagnostics
// Integers fit 64 bits, divisors are not zero, proposals are inside; what may leave is said.

// Sums of bounded families, remainders and choices stay inside: nothing to say.
lci.program @inside sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  ^bb0(%x: index):
    %n = arith.constant 4 : i64
    %r = lci.randint %n stream <0, 0>
    lci.yield %r : i64
  }
  lci.param @k i32 {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %s, %p = lci.reduce sum [affine_set<(x, d) : (d + 1 >= 0, 1 - d >= 0)>](%x) : i64 {
    ^bb0(%d: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(x, d) -> (x + d)>](%x, %d) : i64
      lci.yield %v present %q : i64
    }
    %k = lci.param_value @k : i64
    %scaled = arith.muli %s, %k : i64
    %e = lci.epoch
    %all = arith.addi %scaled, %e : i64
    %four = arith.constant 4 : i64
    %m = lci.floormod %all, %four : i64
    %i = arith.index_cast %x : index to i64
    %half = arith.constant 2 : i64
    %h = lci.floordiv %i, %half : i64
    %far = arith.subi %h, %m : i64
    %distance = math.absi %far : i64
    %cube = lci.power %distance, 20 : i64
    %less = arith.cmpi slt, %h, %cube : i64
    %n = arith.select %less, %h, %m : i64
    lci.emit %n : i64
  }
}

// -----

// A cast of a boolean, and to one, stays inside: -1..0.
lci.program @booleans sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (2)> shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  ^bb0(%x: index):
    %zero = arith.constant 0 : i64
    lci.yield %zero : i64
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %three = arith.constant 3 : index
    %low = arith.cmpi slt, %x, %three : index
    %wide = arith.index_cast %low : i1 to index
    %number = arith.index_cast %wide : index to i64
    %narrow = arith.index_cast %x : index to i1
    %again = arith.extui %narrow : i1 to i64
    %sum = arith.addi %number, %again : i64
    %zero = arith.constant 0 : i64
    %token = arith.maxsi %sum, %zero : i64
    lci.emit %token : i64
  }
}

// -----

// Operations on bits stay within the bits of what they take: four sums of them fit 32 bits.
lci.program @bits sizes [] = [] {
  lci.value @A i32 shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  ^bb0(%x: index):
    %i = arith.index_cast %x : index to i64
    // What a cell starts as must surely be inside, where nobody rejects it.
    %c = arith.constant 2147483640 : i64
    %two = arith.constant 2 : i64
    %j = arith.muli %i, %two : i64
    // expected-error @+3 {{value 'A' starts as 2147483640..2147483654, but holds -2147483648..2147483647}}
    // expected-note @+2 {{as at A[4]}}
    // expected-note @+1 {{keep it inside, as in clamp(…, -2147483648, 2147483647)}}
    %n = arith.addi %c, %j : i64
    // expected-note @+1 {{starts as here}}
    lci.yield %n : i64
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %i = arith.index_cast %x : index to i64
    %minus = arith.constant -3 : i64
    %or = arith.ori %v, %minus : i64
    %xor = arith.xori %v, %i : i64
    %and = arith.andi %v, %minus : i64
    %low = arith.andi %v, %i : i64
    %a = arith.addi %or, %xor : i64
    %b = arith.addi %and, %low : i64
    %sum = arith.addi %a, %b : i64
    %four = arith.constant 4 : i64
    %n = lci.floordiv %sum, %four : i64
    lci.emit %n : i64
  }
}

// -----

// A computed parameter is as large as its formula says, not as one that is given.
lci.program @computed sizes [] = [] {
  lci.param @k i32 {
  }
  lci.param @far i32 {
    %k = lci.param_value @k : i64
    %many = arith.constant 65536 : i64
    %n = arith.muli %k, %many : i64
    lci.yield %n : i64
  }
  lci.param @square i32 {
    %f = lci.param_value @far : i64
    // expected-error @+2 {{param 'square' computes an integer from -19807040619342712361531211776..19807040628566084398385987584, which may leave 64 bits}}
    // expected-note @+1 {{as where}}
    %n = arith.muli %f, %f : i64
    lci.yield %n : i64
  }
}

// -----

lci.program @may_leave sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %one = arith.constant 1 : i64
    // expected-remark @+2 {{rule 'R' proposes -1..2 for 'A', which holds 0..3: what is outside is rejected and counted}}
    // expected-note @+1 {{as at A[0], where A[x] holds 0}}
    %n = arith.subi %v, %one : i64
    // expected-note @+1 {{proposes here}}
    lci.emit %n : i64
  }
}

// -----

lci.program @outside sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  ^bb0(%x: index):
    // expected-error @+3 {{value 'A' starts as 9, but holds 0..3}}
    // expected-note @+2 {{as at A[0]}}
    // expected-note @+1 {{keep it inside, as in clamp(…, 0, 3)}}
    %nine = arith.constant 9 : i64
    // expected-note @+1 {{starts as here}}
    lci.yield %nine : i64
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %one = arith.constant 1 : i64
    // expected-error @+3 {{rule 'R' proposes 7 for 'A', which holds 0..3}}
    // expected-note @+2 {{a vocabulary of 4 tokens has those from 0 to 3}}
    // expected-note @+1 {{as at A[0], where A[x] holds 1}}
    %seven = arith.constant 7 : i64
    %is = arith.cmpi eq, %v, %one : i64
    %n = arith.select %is, %seven, %v : i64
    %m = lci.let "m" = %n : i64
    // expected-note @+1 {{proposes here}}
    lci.emit %m : i64
  }
}

// -----

// A branch that is never taken may be anything.
lci.program @dead sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %i = arith.index_cast %x : index to i64
    %eight = arith.constant 8 : i64
    %zero = arith.constant 0 : i64
    %is = arith.cmpi slt, %i, %eight : i64
    %n = arith.select %is, %zero, %eight : i64
    lci.emit %n : i64
  }
}

// -----

lci.program @arithmetic sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.param @k i32 {
  }
  lci.rule @Overflow on @A {
  ^bb0(%x: index):
    %k = lci.param_value @k : i64
    %square = arith.muli %k, %k : i64
    // expected-error @+2 {{rule 'Overflow' computes an integer from -9903520314283042199192993792..9903520309671356180765605888, which may leave 64 bits}}
    // expected-note @+1 {{as where 'k' is 2147483647: 4611686014132420609 * 2147483647}}
    %cube = arith.muli %square, %k : i64
    %four = arith.constant 4 : i64
    %m = lci.floormod %cube, %four : i64
    lci.emit %m : i64
  }
  lci.rule @Power on @A {
  ^bb0(%x: index):
    %k = lci.param_value @k : i64
    // expected-error @+2 {{rule 'Power' computes an integer from 0..21267647932558653966460912964485513216, which may leave 64 bits}}
    // expected-note @+1 {{as where 'k' is 2147483647: 2147483647^4}}
    %q = lci.power %k, 4 : i64
    %four = arith.constant 4 : i64
    %m = lci.floormod %q, %four : i64
    lci.emit %m : i64
  }
  lci.rule @Zero on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %i = arith.index_cast %x : index to i64
    // expected-error @+3 {{rule 'Zero' divides by 0..3, which may be zero}}
    // expected-note @+2 {{as at A[0], where A[x] holds 0}}
    // expected-note @+1 {{make the divisor positive, as in max(1, …)}}
    %d = lci.floordiv %i, %v : i64
    lci.emit %d : i64
  }
}

// -----

// A count that may be below 0 is the mistake of a shift, and so is one above 63 of a shift to the left. By 64 or more
// to the right the sign is left.
lci.program @shifts sizes [] = [] {
  lci.value @A i32 shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Right on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %one = arith.constant 1 : i64
    // expected-error @+3 {{rule 'Right' shifts by -2147483648..2147483647, which may be below 0}}
    // expected-note @+2 {{as at A[0], where A[x] holds -2147483648}}
    // expected-note @+1 {{keep the count from 0 to 63, as in clamp(…, 0, 63)}}
    %d = arith.shrsi %one, %v : i64
    lci.emit %d : i64
  }
  lci.rule @Left on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %minus = arith.constant -1 : i64
    // expected-error @+3 {{rule 'Left' shifts by -1, which may be below 0}}
    // expected-note @+2 {{as at A[0]}}
    // expected-note @+1 {{keep the count from 0 to 63, as in clamp(…, 0, 63)}}
    %d = arith.shli %v, %minus : i64
    lci.emit %d : i64
  }
  lci.rule @Far on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %far = arith.constant 64 : i64
    // expected-error @+2 {{rule 'Far' shifts by 64, which may be above 63}}
    // expected-note @+1 {{keep the count from 0 to 63, as in clamp(…, 0, 63)}}
    %d = arith.shli %v, %far : i64
    lci.emit %d : i64
  }
  lci.rule @Sign on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %many = arith.constant 200 : i64
    %zero = arith.constant 0 : i64
    %natural = arith.maxsi %v, %zero : i64
    %d = arith.shrsi %v, %natural : i64
    %e = arith.shrsi %d, %many : i64
    %f = arith.shli %zero, %many : i64
    %g = arith.addi %e, %f : i64
    lci.emit %g : i64
  }
  lci.rule @Taken on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %zero = arith.constant 0 : i64
    %is = arith.cmpi sge, %v, %zero : i64
    %d = arith.shrsi %v, %v : i64
    %e = arith.select %is, %d, %zero : i64
    lci.emit %e : i64
  }
}

// -----

// What leaves 64 bits is shown with the cell, where the indices have a part in it, and with what reads hold
// there; the same read is one number, and a difference needs both ends of the ranges.
lci.program @shown sizes [] = [] {
  lci.value @A i32 shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Cell on @A where [affine_set<(x) : (5 - x >= 0)>] {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %w, %q = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %square = arith.muli %v, %w : i64
    %i = arith.index_cast %x : index to i64
    // expected-error @+2 {{rule 'Cell' computes an integer from -23058430081399521280..23058430092136939520, which may leave 64 bits}}
    // expected-note @+1 {{as at A[5], where A[x] holds 2147483647: 4611686014132420609 * 5}}
    %n = arith.muli %square, %i : i64
    %four = arith.constant 4 : i64
    %m = lci.floormod %n, %four : i64
    lci.emit %m : i64
  }
  lci.rule @Difference on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %e = lci.epoch
    %cube = lci.power %v, 2 : i64
    %far = arith.constant 9223372036854775807 : i64
    %less = arith.subi %cube, %far : i64
    // expected-error @+2 {{rule 'Difference' computes an integer from -9223372041149743102..-4611686018427387903, which may leave 64 bits}}
    // expected-note @+1 {{as where A[x] holds 0 and epoch is 4294967295: -9223372036854775807 - 4294967295}}
    %n = arith.subi %less, %e : i64
    %four = arith.constant 4 : i64
    %m = lci.floormod %n, %four : i64
    lci.emit %m : i64
  }
  lci.rule @Sum on @A {
  ^bb0(%x: index):
    // expected-error @+2 {{which may leave 64 bits}}
    // expected-note @+1 {{as of 8 members, each of 0..4611686018427387904}}
    %s, %some = lci.reduce sum [affine_set<(x, k) : (k >= 0, 7 - k >= 0)>](%x) : i64 {
    ^bb0(%k: index, %rank: index):
      %v, %p = lci.read @A[affine_map<(k) -> (k)>](%k) : i64
      %square = lci.power %v, 2 : i64
      lci.yield %square present %p : i64
    }
    %four = arith.constant 4 : i64
    %m = lci.floormod %s, %four : i64
    lci.emit %m : i64
  }
}

// -----

// Demand counts: a division behind a condition on its divisor, even where the divisor is
// read again; a rule's condition; the cells a rule applies to.
lci.program @guarded sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @Choice on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %w, %q = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %some = arith.cmpi sgt, %v, %zero : i64
    %third = lci.floordiv %three, %w : i64
    %n = arith.select %some, %third, %zero : i64
    lci.emit %n : i64
  }
  lci.rule @Condition on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %some = arith.cmpi ne, %v, %zero : i64
    %third = lci.floordiv %three, %v : i64
    lci.emit %third : i64 when %some
  }
  lci.rule @Cells on @A where [affine_set<(x) : (x - 4 >= 0)>, affine_set<(x) : (2 - x >= 0)>] {
  ^bb0(%x: index):
    %i = arith.index_cast %x : index to i64
    %three = arith.constant 3 : i64
    %d = arith.subi %i, %three : i64
    %third = lci.floormod %three, %d : i64
    %zero = arith.constant 0 : i64
    %n = arith.maxsi %third, %zero : i64
    lci.emit %n : i64
  }
  lci.rule @Other on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
    %w, %q = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : i64
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %some = arith.cmpi sgt, %v, %zero : i64
    // expected-error @+3 {{rule 'Other' divides by 0..3, which may be zero}}
    // expected-note @+2 {{as at A[0], where A[x+1] holds 0 and A[x] holds 1}}
    // expected-note @+1 {{make the divisor positive}}
    %third = lci.floordiv %three, %w : i64
    %n = arith.select %some, %third, %zero : i64
    lci.emit %n : i64
  }
}

// -----

// A table may be overrun: the first cell that does so is shown.
lci.program @tables sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (4)> shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.param @table i32 shape affine_map<() -> (6)> {
  }
  lci.rule @Inside on @A where [affine_set<(x) : (5 - x >= 0)>] {
  ^bb0(%x: index):
    %i = arith.index_cast %x : index to i64
    %t = lci.param_value @table[%i] : i64
    %four = arith.constant 4 : i64
    %n = lci.floormod %t, %four : i64
    lci.emit %n : i64
  }
  lci.rule @Beyond on @A {
  ^bb0(%x: index):
    %i = arith.index_cast %x : index to i64
    // expected-remark @+2 {{rule 'Beyond' reads 'table' at 0..7, which has 0..5: the nearest element is meant}}
    // expected-note @+1 {{as at A[6]}}
    %t = lci.param_value @table[%i] : i64
    %four = arith.constant 4 : i64
    %n = lci.floormod %t, %four : i64
    lci.emit %n : i64
  }
}

// -----

// An observer is at no cell: what it reads is all there is to say.
lci.program @observed sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (8)> shape affine_map<() -> (5)> boundary [#lci.boundary<wrap>] {
  }
  lci.param @table i32 shape affine_map<() -> (4)> {
  }
  lci.observe @total {
    %sum, %present = lci.reduce sum [affine_set<(x) : (x >= 0, -x + 4 >= 0)>]() : i64 {
    ^bb0(%x: index, %at: index):
      %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : i64
      // expected-remark @+2 {{observe 'total' reads 'table' at 0..7, which has 0..3: the nearest element is meant}}
      // expected-note @+1 {{as where A[x] holds 4}}
      %t = lci.param_value @table[%v] : i64
      lci.yield %t present %p : i64
    } {lci.names = ["x"]}
    lci.yield %sum : i64
  }
}

// -----

// A product of an observer that may leave 64 bits is an error with what is read.
lci.program @overflowing sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (8)> shape affine_map<() -> (1)> boundary [#lci.boundary<wrap>] {
  }
  lci.observe @total {
    %zero = arith.constant 0 : index
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%zero) : i64
    %most = arith.constant 9223372036854775807 : i64
    // expected-error @+2 {{observe 'total' computes an integer from 0..64563604257983430649, which may leave 64 bits}}
    // expected-note @+1 {{as where A[0] holds 7: 7 * 9223372036854775807}}
    %n = arith.muli %v, %most : i64
    lci.yield %n : i64
  }
}

// -----

// A number that has no name is called what it is: a draw, or else a number.
lci.program @nameless sizes [] = [] {
  lci.value @A i32 shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.param @k i32 {
  }
  lci.rule @Draw on @A {
  ^bb0(%x: index):
    %n = arith.constant 4294967296 : i64
    %r = lci.randint %n stream <1, 0>
    %three = arith.constant 4294967296 : i64
    // expected-error @+2 {{rule 'Draw' computes an integer from 0..18446744069414584320, which may leave 64 bits}}
    // expected-note @+1 {{as where a draw is 4294967295: 4294967295 * 4294967296}}
    %v = arith.muli %r, %three : i64
    %m = lci.floormod %v, %three : i64
    lci.emit %m : i64
  }
  lci.rule @Choice on @A where [affine_set<(x) : (x >= 0)>] {
  ^bb0(%x: index):
    %k = lci.param_value @k : i64
    %zero = arith.constant 0 : i64
    %three = arith.constant 3 : i64
    %large = arith.constant 4611686018427387903 : i64
    %is = arith.cmpi sgt, %k, %zero : i64
    %c = arith.select %is, %large, %zero : i64
    // expected-error @+2 {{rule 'Choice' computes an integer from 0..13835058055282163709, which may leave 64 bits}}
    // expected-note @+1 {{as where a number is 4611686018427387903: 4611686018427387903 * 3}}
    %v = arith.muli %c, %three : i64
    %m = lci.floormod %v, %three : i64
    lci.emit %m : i64
  }
}
