//===- Tokens.cpp - Token arrays from and to files ------------------------===//
#include "LCI/Runtime/Tokens.h"
#include "LCI/Runtime/Csv.h"
#include <cmath>
#include <limits>

using namespace lci;

DType lci::tokenType(int64_t vocabulary) {
  if (vocabulary <= 1 << 7)
    return DType::I8;
  if (vocabulary <= 1 << 15)
    return DType::I16;
  return vocabulary <= int64_t(1) << 31 ? DType::I32 : DType::I64;
}

Result<Array> lci::toTokens(const Array &array, int64_t vocabulary, const std::string &name) {
  if (isFloat(array.dtype()))
    return Failure{ErrorId::WrongElements, "expected integers for the tokens of '" + name +
                                               "', but got " + nameOf(array.dtype())};
  Array tokens(tokenType(vocabulary), array.shape());
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t token = array.intAt(i);
    if (!array.fitsInt64(i) || token < -1 || token >= vocabulary)
      return Failure{ErrorId::OutsideVocabulary,
                     "expected tokens of '" + name + "' in -1 .. " +
                         std::to_string(vocabulary - 1) + ", but got " +
                         (array.fitsInt64(i) ? std::to_string(token)
                                             : std::to_string(static_cast<uint64_t>(token))) +
                         " at [" + array.indexText(i) + "]"};
    tokens.setInt(i, token);
  }
  return tokens;
}

Array lci::toFloats(const Array &array) {
  Array numbers = array.asFloat32();
  for (int64_t i = 0; i < numbers.size(); ++i)
    if (float &number = numbers.data<float>()[i]; std::isnan(number))
      number = std::numeric_limits<float>::quiet_NaN();
  return numbers;
}

Result<Array> lci::toIntegers(const Array &array, const std::string &what) {
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t number = array.fitsInt64(i) ? array.intAt(i) : INT64_MAX;
    if (number < INT32_MIN || number > INT32_MAX)
      return Failure{ErrorId::WrongElements,
                     "expected 32-bit integers for " + what + ", but got " +
                         numberText(array.doubleAt(i)) +
                         (array.rank() ? " at [" + array.indexText(i) + "]" : std::string())};
  }
  return *array.asInt64();
}

Result<Array> lci::toCanonical(const Array &array, const CanonicalForm &form,
                               const std::string &name) {
  if (array.shape() != form.shape)
    return Failure{ErrorId::WrongShape, "expected shape " + shapeText(form.shape) + " for '" +
                                            name + "', but got " + shapeText(array.shape())};
  if (form.vocabulary)
    return toTokens(array, *form.vocabulary, name);
  return form.isInteger ? toIntegers(array, "'" + name + "'") : Result<Array>(toFloats(array));
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
