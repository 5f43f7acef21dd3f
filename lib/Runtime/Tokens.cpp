//===- Tokens.cpp - Token arrays from and to files ------------------------===//
#include "LCI/Runtime/Tokens.h"
#include "LCI/Runtime/Csv.h"

using namespace lci;

DType lci::tokenType(int64_t vocabulary) {
  if (vocabulary <= 1 << 7)
    return DType::I8;
  if (vocabulary <= 1 << 15)
    return DType::I16;
  return vocabulary <= int64_t(1) << 31 ? DType::I32 : DType::I64;
}

static Failure floatTokens(DType dtype, const std::string &name) {
  return {ErrorId::WrongElements,
          "expected integers for the tokens of '" + name + "', but got " + nameOf(dtype)};
}

/// What is wrong with a token, which stood at an index.
static Failure wrongToken(const Array &array, int64_t i, int64_t vocabulary,
                          const std::string &name, const std::string &index) {
  int64_t token = array.intAt(i);
  return {ErrorId::OutsideVocabulary,
          "expected tokens of '" + name + "' in -1 .. " + std::to_string(vocabulary - 1) +
              ", but got " +
              (array.fitsInt64(i) ? std::to_string(token)
                                  : std::to_string(static_cast<uint64_t>(token))) +
              " at [" + index + "]"};
}

/// What is wrong with an integer; `index` is empty where there is one alone.
static Failure wrongInteger(const Array &array, int64_t i, const std::string &what,
                            const std::string &index) {
  return {ErrorId::WrongElements, "expected 32-bit integers for " + what + ", but got " +
                                      numberText(array.doubleAt(i)) +
                                      (index.empty() ? "" : " at [" + index + "]")};
}

Result<Array> lci::toTokens(const Array &array, int64_t vocabulary, const std::string &name) {
  if (isFloat(array.dtype()))
    return floatTokens(array.dtype(), name);
  Array tokens(tokenType(vocabulary), array.shape());
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t token = array.intAt(i);
    if (!array.fitsInt64(i) || token < -1 || token >= vocabulary)
      return wrongToken(array, i, vocabulary, name, array.indexText(i));
    tokens.setInt(i, token);
  }
  return tokens;
}

Array lci::toFloats(const Array &array) {
  Array numbers = array.asFloat32();
  for (int64_t i = 0; i < numbers.size(); ++i)
    numbers.data<float>()[i] = withOneNaN(numbers.data<float>()[i]);
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

DType CanonicalForm::type() const {
  return vocabulary ? tokenType(*vocabulary) : isInteger ? DType::I64 : DType::F32;
}

Status lci::checkForm(const std::vector<int64_t> &shape, DType dtype, const CanonicalForm &form,
                      const std::string &name) {
  if (shape != form.shape)
    return Failure{ErrorId::WrongShape, "expected shape " + shapeText(form.shape) + " for '" +
                                            name + "', but got " + shapeText(shape)};
  if (form.vocabulary && isFloat(dtype))
    return floatTokens(dtype, name);
  return Done{};
}

Failure lci::wrongElement(const Array &element, const CanonicalForm &form, const std::string &name,
                          const std::string &index) {
  return form.vocabulary ? wrongToken(element, 0, *form.vocabulary, name, index)
                         : wrongInteger(element, 0, "'" + name + "'", index);
}

Result<Array> lci::toCanonical(const Array &array, const CanonicalForm &form,
                               const std::string &name) {
  if (Status fits = checkForm(array.shape(), array.dtype(), form, name); !fits)
    return fits.failure();
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
