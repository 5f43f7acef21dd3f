//===- Tokens.h - Token arrays from and to files ----------------*- C++ -*-===//
//
// Files may hold tokens in any integer type; -1 marks an absent cell. The runtime stores token
// arrays in one canonical form: the smallest signed type that holds -1 and every token of the
// vocabulary.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_TOKENS_H
#define LCI_RUNTIME_TOKENS_H

#include "LCI/Runtime/Array.h"

namespace lci {

/// The smallest signed type that holds -1 … vocabulary - 1.
DType tokenType(int64_t vocabulary);

/// Checks a file's array (of any type, every element -1 or in the vocabulary) and converts it to
/// canonical form. `name` is the value's.
Result<Array> toTokens(const Array &array, int64_t vocabulary, const std::string &name);

/// The same numbers, rounded to F32, with one NaN, as in everything that a program computes.
/// Rounding makes no number infinite; `what` is quoted in the error.
Result<Array> toFloats(const Array &array, const std::string &what);
/// The same numbers as I64, if all of them are integers of 32 bits; `what` is quoted in the error.
Result<Array> toIntegers(const Array &array, const std::string &what);
/// The bits of integers of a width up to 64, signed or unsigned, as I64; `what` is quoted in the
/// error.
Result<Array> toBits(const Array &array, unsigned width, const std::string &what);
/// Integers of 32 bits, which are wider while a program runs, in the type of files.
Array toFileIntegers(const Array &array);

/// The canonical form of a value's array: tokens if there is a vocabulary, else integers or
/// numbers.
struct CanonicalForm {
  std::vector<int64_t> shape;
  std::optional<int64_t> vocabulary;
  bool isInteger = false;

  /// The element type of that form.
  DType type() const;
};

/// Whether an array of that shape can be converted, whatever its elements.
Status checkShape(const std::vector<int64_t> &shape, const CanonicalForm &form,
                  const std::string &name);
/// The error of an element (an array of rank 0) at an index.
Failure wrongElement(const Array &element, const CanonicalForm &form, const std::string &name,
                     const std::string &index);

/// Checks a file's array and converts it to the canonical form of back ends.
Result<Array> toCanonical(const Array &array, const CanonicalForm &form, const std::string &name);

/// Row-major index of the first absent cell, or nothing if all are present.
std::optional<int64_t> firstAbsent(const Array &tokens);

} // namespace lci

#endif // LCI_RUNTIME_TOKENS_H
