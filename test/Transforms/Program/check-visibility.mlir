// RUN: lmpm-opt %s --lci-check-visibility --split-input-file --verify-diagnostics
// Reads are within what is visible, exactly: with boundaries, extents and the conditions around them.

// A wrapped border makes -1 the last cell; the line says so with other words.
lci.program @wrapped sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<wrap>] {
  }
  lci.visible @A sees @A[affine_map<(x) -> (x + 3)>] where [affine_set<(x) : (0 == 0)>]
  lci.rule @R on @A {
  ^bb0(%x: index):
    %v, %p = lci.read @A[affine_map<(x) -> (x - 1)>](%x) : f32
    lci.emit %v : f32
  }
}

// -----

// Beyond an open border there is nothing to see, and at a clamped one the last cell.
lci.program @borders sizes [] = [] {
  lci.value @Open f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.value @Clamp f32 shape affine_map<() -> (4)> boundary [#lci.boundary<clamp>] {
  }
  lci.visible @Open sees @Open[affine_map<(x) -> (x - 1)>] where [affine_set<(x) : (x - 1 >= 0)>]
  lci.visible @Clamp sees @Clamp[affine_map<(x, y) -> (y)>]
    where [affine_set<(x, y) : (x - y >= 0, y >= 0, y + 1 - x >= 0)>]
  lci.rule @R on @Open {
  ^bb0(%x: index):
    %v, %p = lci.read @Open[affine_map<(x) -> (x - 1)>](%x) : f32
    lci.emit %v : f32
  }
  lci.rule @S on @Clamp {
  ^bb0(%x: index):
    %v, %p = lci.read @Clamp[affine_map<(x) -> (x - 1)>](%x) : f32
    lci.emit %v : f32
  }
}

// -----

// The condition of the rule and of the reduction count.
lci.program @conditions sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (8, 8)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.visible @A sees @A[affine_map<(x, y, i) -> (x, i)>]
    where [affine_set<(x, y, i) : (x - 2 >= 0, i >= 0, y - 1 - i >= 0)>]
  lci.rule @R on @A where [affine_set<(x, y) : (x mod 2 == 0, x - 1 >= 0)>] {
  ^bb0(%x: index, %y: index):
    %s, %p = lci.reduce sum [affine_set<(x, y, j) : (j >= 0, y - 2 - j >= 0)>](%x, %y) : f32 {
    ^bb0(%j: index, %rank: index):
      %v, %q = lci.read @A[affine_map<(x, y, j) -> (x, j)>](%x, %y, %j) : f32
      lci.yield %v present %q : f32
    }
    lci.emit %s : f32
  }
}

// -----

lci.program @nothing sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4, 4)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.rule @R on @A {
  ^bb0(%x: index, %y: index):
    // expected-error @+3 {{rule 'R' reads A[x+1,y-1], which is not visible}}
    // expected-note @+2 {{cell A[0,1] reads A[1,0]}}
    // expected-note @+1 {{add: visible A[x,y] <- A[x+1,y-1]}}
    %v, %p = lci.read @A[affine_map<(x, y) -> (x + 1, y - 1)>](%x, %y) : f32
    lci.emit %v : f32
  }
}

// -----

// N4 is not N8; the line is shown in the language's words and with the program's names.
lci.program @diagonal sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4, 4)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  }
  // expected-note @+1 {{visible is A[x,y] <- A[x+i,y+j] when (i,j) in N4}}
  lci.visible @A sees @A[affine_map<(x, y, dx, dy) -> (x + dx, y + dy)>]
    where [affine_set<(x, y, dx, dy) : (dx == 0, dy - 1 == 0)>, affine_set<(x, y, dx, dy) : (dx == 0, dy + 1 == 0)>,
           affine_set<(x, y, dx, dy) : (dy == 0, dx - 1 == 0)>, affine_set<(x, y, dx, dy) : (dy == 0, dx + 1 == 0)>]
  lci.rule @R on @A attributes {lci.names = ["row", "col"]} {
  ^bb0(%x: index, %y: index):
    %s, %p = lci.reduce sum [
        affine_set<(x, y, dx, dy) : (dx + 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
        affine_set<(x, y, dx, dy) : (dx - 1 == 0, dy + 1 >= 0, 1 - dy >= 0)>,
        affine_set<(x, y, dx, dy) : (dx == 0, dy + 1 == 0)>,
        affine_set<(x, y, dx, dy) : (dx == 0, dy - 1 == 0)>](%x, %y) : f32 {
    ^bb0(%dx: index, %dy: index, %rank: index):
      // expected-error @+3 {{rule 'R' reads A[row+dx,col+dy], which is not visible}}
      // expected-note @+2 {{cell A[0,0] reads A[3,3]}}
      // expected-note @+1 {{add: visible A[row,col] <- A[row+dx,col+dy] when (dx,dy) in N8}}
      %v, %q = lci.read @A[affine_map<(x, y, dx, dy) -> (x + dx, y + dy)>](%x, %y, %dx, %dy) : f32
      lci.yield %v present %q : f32
    } {lci.names = ["dx", "dy"]}
    lci.emit %s : f32
  }
}

