// RUN: lmpm-opt %s --lci-legalize-schedule --lci-check-schedule --split-input-file --verify-diagnostics | FileCheck %s
// Which phases are independent, with the first pair of cells where one is not.

lci.program @n4 sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6, 6)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index, %y: index):
    %s, %p = lci.reduce sum [
        affine_set<(x, y, dx, dy) : (dx == 0, dy - 1 == 0)>, affine_set<(x, y, dx, dy) : (dx == 0, dy + 1 == 0)>,
        affine_set<(x, y, dx, dy) : (dy == 0, dx - 1 == 0)>, affine_set<(x, y, dx, dy) : (dy == 0, dx + 1 == 0)>
        ](%x, %y) : f32 {
    ^bb0(%dx: index, %dy: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(x, y, dx, dy) -> (x + dx, y + dy)>](%x, %y, %dx, %dy) : f32
      lci.yield %v present %q : f32
    }
    %self, %there = lci.read @A[affine_map<(x, y) -> (x, y)>](%x, %y) : f32
    %n = arith.addf %s, %self : f32
    lci.emit %n : f32
  }
  // expected-remark @+1 {{the phases of 'A' are independent, and are updated in place}}
  lci.schedule @A using red_black
}

// -----

// An odd torus is not two-coloured.
lci.program @odd sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (5)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x - 1)>](%x) : f32
    lci.emit %v : f32
  }
  // expected-remark @+2 {{the phases of 'A' are not independent: in phase 0, A[0] reads A[4]}}
  // expected-note @+1 {{each phase is computed from a snapshot of the one before}}
  lci.schedule @A using red_black
}

// -----

// The seed: red and black over eight neighbours.
lci.program @n8 sizes [] = [] {
  lci.value @Vid token vocabulary affine_map<() -> (4)> shape affine_map<() -> (3, 6, 6)>
    boundary [#lci.boundary<open>, #lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @R on @Vid {
  ^bb0(%t: index, %x: index, %y: index):
    %s, %p = lci.reduce sum [
        affine_set<(t, x, y, dx, dy) : (dx + 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
        affine_set<(t, x, y, dx, dy) : (dx - 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
        affine_set<(t, x, y, dx, dy) : (dx == 0, dy + 1 == 0)>,
        affine_set<(t, x, y, dx, dy) : (dx == 0, dy - 1 == 0)>](%t, %x, %y) : i64 {
    ^bb0(%dx: index, %dy: index, %rank: index):
      // expected-note @+1 {{the read is here}}
      %v, %q = lci.read @Vid[affine_map<(t, x, y, dx, dy) -> (t, x + dx, y + dy)>](%t, %x, %y, %dx, %dy) : i64
      lci.yield %v present %q : i64
    }
    lci.emit %s : i64
  }
  lci.commit @Vid using sample {
    %t = arith.constant 1.0 : f32
    lci.yield %t : f32
  }
  // expected-warning @+2 {{the phases of 'Vid' are not independent: in phase 0, Vid[0,0,0] reads Vid[0,1,1]}}
  // expected-note @+1 {{every cell of the phase is drawn given the others before it, not one after another}}
  lci.schedule @Vid using red_black
}

// -----

// Four colours are enough for eight neighbours, on even tori and in open grids; a condition of the
// rule can make a schedule independent.
lci.program @colours sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6, 4)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  }
  lci.value @B f32 shape affine_map<() -> (5)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index, %y: index):
    %v, %p = lci.read @A[affine_map<(x, y) -> (x + 1, y - 1)>](%x, %y) : f32
    %w, %q = lci.read @A[affine_map<(x, y) -> (x, y - 1)>](%x, %y) : f32
    %s = arith.addf %v, %w : f32
    lci.emit %s : f32
  }
  lci.rule @S on @B where [affine_set<(x) : (x - 1 >= 0)>] {
  ^bb0(%x: index):
    %v, %p = lci.read @B[affine_map<(x) -> (x - 1)>](%x) : f32
    lci.emit %v : f32
  }
  // expected-remark @+1 {{the phases of 'A' are independent}}
  lci.schedule @A using four_color
  // expected-remark @+1 {{the phases of 'B' are independent}}
  lci.schedule @B using red_black
}

