// One cell that follows a row, and an observer of the row.
lci.program @scalar sizes [] = [] {
  lci.value @Row f32 shape affine_map<() -> (300)> boundary [#lci.boundary<wrap>] {
  }
  lci.value @Top f32 shape affine_map<() -> ()> boundary [] {
  }
  lci.rule @Follow on @Top {
    %m, %some = lci.reduce max [affine_set<(d0) : (d0 >= 0, 299 - d0 >= 0)>]() : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %p = lci.read @Row[affine_map<(d0) -> (d0)>](%i) : f32
      lci.yield %v present %p : f32
    }
    lci.emit %m : f32
  }
  lci.commit @Top using accept {
  }
  lci.observe @total {
    %n, %some = lci.reduce sum [affine_set<(d0) : (d0 >= 0, 299 - d0 >= 0)>]() : f32 {
    ^bb0(%i: index, %rank: index):
      %v, %p = lci.read @Row[affine_map<(d0) -> (d0)>](%i) : f32
      lci.yield %v present %p : f32
    }
    lci.yield %n : f32
  }
}
