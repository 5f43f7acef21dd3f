//===- NumberText.h - Numbers and nested lists, as text ---------*- C++ -*-===//
//
// For flags of tools without a JSON reader; the assembly of nested lists is shared with the JSON
// reader of bindings.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_NUMBERTEXT_H
#define LCI_RUNTIME_NUMBERTEXT_H

#include "LCI/Runtime/Array.h"
#include <optional>

namespace lci {

/// Assembles nested lists of numbers into one array while any reader parses them. An error is a
/// sentence.
class NestedNumbers {
public:
  /// A list begins at that depth.
  std::optional<std::string> beginList(size_t depth);
  /// Sets the length of a list, in its course or at its end.
  std::optional<std::string> setLength(size_t depth, int64_t length);
  /// A number comes at that depth.
  std::optional<std::string> beginNumber(size_t depth);
  void add(int64_t integer, double number, bool isInteger);
  /// I64 if all are integers, else F64: the type follows from the declaration of the consumer.
  Array array() const;

private:
  std::vector<int64_t> shape, integers;
  std::vector<double> numbers;
  std::optional<size_t> leafDepth;
  bool allIntegers = true;
};

/// Whether a text begins as a number or an array, and is no file name.
bool isNumberText(const std::string &text);

/// `0.5`, or nested lists of one shape as `[[1, 2], [3, 4]]`: I64 if all are integers, else F64.
Result<Array> parseNumbers(const std::string &text);

} // namespace lci

#endif // LCI_RUNTIME_NUMBERTEXT_H
