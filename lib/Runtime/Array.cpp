//===- Array.cpp - A dense array on the host ------------------------------===//
//
// Element types by a table of name, width and class. Element access converts to int64_t or double,
// because file formats, slots and canonical forms all read arrays through these two; float32 and
// int64 conversions, bounding boxes of masks and index texts are built on it.
//
//===----------------------------------------------------------------------===//
#include "LCI/Runtime/Array.h"
#include <cmath>
#include <limits>

using namespace lci;

namespace {
/// One row per element type, in the order of the enum.
struct TypeInfo {
  const char *name;
  int64_t width;
};
} // namespace
constexpr TypeInfo typeInfo[] = {
    {"bool", 1},     {"int8", 1},    {"int16", 2},   {"int32", 4},  {"int64", 8},
    {"uint8", 1},    {"uint16", 2},  {"uint32", 4},  {"uint64", 8}, {"float16", 2},
    {"bfloat16", 2}, {"float32", 4}, {"float64", 8},
};

template <typename T>
static T load(const std::vector<uint8_t> &bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
static void store(std::vector<uint8_t> &bytes, int64_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

/// Calls `visit` with element `i` in its element type (16-bit floats widened).
template <typename Visitor>
static auto visitElement(DType dtype, const std::vector<uint8_t> &bytes, int64_t i, Visitor visit) {
  switch (dtype) {
  case DType::Bool:
    return visit(static_cast<uint8_t>(load<uint8_t>(bytes, i) != 0));
  case DType::I8:
    return visit(load<int8_t>(bytes, i));
  case DType::I16:
    return visit(load<int16_t>(bytes, i));
  case DType::I32:
    return visit(load<int32_t>(bytes, i));
  case DType::I64:
    return visit(load<int64_t>(bytes, i));
  case DType::U8:
    return visit(load<uint8_t>(bytes, i));
  case DType::U16:
    return visit(load<uint16_t>(bytes, i));
  case DType::U32:
    return visit(load<uint32_t>(bytes, i));
  case DType::U64:
    return visit(load<uint64_t>(bytes, i));
  case DType::F16:
    return visit(halfToFloat(load<uint16_t>(bytes, i)));
  case DType::BF16:
    return visit(bfloatToFloat(load<uint16_t>(bytes, i)));
  case DType::F32:
    return visit(load<float>(bytes, i));
  case DType::F64:
    return visit(load<double>(bytes, i));
  }
  __builtin_unreachable();
}

static float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

int64_t lci::byteWidth(DType dtype) { return typeInfo[static_cast<int>(dtype)].width; }
const char *lci::nameOf(DType dtype) { return typeInfo[static_cast<int>(dtype)].name; }
bool lci::isFloat(DType dtype) { return dtype >= DType::F16; }
bool lci::isInteger(DType dtype) { return dtype >= DType::I8 && dtype <= DType::U64; }

float lci::halfToFloat(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent == 31)
    return floatOfBits(sign | 0x7f800000 | fraction << 13);
  if (exponent != 0)
    return floatOfBits(sign | (exponent + 112) << 23 | fraction << 13);
  float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

float lci::bfloatToFloat(uint16_t bits) { return floatOfBits(static_cast<uint32_t>(bits) << 16); }

float lci::withOneNaN(float number) {
  return std::isnan(number) ? std::numeric_limits<float>::quiet_NaN() : number;
}

std::string lci::shapeText(const std::vector<int64_t> &shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string lci::indexText(const std::vector<int64_t> &shape, int64_t element) {
  std::string text;
  for (size_t axis = shape.size(); axis-- > 0; element /= shape[axis])
    text = std::to_string(element % shape[axis]) + (text.empty() ? "" : ", ") + text;
  return text;
}

std::optional<int64_t> lci::elementCount(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    // A zero extent does not excuse an overflow of the others: the limit leaves room for the bytes.
    if (extent < 0 || (extent != 0 && count > (INT64_MAX / 16) / extent))
      return std::nullopt;
    count *= extent;
  }
  return count;
}

Array::Array(DType dtype, std::vector<int64_t> shape) : type(dtype), extents(std::move(shape)) {
  count = elementCount(extents).value_or(0);
  storage.resize(count * byteWidth(type));
}

Array::Array(DType dtype, std::vector<int64_t> shape, std::vector<uint8_t> bytes)
    : type(dtype), extents(std::move(shape)), storage(std::move(bytes)) {
  count = elementCount(extents).value_or(0);
  assert(static_cast<int64_t>(storage.size()) == count * byteWidth(type) && "bytes and shape");
}

Array Array::scalar(int64_t value) {
  Array array(DType::I64, {});
  array.setInt(0, value);
  return array;
}

Array Array::scalar(double value) {
  Array array(DType::F64, {});
  array.setDouble(0, value);
  return array;
}

int64_t Array::intAt(int64_t i) const {
  return visitElement(type, storage, i, [](auto value) { return static_cast<int64_t>(value); });
}

double Array::doubleAt(int64_t i) const {
  return visitElement(type, storage, i, [](auto value) { return static_cast<double>(value); });
}

bool Array::fitsInt64(int64_t i) const {
  if (type == DType::U64)
    return load<uint64_t>(storage, i) <= static_cast<uint64_t>(INT64_MAX);
  if (!lci::isFloat(type))
    return true;
  double value = doubleAt(i);
  return value >= -0x1p63 && value < 0x1p63 && value == std::trunc(value);
}

void Array::setInt(int64_t i, int64_t value) {
  if (lci::isFloat(type))
    return setDouble(i, static_cast<double>(value));
  switch (byteWidth(type)) {
  case 1:
    return store<int8_t>(storage, i, type == DType::Bool ? value != 0 : value);
  case 2:
    return store<int16_t>(storage, i, value);
  case 4:
    return store<int32_t>(storage, i, value);
  default:
    return store<int64_t>(storage, i, value);
  }
}

void Array::setDouble(int64_t i, double value) {
  if (type == DType::F32)
    return store<float>(storage, i, static_cast<float>(value));
  if (type == DType::F64)
    return store<double>(storage, i, value);
  assert(!lci::isFloat(type) && "16-bit floats are read, not written");
  setInt(i, static_cast<int64_t>(value));
}

Array Array::asFloat32() const {
  if (type == DType::F32)
    return *this;
  Array result(DType::F32, extents);
  for (int64_t i = 0; i < count; ++i)
    store<float>(result.storage, i, visitElement(type, storage, i, [](auto value) {
                   return static_cast<float>(value);
                 }));
  return result;
}

std::optional<Array> Array::asInt64() const {
  Array result(DType::I64, extents);
  for (int64_t i = 0; i < count; ++i) {
    if (!fitsInt64(i))
      return std::nullopt;
    store<int64_t>(result.storage, i, intAt(i));
  }
  return result;
}

bool Array::holds(const std::vector<int64_t> &integers) const {
  if (size() != static_cast<int64_t>(integers.size()))
    return false;
  for (int64_t i = 0; i < size(); ++i)
    if (intAt(i) != integers[i])
      return false;
  return true;
}

Array lci::boundsOf(const Array &mask) {
  Array bounds(DType::I64, {mask.rank(), 2});
  bool isEmpty = true;
  for (int64_t axis = 0; axis < mask.rank(); ++axis)
    bounds.setInt(2 * axis + 1, -1);
  for (int64_t i = 0; i < mask.size(); ++i) {
    if (!mask.intAt(i))
      continue;
    int64_t rest = i;
    for (int64_t axis = mask.rank(); axis-- > 0; rest /= mask.shape()[axis]) {
      int64_t index = rest % mask.shape()[axis];
      bounds.setInt(2 * axis, isEmpty ? index : std::min(bounds.intAt(2 * axis), index));
      bounds.setInt(2 * axis + 1, std::max(bounds.intAt(2 * axis + 1), index));
    }
    isEmpty = false;
  }
  return bounds;
}
