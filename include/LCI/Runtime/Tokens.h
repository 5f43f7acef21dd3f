//===- Tokens.h - Token arrays from and to files ----------------*- C++ -*-===//
//
// Files hold tokens in whatever integer type their writer liked; -1 says that
// a cell holds nothing yet. Inside, a token array has one canonical form: the
// smallest signed type that holds -1 and every token of the vocabulary.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_TOKENS_H
#define LCI_RUNTIME_TOKENS_H

#include "LCI/Runtime/Array.h"

namespace lci {

/// The smallest signed type that holds -1 … vocabulary - 1.
DType tokenType(int64_t vocabulary);

/// Checks a file's array (of any type, every element -1 or in the vocabulary) and brings it into
/// canonical form. `name` is the value's.
Result<Array> toTokens(const Array &array, int64_t vocabulary, const std::string &name);

/// The same numbers, rounded to F32, with one NaN, as everything that a program computes has it.
/// Rounding makes no number infinite; `what` stands in the error.
Result<Array> toFloats(const Array &array, const std::string &what);
/// The same numbers as I64, if all of them are integers of 32 bits; `what` stands in the error.
Result<Array> toIntegers(const Array &array, const std::string &what);
/// The bits of integers of a width up to 64, with a sign or without one, as I64; `what` stands in
/// the error.
Result<Array> toBits(const Array &array, unsigned width, const std::string &what);
/// Integers of 32 bits, which are wider while a program runs, as files have them.
Array toFileIntegers(const Array &array);

/// What an array of a value must be: tokens if there is a vocabulary, else integers or numbers.
struct CanonicalForm {
  std::vector<int64_t> shape;
  std::optional<int64_t> vocabulary;
  bool isInteger = false;

  /// Of the elements, in that form.
  DType type() const;
};

/// Whether an array of that shape can be brought into a form, whatever it holds.
Status checkShape(const std::vector<int64_t> &shape, const CanonicalForm &form,
                  const std::string &name);
/// What is wrong with an element (an array of rank 0), which stood at an index.
Failure wrongElement(const Array &element, const CanonicalForm &form, const std::string &name,
                     const std::string &index);

/// Checks a file's array and brings it into the form in which values go in and out of back ends.
Result<Array> toCanonical(const Array &array, const CanonicalForm &form, const std::string &name);

/// Row-major index of the first absent cell, or nothing if all are present.
std::optional<int64_t> firstAbsent(const Array &tokens);

} // namespace lci

#endif // LCI_RUNTIME_TOKENS_H
