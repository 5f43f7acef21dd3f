//===- Tokens.cpp - Token arrays from and to files ------------------------===//
//
// Range-checked conversion of arrays of any element type into canonical form (narrow signed tokens,
// I64, F32 with one NaN) and back. An error names the first element that does not fit, with its
// index.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Tokens.h"
#include "LCI/Runtime/Csv.h"
#include <cmath>

using namespace lci;

DType lci::tokenType(int64_t vocabulary) {
  if (vocabulary <= 1 << 7)
    return DType::I8;
  if (vocabulary <= 1 << 15)
    return DType::I16;
  return vocabulary <= int64_t(1) << 31 ? DType::I32 : DType::I64;
}

/// An element as text, by the type of its array.
static std::string elementText(const Array &array, int64_t i) {
  if (isFloat(array.dtype()))
    return numberText(array.doubleAt(i));
  int64_t integer = array.intAt(i);
  return array.fitsInt64(i) ? std::to_string(integer)
                            : std::to_string(static_cast<uint64_t>(integer));
}

/// The element and its index for an error; `index` is empty where there is a single one.
static std::string foundAt(const Array &array, int64_t i, const std::string &index) {
  return ", but got " + elementText(array, i) + (index.empty() ? "" : " at [" + index + "]");
}

/// The error of a token at an index.
static Failure wrongToken(const Array &array, int64_t i, int64_t vocabulary,
                          const std::string &name, const std::string &index) {
  return {ErrorId::OutsideVocabulary, "expected tokens of '" + name + "' in -1 .. " +
                                          std::to_string(vocabulary - 1) +
                                          foundAt(array, i, index)};
}

static Failure wrongInteger(const Array &array, int64_t i, const std::string &what,
                            const std::string &index) {
  return {ErrorId::WrongElements,
          "expected 32-bit integers for " + what + foundAt(array, i, index)};
}

static Failure wrongNumber(const Array &array, int64_t i, const std::string &what,
                           const std::string &index) {
  return {ErrorId::WrongElements, "expected numbers that F32 holds, up to 3.4028235e38, for " +
                                      what + foundAt(array, i, index)};
}

Result<Array> lci::toTokens(const Array &array, int64_t vocabulary, const std::string &name) {
  Array tokens(tokenType(vocabulary), array.shape());
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t token = array.fitsInt64(i) ? array.intAt(i) : vocabulary;
    if (token < -1 || token >= vocabulary)
      return wrongToken(array, i, vocabulary, name, array.indexText(i));
    tokens.setInt(i, token);
  }
  return tokens;
}

Result<Array> lci::toFloats(const Array &array, const std::string &what) {
  Array numbers = array.asFloat32();
  for (int64_t i = 0; i < numbers.size(); ++i) {
    float &number = numbers.data<float>()[i];
    if (std::isinf(number) && !std::isinf(array.doubleAt(i)))
      return wrongNumber(array, i, what, array.indexText(i));
    number = withOneNaN(number);
  }
  return numbers;
}

Result<Array> lci::toIntegers(const Array &array, const std::string &what) {
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t number = array.fitsInt64(i) ? array.intAt(i) : INT64_MAX;
    if (number < INT32_MIN || number > INT32_MAX)
      return wrongInteger(array, i, what, array.indexText(i));
  }
  return *array.asInt64();
}

Result<Array> lci::toBits(const Array &array, unsigned width, const std::string &what) {
  const uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  const int64_t most = width == 64 ? INT64_MAX : static_cast<int64_t>(mask);
  const int64_t least = width == 1 ? 0 : -static_cast<int64_t>(mask >> 1) - 1;
  Array bits(DType::I64, array.shape());
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t number = array.fitsInt64(i) ? array.intAt(i) : 0;
    if (!array.fitsInt64(i) || number < least || number > most)
      return Failure{ErrorId::WrongElements, "expected integers of " + std::to_string(width) +
                                                 (width == 1 ? " bit for " : " bits for ") + what +
                                                 foundAt(array, i, array.indexText(i))};
    bits.setInt(i, static_cast<int64_t>(static_cast<uint64_t>(number) & mask));
  }
  return bits;
}

DType CanonicalForm::type() const {
  return vocabulary ? tokenType(*vocabulary) : isInteger ? DType::I64 : DType::F32;
}

Status lci::checkShape(const std::vector<int64_t> &shape, const CanonicalForm &form,
                       const std::string &name) {
  if (shape != form.shape)
    return Failure{ErrorId::WrongShape, "expected shape " + shapeText(form.shape) + " for '" +
                                            name + "', but got " + shapeText(shape)};
  return Done{};
}

Failure lci::wrongElement(const Array &element, const CanonicalForm &form, const std::string &name,
                          const std::string &index) {
  if (form.vocabulary)
    return wrongToken(element, 0, *form.vocabulary, name, index);
  std::string what = "'" + name + "'";
  return form.isInteger ? wrongInteger(element, 0, what, index)
                        : wrongNumber(element, 0, what, index);
}

Result<Array> lci::toCanonical(const Array &array, const CanonicalForm &form,
                               const std::string &name) {
  if (Status fits = checkShape(array.shape(), form, name); !fits)
    return fits.failure();
  if (form.vocabulary)
    return toTokens(array, *form.vocabulary, name);
  std::string what = "'" + name + "'";
  return form.isInteger ? toIntegers(array, what) : toFloats(array, what);
}

Array lci::toFileIntegers(const Array &array) {
  Array written(DType::I32, array.shape());
  for (int64_t i = 0; i < array.size(); ++i)
    written.setInt(i, array.intAt(i));
  return written;
}

std::optional<int64_t> lci::firstAbsent(const Array &tokens) {
  for (int64_t i = 0; i < tokens.size(); ++i)
    if (tokens.intAt(i) < 0)
      return i;
  return std::nullopt;
}
