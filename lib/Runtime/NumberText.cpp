//===- NumberText.cpp - Numbers and nested lists, as text -----------------===//
//
// Parses numbers and nested lists given to flags, where there is no JSON reader, and assembles
// nested lists into one rectangular array with a check of depths and lengths.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/NumberText.h"
#include <charconv>
#include <cmath>
#include <cstdlib>

using namespace lci;

static constexpr size_t kMaxAxes = 64;
static constexpr int64_t kNoLength = -1;
static constexpr const char kOtherDepths[] =
    "expected nested arrays of one shape, but their depths differ";

std::optional<std::string> NestedNumbers::beginList(size_t depth) {
  if (leafDepth && depth >= *leafDepth)
    return kOtherDepths;
  if (shape.size() <= depth)
    shape.push_back(kNoLength);
  return std::nullopt;
}

std::optional<std::string> NestedNumbers::setLength(size_t depth, int64_t length) {
  if (shape[depth] == kNoLength)
    shape[depth] = length;
  if (shape[depth] == length)
    return std::nullopt;
  return "expected nested arrays of one shape, but got lengths " + std::to_string(shape[depth]) +
         " and " + std::to_string(length);
}

std::optional<std::string> NestedNumbers::beginNumber(size_t depth) {
  // Where a list was, be it an empty one, there can be no number.
  if (depth != leafDepth.value_or(depth) || depth < shape.size())
    return kOtherDepths;
  leafDepth = depth;
  return std::nullopt;
}

void NestedNumbers::add(int64_t integer, double number, bool isInteger) {
  integers.push_back(integer);
  numbers.push_back(number);
  allIntegers &= isInteger;
}

Array NestedNumbers::array() const {
  Array array(allIntegers ? DType::I64 : DType::F64, shape);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (allIntegers)
      array.setInt(i, integers[i]);
    else
      array.setDouble(i, numbers[i]);
  }
  return array;
}

namespace {
/// Parses a whole text.
class NumberReader {
public:
  explicit NumberReader(const std::string &text)
      : next(text.data()), end(text.data() + text.size()) {}

  Result<Array> read() {
    Status done = readItem(0);
    if (!done)
      return done.failure();
    skipSpaces();
    if (next != end)
      return expected("the end behind a number or a list");
    return numbers.array();
  }

private:
  static Failure wrong(const std::string &what) { return {ErrorId::WrongBinding, what}; }
  Failure expected(const std::string &what) const {
    return wrong("expected " + what + ", but got " +
                 (next == end ? "the end" : "'" + std::string(next, end) + "'"));
  }
  void skipSpaces() {
    while (next != end && (*next == ' ' || *next == '\t' || *next == '\n'))
      ++next;
  }
  bool take(char character) {
    skipSpaces();
    bool isThere = next != end && *next == character;
    next += isThere;
    return isThere;
  }

  Status readItem(size_t depth) {
    if (take('['))
      return depth < kMaxAxes ? readList(depth) : wrong("expected at most 64 axes");
    if (std::optional<std::string> other = numbers.beginNumber(depth))
      return wrong(*other);
    return readNumber();
  }

  Status readList(size_t depth) {
    if (std::optional<std::string> other = numbers.beginList(depth))
      return wrong(*other);
    int64_t length = 0;
    if (!take(']'))
      do {
        if (Status item = readItem(depth + 1); !item)
          return item;
        ++length;
      } while (take(','));
    if (length > 0 && !take(']'))
      return expected("',' or ']' in a list");
    if (std::optional<std::string> other = numbers.setLength(depth, length))
      return wrong(*other);
    return Done();
  }

  Status readNumber() {
    double number = 0;
    int64_t integer = 0;
    auto [rest, error] = std::from_chars(next, end, number);
    if (error == std::errc::result_out_of_range) // too large, or too small, which is zero
      number = std::strtod(std::string(next, rest).c_str(), nullptr);
    if (error == std::errc::result_out_of_range && std::isinf(number))
      return wrong("expected numbers that F32 holds, up to 3.4028235e38, but got '" +
                   std::string(next, rest) + "'");
    if (rest == next || !std::isfinite(number))
      return expected("a number");
    auto [last, isNone] = std::from_chars(next, rest, integer);
    bool isInteger = isNone == std::errc() && last == rest && !(integer == 0 && *next == '-');
    numbers.add(integer, number, isInteger);
    next = rest;
    return Done();
  }

  const char *next, *end;
  NestedNumbers numbers;
};
} // namespace

bool lci::isNumberText(const std::string &text) {
  double number = 0;
  auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool isNumber = rest == text.data() + text.size() && error != std::errc::invalid_argument;
  return isNumber || (!text.empty() && text.front() == '[');
}

Result<Array> lci::parseNumbers(const std::string &text) { return NumberReader(text).read(); }
