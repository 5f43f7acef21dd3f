// RUN: lmpm-opt %s --lci-check-causality --split-input-file --verify-diagnostics
// No chain of visibility leads to a later time, through other values too.

#all1 = affine_set<(t) : (0 == 0)>
#all2 = affine_set<(t, x) : (0 == 0)>

// Backwards and sideways; the other value is checked but sees nothing.
lci.program @past sizes [] = [] {
  lci.value @V token vocabulary affine_map<() -> (2)> shape affine_map<() -> (100, 100)>
    boundary [#lci.boundary<open>, #lci.boundary<wrap>] {
  }
  lci.value @Txt f32 shape affine_map<() -> (7)> boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @V[affine_map<(t, x) -> (t - 1, x)>] where [#all2]
  lci.visible @V sees @V[affine_map<(t, x) -> (t, x + 1)>] where [#all2]
  lci.visible @V sees @Txt[affine_map<(t, x, n) -> (n)>] where [affine_set<(t, x, n) : (n >= 0, 6 - n >= 0)>]
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %x: index, %candidate: i64):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

#all1 = affine_set<(t) : (0 == 0)>
// Two steps back, one forward: the bounds on single steps decide through another value.
lci.program @bounded sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (1000000)> boundary [#lci.boundary<open>] {
  }
  lci.value @W f32 shape affine_map<() -> (1000000)> boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @W[affine_map<(t) -> (t - 2)>] where [#all1]
  lci.visible @W sees @V[affine_map<(t) -> (t + 2)>] where [#all1]
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

#all1 = affine_set<(t) : (0 == 0)>
lci.program @through sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (1000000)> boundary [#lci.boundary<open>] {
  }
  lci.value @W f32 shape affine_map<() -> (1000000)> boundary [#lci.boundary<open>] {
  }
  // expected-note @+1 {{through visible V[x] <- W[x-1]}}
  lci.visible @V sees @W[affine_map<(t) -> (t - 1)>] where [#all1]
  // expected-note @+1 {{through visible W[t] <- V[t+2] when t >= 5}}
  lci.visible @W sees @V[affine_map<(t) -> (t + 2)>] where [affine_set<(t) : (t - 5 >= 0)>] {lci.names = ["t"]}
  // expected-error @+1 {{constraint 'Topology' forbids reading the future, but V[6] reads V[7]}}
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

#all1 = affine_set<(t) : (0 == 0)>
// A wrapped axis makes the first cell's past the last one.
lci.program @wrapped sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (10)> boundary [#lci.boundary<wrap>] {
  }
  // expected-note @+1 {{through visible V[x] <- V[x-1]}}
  lci.visible @V sees @V[affine_map<(t) -> (t - 1)>] where [#all1]
  // expected-error @+1 {{constraint 'Topology' forbids reading the future, but V[0] reads V[9]}}
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

#all1 = affine_set<(t) : (0 == 0)>
// Forward where nothing comes from: even cells see odd ones before, odd ones see even ones behind
// and never meet. Only the exploration of cells finds that out.
lci.program @explored sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (64)> boundary [#lci.boundary<open>] {
  }
  lci.value @W f32 shape affine_map<() -> (64)> boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @W[affine_map<(t) -> (t - 2)>] where [affine_set<(t) : (t mod 2 == 0)>]
  lci.visible @W sees @V[affine_map<(t) -> (t + 3)>] where [affine_set<(t) : (t mod 2 - 1 == 0)>]
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

// The same with too many cells is refused, not guessed.
lci.program @unknown sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (100000000)> boundary [#lci.boundary<open>] {
  }
  lci.value @W f32 shape affine_map<() -> (100000000)> boundary [#lci.boundary<open>] {
  }
  lci.visible @V sees @W[affine_map<(t) -> (t - 2)>] where [affine_set<(t) : (t mod 2 == 0)>]
  lci.visible @W sees @V[affine_map<(t) -> (t + 3)>] where [affine_set<(t) : (t mod 2 - 1 == 0)>]
  // expected-error @+2 {{cannot prove that constraint 'Topology' holds}}
  // expected-note @+1 {{there are too many cells to explore all of them}}
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}

// -----

// A chain longer than the composed ones: sideways through another value, and back a step later.
lci.program @long sizes [] = [] {
  lci.value @V f32 shape affine_map<() -> (4, 4)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  lci.value @W f32 shape affine_map<() -> (4, 8)> boundary [#lci.boundary<open>, #lci.boundary<open>] {
  }
  // expected-note @+1 {{through visible V[x,y] <- W[x+1,y]}}
  lci.visible @V sees @W[affine_map<(x, y) -> (x + 1, y)>] where [affine_set<(x, y) : (0 == 0)>]
  // expected-note @+1 {{through visible W[x,y] <- W[x,y+1]}}
  lci.visible @W sees @W[affine_map<(x, y) -> (x, y + 1)>] where [affine_set<(x, y) : (0 == 0)>]
  // expected-note @+1 {{through visible W[x,y] <- V[x,y-4] when y == 6 and x == 2}}
  lci.visible @W sees @V[affine_map<(x, y) -> (x, y - 4)>] where [affine_set<(x, y) : (y - 6 == 0, x - 2 == 0)>]
  // expected-error @+1 {{constraint 'Topology' forbids reading the future, but V[1,3] reads V[2,2]}}
  lci.constraint @Topology forbid on @V priority 1000 {
  ^bb0(%t: index, %x: index, %candidate: f32):
    %f = lci.reads_future
    lci.yield %f : i1
  }
}
