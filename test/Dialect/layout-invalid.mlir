// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// Every way in which a layout can be wrong.

// expected-error @below {{expected as many halo widths as axes, at least one, but got 1 axes, 2 low and 1 high widths}}
func.func private @axes(memref<8xi8, #lci.layout<split 1 planes 1 cells [8] low [0, 0] high [0]>>)

// -----

// expected-error @below {{expected a positive split and from 1 to 64 planes, but got 0 and 1}}
func.func private @split(memref<8xi8, #lci.layout<split 0 planes 1 cells [8] low [0] high [0]>>)

// -----

// expected-error @below {{expected extents and widths from 0 to less than 2^60}}
func.func private @widths(memref<8xi8, #lci.layout<split 1 planes 1 cells [8] low [-1] high [0]>>)

// -----

// expected-error @below {{expected a positive split and from 1 to 64 planes, but got 1 and 65}}
func.func private @planes(memref<8xi8, #lci.layout<split 1 planes 65 cells [8] low [0] high [0]>>)

// -----

// expected-error @below {{expected extents and widths from 0 to less than 2^60}}
func.func private @large(memref<8xi8, #lci.layout<split 1 planes 1 cells [4611686018427387904] low [0] high [0]>>)

// -----

// expected-error @below {{expected a halo of at most 4096 cells at each end of a row, but got 1 and 4097}}
func.func private @wide(memref<8xi8, #lci.layout<split 1 planes 1 cells [8] low [1] high [4097]>>)

// -----

// A tick's arrays have the cells that their layout speaks of.
#layout = #lci.layout<split 1 planes 1 cells [8] low [1] high [1]>
func.func @shape(%a: memref<64xi8, #layout>, %e: i64) {
  // expected-error @below {{expected integers of the shape that their layout has, but got 'memref<64xi8, #lci.layout<split 1 planes 1 cells[8] low[1] high[1]>>'}}
  lci.tick @A at %e, %e, %e inputs(%a : memref<64xi8, #layout>) target(%a : memref<64xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<64xi8, #layout>):
    %yes = arith.constant true
    %zero = arith.constant 0 : i8
    lci.install %zero if %yes : i8
  }
  return
}

// -----

#layout = #lci.layout<split 1 planes 1 cells [8, 8] low [0, 0] high [0, 0]>
func.func @rank(%a: memref<8xi8, #layout>, %e: i64) {
  // expected-error @below {{expected integers of the shape that their layout has, but got 'memref<8xi8, #lci.layout<split 1 planes 1 cells[8, 8] low[0, 0] high[0, 0]>>'}}
  lci.tick @A at %e, %e, %e inputs(%a : memref<8xi8, #layout>) target(%a : memref<8xi8, #layout>) class_stride 1 {
  ^bb0(%i: index, %epoch: i64, %phase: i64, %seed: i64, %in: memref<8xi8, #layout>):
    %yes = arith.constant true
    %zero = arith.constant 0 : i8
    lci.install %zero if %yes : i8
  }
  return
}
