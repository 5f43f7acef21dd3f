// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// What levels of the ladder tell each other by attributes has a type, on functions and arguments.

// expected-error @+1 {{expected 'lci.name' to be a string, but got 1 : i64}}
func.func @name(%a: tensor<8xi64> {lci.name = 1}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.role' to be a string, but got unit}}
func.func @role(%a: i64 {lci.role}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.counters' to be a list of strings, but got ["a", 1]}}
func.func @counters() attributes {lci.counters = ["a", 1]} {
  return
}

// -----

// expected-error @+1 {{expected 'lci.interface' to be a list of dictionaries, each with a type, but got [{lci.name = "A"}]}}
func.func @interface() attributes {lci.interface = [{lci.name = "A"}]} {
  return
}

// -----

// expected-error @+1 {{expected 'lci.elements' to be an array of i64, as many as its array has elements, but got [1]}}
func.func @elements(%a: tensor<1xi64> {lci.elements = [1]}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.extents' to be an array of i64 that are not negative, one for each axis, but got array<i64: 8, -1>}}
func.func @extents(%a: memref<8x8xi64> {lci.extents = array<i64: 8, -1>}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.vocabulary' to be an i64 that is not negative and less than 2^60, but got 2 : i32}}
func.func @vocabulary(%a: tensor<8xi64> {lci.vocabulary = 2 : i32}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.name' to be a string, but got 1 : i64}}
func.func @result(%a: i64) -> (i64 {lci.name = 1 : i64}) {
  return %a : i64
}

// -----

// expected-error @+1 {{expected 'lci.role' to be one of state, input, param, palette, region, bounds, weight, enable, replica, first, last, first_phase, last_phase, epoch, before, seed, counts, scratch, storage, enter, leave, observation, but got 'sttae'}}
func.func @misspelt(%a: tensor<8xi64> {lci.role = "sttae", lci.name = "A"}) {
  return
}

// -----

// expected-error @+1 {{expected an array with the role 'state', but got 'i64'}}
func.func @scalar(%a: i64 {lci.role = "state"}) {
  return
}

// -----

// expected-error @+1 {{expected an i64 with the role 'seed', but got 'tensor<8xi64>'}}
func.func @array(%a: tensor<8xi64> {lci.role = "seed"}) {
  return
}

// -----

// expected-error @+1 {{expected an i1 with the role 'enable', but got 'i64'}}
func.func @flag(%a: i64 {lci.role = "enable"}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.role' on an argument or a result of a function}}
func.func @role() attributes {lci.role = "state"} {
  return
}

// -----

// expected-error @+1 {{expected 'lci.extents' to be an array of i64 that are not negative, one for each axis, but got array<i64: 8>}}
func.func @axes(%a: memref<8x8xi64> {lci.extents = array<i64: 8>}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.halo_low' to be an array of i64 that are not negative, one for each axis, but got array<i64: -1>}}
func.func @halo(%a: memref<8xi64> {lci.halo_low = array<i64: -1>}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.elements' to be an array of i64, as many as its array has elements, but got array<i64: 1, 2>}}
func.func @elements(%a: tensor<3xi64> {lci.elements = array<i64: 1, 2>}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.vocabulary' to be an i64 that is not negative and less than 2^60, but got 9223372036854775807 : i64}}
func.func @vocabulary(%a: tensor<3xi64> {lci.vocabulary = 9223372036854775807 : i64}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.may_be_absent' to be a unit, but got 1 : i64}}
func.func @absent(%a: tensor<3xi64> {lci.may_be_absent = 1}) {
  return
}

// -----

func.func @threads(%n: index, %o: memref<64x64xi64>) {
  // expected-error @+1 {{expected 'lci.row_threads' to be an i64 that is positive, but got 0 : i64}}
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    scf.reduce
  } {lci.row_threads = 0}
  return
}

// -----

func.func @threads(%n: index) {
  // expected-error @+1 {{expected 'lci.row_threads' on a parallel loop}}
  scf.for %i = %n to %n step %n {
  } {lci.row_threads = 32}
  return
}

// -----

// expected-error @+1 {{expected 'lci.counters' on a function}}
func.func @counters(%a: tensor<3xi64> {lci.counters = ["a"]}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.elements' on an argument of a function}}
func.func @elements() attributes {lci.elements = array<i64: 1>} {
  return
}

// -----

// expected-error @+1 {{has an attribute 'lci.roll' that the dialect does not know}}
func.func @unknown(%a: tensor<3xi64> {lci.roll = "state"}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.names' on an operation of a program}}
func.func @names() attributes {lci.names = ["x"]} {
  return
}

// -----

func.func @strips(%n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error @+1 {{expected 'lci.strips' on a loop}}
    scf.parallel (%j) = (%n) to (%n) step (%n) {
      scf.reduce
    } {lci.strips}
  }
  return
}

// -----

// expected-error @below {{expected storage for array<i64: 8> and its halo, but got 'memref<9xi8>'}}
func.func private @halo(memref<9xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 1>, lci.halo_high = array<i64: 1>})

// -----

// expected-error @below {{expected storage for array<i64: 8> and its halo, but got 'memref<9xi8>'}}
func.func private @large(memref<9xi8> {lci.extents = array<i64: 8>, lci.halo_low = array<i64: 9223372036854775807>, lci.halo_high = array<i64: 1>})
