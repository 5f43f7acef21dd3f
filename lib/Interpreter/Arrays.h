//===- Arrays.h - Conversions between arrays and data -----------*- C++ -*-===//
//
// Between arrays in canonical form and the interpreter's data, at the interface of the
// interpreters.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_INTERPRETER_ARRAYS_H
#define LCI_LIB_INTERPRETER_ARRAYS_H

#include "Bodies.h"
#include "LCI/Runtime/Array.h"

namespace mlir::lci {

/// Integers unchanged, floats as the bits of their f32, with one NaN; of rank 0 a scalar.
Datum toDatum(const ::lci::Array &array);
/// A value's cells; -1 becomes `absent`, unless that is negative.
Tensor toCells(const ::lci::Array &array, int64_t absent);
/// A value's content in canonical form.
::lci::Array toArray(const ValueState &state);
/// The same for cells of which the kind and the vocabulary (of tokens) are known.
::lci::Array toArray(const Tensor &cells, bool isFloat, int64_t vocabulary);

/// S-NAN: one NaN only, in numbers and vectors.
Datum canonicalizeCell(const ValueState &state, Datum content);

} // namespace mlir::lci

#endif // LCI_LIB_INTERPRETER_ARRAYS_H
