//===- NumberText.h - Numbers and arrays of them, as text -------*- C++ -*-===//
#ifndef LCI_RUNTIME_NUMBERTEXT_H
#define LCI_RUNTIME_NUMBERTEXT_H

#include "LCI/Runtime/Array.h"

namespace lci {

/// Whether a text begins as a number or an array does, and names no file.
bool isNumberText(const std::string &text);

/// `0.5`, or nested lists of one shape as `[[1, 2], [3, 4]]`: I64 if all are integers, else F64.
Result<Array> parseNumbers(const std::string &text);

} // namespace lci

#endif // LCI_RUNTIME_NUMBERTEXT_H
