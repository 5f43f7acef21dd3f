// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// Every constraint of lci.refresh_halo has its message.

func.func @extents_not_static(%s: memref<?xi8>) {
  // expected-error @+1 {{expected storage of static extents, but got 'memref<?xi8>'}}
  lci.refresh_halo %s low [1] high [1] [#lci.boundary<wrap>] : memref<?xi8>
  return
}

// -----

func.func @one_width_for_two_axes(%s: memref<4x4xi8>) {
  // expected-error @+1 {{expected two widths and a boundary for each of 2 axes, but got 1, 2 and 2}}
  lci.refresh_halo %s low [1] high [1, 1] [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<4x4xi8>
  return
}

// -----

func.func @negative_width(%s: memref<4xi8>) {
  // expected-error @+1 {{expected widths from 0 to less than 2^60, but got -1 and 1 on axis 0}}
  lci.refresh_halo %s low [-1] high [1] [#lci.boundary<wrap>] : memref<4xi8>
  return
}

// -----

func.func @width_that_overflows(%s: memref<4xi8>) {
  // expected-error @+1 {{expected widths from 0 to less than 2^60, but got 0 and 9223372036854775807 on axis 0}}
  lci.refresh_halo %s low [0] high [9223372036854775807] [#lci.boundary<wrap>] : memref<4xi8>
  return
}

// -----

func.func @nothing_but_halo(%s: memref<4xi8>) {
  // expected-error @+1 {{expected a cell between the halos of axis 0, but got 4 elements with halos of 2 and 2}}
  lci.refresh_halo %s low [2] high [2] [#lci.boundary<wrap>] : memref<4xi8>
  return
}

// -----

func.func @negative_spare(%s: memref<4xi8>) {
  // expected-error @+1 {{expected spare elements of rows, or none, but got -1 of 'memref<4xi8>'}}
  lci.refresh_halo %s low [1] high [1] spare -1 [#lci.boundary<wrap>] : memref<4xi8>
  return
}

// -----

func.func @spare_without_rows(%s: memref<i8>) {
  // expected-error @+1 {{expected spare elements of rows, or none, but got 2 of 'memref<i8>'}}
  lci.refresh_halo %s low [] high [] spare 2 [] : memref<i8>
  return
}

// -----

func.func @nothing_but_spare(%s: memref<4x4xi8>) {
  // expected-error @+1 {{expected a cell between the halos of axis 1, but got 4 elements with halos of 1 and 1 and spare ones}}
  lci.refresh_halo %s low [0, 1] high [0, 1] spare 2 [#lci.boundary<wrap>, #lci.boundary<wrap>] : memref<4x4xi8>
  return
}

// -----

func.func @fill_of_another_type(%s: memref<4xi8>, %x: i32) {
  // expected-error @+1 {{expected a fill of type 'i8', but got 'i32'}}
  lci.refresh_halo %s low [1] high [1] [#lci.boundary<open>] fill %x : memref<4xi8>, i32
  return
}

// -----

func.func @rows_without_a_number(%s: memref<4xi8>, %first: index) {
  // expected-error @+1 {{expected a first row and how many there are, but got one of them}}
  "lci.refresh_halo"(%s, %first) <{low = array<i64: 1>, high = array<i64: 1>, boundary = [#lci.boundary<wrap>], operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (memref<4xi8>, index) -> ()
  return
}
