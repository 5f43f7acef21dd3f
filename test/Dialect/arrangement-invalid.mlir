// RUN: lmpm-opt %s --split-input-file --verify-diagnostics
// The arrangement of cells is an attribute of arrays, in words that the dialect knows.

// expected-error @+1 {{expected 'lci.arrangement' to be #lci.arrangement<rows>, <planes> or <colours>, but got "planes"}}
func.func @text(%a: tensor<8xi64> {lci.arrangement = "planes"}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.arrangement' on a value or an argument that holds its cells}}
func.func @scalar(%a: i64 {lci.arrangement = #lci.arrangement<rows>}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.arrangement' on a value or an argument that holds its cells}}
func.func @function() attributes {lci.arrangement = #lci.arrangement<rows>} {
  return
}

// -----

// expected-error @+2 {{expected ::mlir::lci::Arrangement to be one of: rows, planes, colours}}
// expected-error @+1 {{failed to parse LCI_ArrangementAttr parameter 'value'}}
func.func @word(%a: tensor<8xi64> {lci.arrangement = #lci.arrangement<heap>}) {
  return
}

// -----

// expected-error @+1 {{expected 'lci.arrangement' on a value or an argument that holds its cells}}
func.func @result(%a: i64) -> (i64 {lci.arrangement = #lci.arrangement<planes>}) {
  return %a : i64
}