// -----

// One cell a phase; diagonals a phase.
lci.program @orders sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6, 4)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  }
  lci.value @B f32 shape affine_map<() -> (6, 4)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index, %y: index):
    %v, %p = lci.read @A[affine_map<(x, y) -> (x + 3, y + 2)>](%x, %y) : f32
    lci.emit %v : f32
  }
  lci.rule @S on @B {
  ^bb0(%x: index, %y: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @B[affine_map<(x, y) -> (x + 1, y - 1)>](%x, %y) : f32
    lci.emit %v : f32
  }
  // expected-remark @+1 {{the phases of 'A' are independent}}
  lci.schedule @A using raster
  // expected-remark @+2 {{the phases of 'B' are not independent: in phase 1, B[0,1] reads B[1,0]}}
  // expected-note @+1 {{each phase is computed}}
  lci.schedule @B using wavefront
}

// -----

// `axes` limits the parity to some axes.
lci.program @axes sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6, 4)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index, %y: index):
    %v, %p = lci.read @A[affine_map<(x, y) -> (x + 1, y + 1)>](%x, %y) : f32
    lci.emit %v : f32
  }
  // expected-remark @+1 {{the phases of 'A' are independent}}
  lci.schedule @A using red_black axes [1]
}

// -----

lci.program @strict sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 2)>](%x) : f32
    lci.emit %v : f32
  }
  // expected-error @+1 {{the phases of 'A' are not independent: in phase 0, A[0] reads A[2], and legalize = strict refuses that}}
  lci.schedule @A using red_black legalize "strict"
}

// -----

// CHECK-LABEL: lci.program @recolor
lci.program @recolor sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 2)>](%x) : f32
    lci.emit %v : f32
  }
  // expected-remark @+4 {{the phases of 'A' are not independent}}
  // expected-note @+3 {{the schedule becomes 'recolor', whose 2 phases are independent}}
  // expected-remark @+2 {{the phases of 'A' are independent, and are updated in place}}
  // CHECK: lci.schedule @A using recolor
  lci.schedule @A using red_black legalize "recolor"
}

// -----

// Values that change in the same phase depend on each other too.
lci.program @values sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6)> boundary [#lci.boundary<open>] {
  }
  lci.value @B f32 shape affine_map<() -> (6)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @B[affine_map<(x) -> (x + 2)>](%x) : f32
    lci.emit %v : f32
  }
  lci.rule @S on @B {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : f32
    lci.emit %v : f32
  }
  // expected-remark @+2 {{the phases of 'A' are not independent: in phase 0, A[0] reads B[2]}}
  // expected-note @+1 {{each phase is computed}}
  lci.schedule @A using red_black
  // expected-remark @+1 {{the phases of 'B' are independent}}
  lci.schedule @B using red_black
}

// -----

// Odd tori, a step back in time and a window of radius two, all at once: as many phases as the greedy
// colours of such a torus, and the order of another value's cells stays what it was.
lci.program @coloured sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (3, 5)> boundary [#lci.boundary<open>, #lci.boundary<wrap>] {
  }
  lci.value @B f32 shape affine_map<() -> (3, 5)> boundary [#lci.boundary<open>, #lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%t: index, %x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(t, x) -> (t, x + 2)>](%t, %x) : f32
    %w, %q = lci.read @A[affine_map<(t, x) -> (t, x + 1)>](%t, %x) : f32
    %o, %r = lci.read @A[affine_map<(t, x) -> (t - 1, x)>](%t, %x) : f32
    // expected-note @+1 {{the read is here}}
    %b, %s = lci.read @B[affine_map<(t, x) -> (t, x)>](%t, %x) : f32
    lci.emit %v : f32
  }
  lci.rule @S on @B {
  ^bb0(%t: index, %x: index):
    %one = arith.constant 1.0 : f32
    lci.emit %one : f32
  }
  // expected-remark @+4 {{the phases of 'A' are not independent: in phase 0, A[0,0] reads A[0,2]}}
  // expected-note @+3 {{the schedule becomes 'recolor', whose 6 phases are independent}}
  // expected-remark @+2 {{the phases of 'A' are not independent: in phase 0, A[0,0] reads B[0,0]}}
  // expected-note @+1 {{each phase is computed from a snapshot of the one before}}
  lci.schedule @A using red_black legalize "recolor"
  // expected-remark @+1 {{the phases of 'B' are independent}}
  lci.schedule @B using all
}