// -----

// Constraints read under the same capabilities; a range without a name is written out.
lci.program @constraint sizes [] = [] {
  lci.value @A token vocabulary affine_map<() -> (3)> shape affine_map<() -> (8)> boundary [#lci.boundary<open>] {
  }
  // expected-note @+1 {{visible is A[x] <- A[x-1] when x >= 1}}
  lci.visible @A sees @A[affine_map<(x) -> (x - 1)>] where [affine_set<(x) : (x - 1 >= 0)>]
  lci.constraint @C require on @A where [affine_set<(x) : (x - 3 >= 0)>] priority 1 {
  ^bb0(%x: index, %candidate: i64):
    %s, %p = lci.reduce all [affine_set<(x, i) : (i >= 0, x - 1 - i >= 0)>](%x) : i1 {
    ^bb0(%i: index, %rank: index):
      // expected-error @+3 {{constraint 'C' reads A[i], which is not visible}}
      // expected-note @+2 {{cell A[3] reads A[0]}}
      // expected-note @+1 {{add: visible A[x] <- A[i] when x >= i+1}}
      %v, %q = lci.read @A[affine_map<(x, i) -> (i)>](%x, %i) : i64
      %d = arith.cmpi ne, %v, %candidate : i64
      lci.yield %d present %q : i1
    }
    lci.yield %s : i1
  }
}

// -----

lci.program @computed sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4)> boundary [#lci.boundary<open>] {
  }
  lci.param @k i32 {
  }
  lci.rule @R on @A {
  ^bb0(%x: index):
    %k = lci.param_value @k : i64
    %i = arith.index_cast %k : i64 to index
    // expected-error @+1 {{rule 'R' reads 'A' at an index that is computed in part, which cannot be checked}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 1)>](%i) : f32
    lci.emit %v : f32
  }
}

// -----

// What is computed alone may be any cell of its axis.
lci.program @anywhere sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (4, 3)> boundary [#lci.boundary<wrap>, #lci.boundary<wrap>] {
  }
  // expected-note @+1 {{visible is A[x,y] <- A[i,y] when i >= 0 and 3 >= i}}
  lci.visible @A sees @A[affine_map<(x, y, i) -> (i, y)>] where [affine_set<(x, y, i) : (i >= 0, 3 - i >= 0)>]
  lci.param @k i32 {
  }
  lci.rule @Seen on @A {
  ^bb0(%x: index, %y: index):
    %k = lci.param_value @k : i64
    %i = arith.index_cast %k : i64 to index
    %v, %p = lci.read @A[affine_map<(i, y) -> (i, y)>](%i, %y) : f32
    lci.emit %v : f32
  }
  lci.rule @Unseen on @A {
  ^bb0(%x: index, %y: index):
    %k = lci.param_value @k : i64
    %i = arith.index_cast %k : i64 to index
    // expected-error @+3 {{rule 'Unseen' reads A[x,k], which is not visible}}
    // expected-note @+2 {{cell A[0,0] reads A[0,1]}}
    // expected-note @+1 {{add: visible A[x,y] <- A[x,k]}}
    %v, %p = lci.read @A[affine_map<(x, i) -> (x, i)>](%x, %i) : f32
    lci.emit %v : f32
  }
}

// -----

// Neither relations nor visiting cells decide in reasonable time: refused, not guessed.
lci.program @unknown sizes [] = [] {
  lci.value @A f32 shape affine_map<() -> (100000000)> boundary [#lci.boundary<open>] {
  }
  // expected-note @+1 {{visible is A[x] <- A[x+2*i+3*j] when i >= 0 and 1000 >= i and j >= 0 and 1000 >= j}}
  lci.visible @A sees @A[affine_map<(x, i, j) -> (x + i * 2 + j * 3)>]
    where [affine_set<(x, i, j) : (i >= 0, 1000 - i >= 0, j >= 0, 1000 - j >= 0)>]
  lci.rule @R on @A {
  ^bb0(%x: index):
    // expected-error @+2 {{cannot prove that A[x+2] is visible to rule 'R'}}
    // expected-note @+1 {{say it with the same indices and conditions: visible A[x] <- A[x+2]}}
    %v, %p = lci.read @A[affine_map<(x) -> (x + 2)>](%x) : f32
    lci.emit %v : f32
  }
}

// -----

// expected-error @+2 {{expected a bound program}}
// expected-note @+1 {{run lci-bind first}}
lci.program @unbound sizes ["N"] {
}
