//===- CArrays.cpp - Arrays of C callers ----------------------------------===//
//
// Shape and type of a C array are checked before its elements are copied, and its elements after.
//
//===----------------------------------------------------------------------===//

#include "LCI/Runtime/CArrays.h"
#include <limits>

using namespace lci;

/// C callers may have put any number there.
static Result<DType> typeIn(const lci_array &array) {
  std::underlying_type_t<lci_type> type = 0;
  static_assert(sizeof type == sizeof array.type);
  std::memcpy(&type, &array.type, sizeof type);
  switch (type) {
  case LCI_BOOL:
    return DType::Bool;
  case LCI_I8:
    return DType::I8;
  case LCI_I16:
    return DType::I16;
  case LCI_I32:
    return DType::I32;
  case LCI_I64:
    return DType::I64;
  case LCI_F32:
    return DType::F32;
  }
  return wrongCall("expected one of the types of lci_type, but got " + std::to_string(type));
}

lci_type lci::toCType(DType type) {
  switch (type) {
  case DType::I8:
    return LCI_I8;
  case DType::I16:
    return LCI_I16;
  case DType::I32:
    return LCI_I32;
  case DType::F32:
    return LCI_F32;
  default:
    return LCI_I64;
  }
}

/// C callers may have put any number into a byte of LCI_BOOL, too.
static Status checkTruths(const Array &array, const std::string &name) {
  if (array.dtype() != DType::Bool)
    return Done{};
  for (int64_t i = 0; i < array.size(); ++i)
    if (uint8_t byte = array.bytes()[static_cast<size_t>(i)]; byte > 1)
      return wrongCall("expected 0 or 1 in each byte of LCI_BOOL for " + name + ", but got " +
                       std::to_string(byte) + " at [" + array.indexText(i) + "]");
  return Done{};
}

/// The shape that a C array says, which has a type.
static Result<std::vector<int64_t>> shapeIn(const lci_array *from, const std::string &name) {
  constexpr int64_t kMaxRank = 64;
  if (!from)
    return missing("an array for " + name);
  if (Result<DType> dtype = typeIn(*from); !dtype)
    return dtype.failure();
  if (from->rank < 0 || from->rank > kMaxRank)
    return wrongCall("expected a rank of 0 to " + std::to_string(kMaxRank) + " for " + name +
                     ", but got " + std::to_string(from->rank));
  if (from->rank > 0 && !from->shape)
    return missing("a shape for " + name);
  return std::vector<int64_t>(from->shape, from->shape + from->rank);
}

/// The elements of a C array, whose shape is checked.
static Result<Array> copyElements(const lci_array &from, std::vector<int64_t> shape,
                                  const std::string &name) {
  Result<DType> dtype = typeIn(from);
  if (!dtype)
    return dtype.failure();
  Array array(*dtype, std::move(shape));
  if (array.bytes().empty())
    return array;
  if (!from.data)
    return missing("data for " + name);
  std::memcpy(array.bytes().data(), from.data, array.bytes().size());
  if (Status truths = checkTruths(array, name); !truths)
    return truths.failure();
  return array;
}

Result<Array> lci::toArray(const lci_array *from, const std::vector<int64_t> &shape,
                           const std::string &name) {
  Result<std::vector<int64_t>> given = shapeIn(from, name);
  if (!given)
    return given.failure();
  if (*given != shape)
    return Failure{ErrorId::WrongShape, "expected shape " + shapeText(shape) + " for " + name +
                                            ", but got " + shapeText(*given)};
  return copyElements(*from, shape, name);
}

Result<Array> lci::toArray(const lci_array *from, const std::string &name) {
  Result<std::vector<int64_t>> given = shapeIn(from, name);
  if (!given)
    return given.failure();
  std::optional<int64_t> count = elementCount(*given);
  if (!count || *count > std::numeric_limits<int32_t>::max())
    return wrongCall("expected a shape of fewer than 2^31 elements for " + name + ", but got " +
                     shapeText(*given));
  return copyElements(*from, std::move(*given), name);
}