// -----

// What may read any cell has no colours.
lci.program @anywhere sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (6)> boundary [#lci.boundary<wrap>] {
  }
  lci.param @k i32 {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %k = lci.param_value @k : i64
    %i = arith.index_cast %k : i64 to index
    // expected-note @+1 {{which of them are read here follows from 'k', whose elements were not known when the program was bound}}
    %v, %p = lci.read @A[affine_map<(i) -> (i)>](%i) : f32
    lci.emit %v : f32
  }
  // expected-error @+1 {{cannot colour the cells of 'A'}}
  lci.schedule @A using red_black legalize "recolor"
}

// -----

// Within a tile neighbours are of one colour.
lci.program @tiled sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8)> boundary [#lci.boundary<wrap>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : f32
    lci.emit %v : f32
  }
  // expected-error @+1 {{in phase 0, A[0] reads A[1], and legalize = strict refuses that}}
  lci.schedule @A using red_black tile [2] legalize "strict"
}

// -----

// Whose neighbours parameters name, when their elements are known: 0 reads 1 and 2 reads 0.
// CHECK-LABEL: lci.program @graph
lci.program @graph sizes [] = [] {
  // CHECK: lci.param @nbr i32 shape #{{.*}} elements [1, 1, 0, 3]
  lci.param @nbr i32 shape affine_map<() -> (4)> elements [1, 1, 0, 3] {
  }
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.value @B f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %at = arith.index_cast %x : index to i64
    %k = lci.param_value @nbr[%at] : i64
    %i = arith.index_cast %k : i64 to index
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(i) -> (i)>](%i) : f32
    // expected-note @+1 {{the read is here}}
    %w, %q = lci.read @B[affine_map<(x) -> (x)>](%x) : f32
    lci.emit %v : f32
  }
  lci.rule @S on @B {
  ^bb0(%x: index):
    %one = arith.constant 1.0 : f32
    lci.emit %one : f32
  }
  // expected-remark @+4 {{the phases of 'A' are not independent: in phase 3, A[0] reads A[1]}}
  // expected-note @+3 {{the schedule becomes 'recolor', whose 2 phases are independent}}
  // expected-remark @+2 {{the phases of 'A' are not independent: in phase 3, A[0] reads B[0]}}
  // expected-note @+1 {{each phase is computed from a snapshot of the one before}}
  lci.schedule @A using all phase 3 legalize "recolor"
  // expected-remark @+1 {{the phases of 'B' are independent}}
  lci.schedule @B using all phase 3
}

// -----

// Values that begin in different phases do not meet.
lci.program @apart sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.value @B f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @B[affine_map<(x) -> (x + 1)>](%x) : f32
    lci.emit %v : f32
  }
  lci.rule @S on @B {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x)>](%x) : f32
    lci.emit %v : f32
  }
  // A[1] is up in phase 3, B[2] in phase 3 as well.
  // expected-remark @+2 {{the phases of 'A' are not independent: in phase 3, A[1] reads B[2]}}
  // expected-note @+1 {{each phase is computed from a snapshot of the one before}}
  lci.schedule @A using red_black phase 2
  // expected-remark @+1 {{the phases of 'B' are independent}}
  lci.schedule @B using red_black phase 3
}

// -----

// Colours would let cells take part that a draw leaves out.
lci.program @drawn sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-note @+1 {{the read is here}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%x) : f32
    lci.emit %v : f32
  }
  // expected-error @+2 {{the phases of 'A' are not independent: in phase 0, A[0] reads A[1], and legalize = recolor would drop what 'random' chooses}}
  // expected-note @+1 {{say legalize = snapshot, or choose another strategy}}
  lci.schedule @A using random fraction 0.5 legalize "recolor"
}
