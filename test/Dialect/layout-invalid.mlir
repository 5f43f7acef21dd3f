// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// Every way in which a layout can be wrong.

// expected-error @below {{expected as many halo widths as axes, at least one, but got 1 axes, 2 low and 1 high widths}}
func.func private @axes(memref<8xi8, #lci.layout<split 1 planes 1 cells [8] low [0, 0] high [0]>>)

// -----

// expected-error @below {{expected a positive split and number of planes, but got 0 and 1}}
func.func private @split(memref<8xi8, #lci.layout<split 0 planes 1 cells [8] low [0] high [0]>>)

// -----

// expected-error @below {{expected extents and widths that are not negative}}
func.func private @widths(memref<8xi8, #lci.layout<split 1 planes 1 cells [8] low [-1] high [0]>>)
