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

// expected-error @+1 {{expected 'lci.elements' to be an array of i64, but got [1]}}
func.func @elements(%a: tensor<1xi64> {lci.elements = [1]}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.extents' to be an array of i64 that are not negative, but got array<i64: 8, -1>}}
func.func @extents(%a: memref<8x8xi64> {lci.extents = array<i64: 8, -1>}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.vocabulary' to be an i64 that is not negative, but got 2 : i32}}
func.func @vocabulary(%a: tensor<8xi64> {lci.vocabulary = 2 : i32}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.name' to be a string, but got 1 : i64}}
func.func @result(%a: i64) -> (i64 {lci.name = 1 : i64}) {
  return %a : i64
}
