//===- NumberText.h - Numbers and arrays of them, as text -------*- C++ -*-===//
#ifndef LCI_RUNTIME_NUMBERTEXT_H
#define LCI_RUNTIME_NUMBERTEXT_H

#include "LCI/Runtime/Array.h"
#include <optional>

namespace lci {

/// Nested lists of numbers as they are read, whatever reads them, which become one array. What is
/// wrong is a sentence.
class NestedNumbers {
public:
  /// A list begins at that depth.
  std::optional<std::string> beginList(size_t depth);
  /// How long it is; said in its course, or at its end.
  std::optional<std::string> setLength(size_t depth, int64_t length);
  /// A number comes at that depth.
  std::optional<std::string> beginNumber(size_t depth);
  void add(int64_t integer, double number, bool isInteger);
  /// I64 if all are integers, else F64: the declaration of what takes it gives the type.
  Array array() const;

private:
  std::vector<int64_t> shape, integers;
  std::vector<double> numbers;
  std::optional<size_t> leafDepth;
  bool allIntegers = true;
};

/// Whether a text begins as a number or an array does, and names no file.
bool isNumberText(const std::string &text);

/// `0.5`, or nested lists of one shape as `[[1, 2], [3, 4]]`: I64 if all are integers, else F64.
Result<Array> parseNumbers(const std::string &text);

} // namespace lci

#endif // LCI_RUNTIME_NUMBERTEXT_H
