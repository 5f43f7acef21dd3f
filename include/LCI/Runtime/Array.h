//===- Array.h - A dense array on the host ----------------------*- C++ -*-===//
//
// Input of all back ends and output of all file formats: an element type, a shape and row-major
// bytes in the host's (little-endian) order. No arithmetic; elements can be read as integers or as
// floating-point numbers.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_RUNTIME_ARRAY_H
#define LCI_RUNTIME_ARRAY_H

#include "LCI/Runtime/Result.h"
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace lci {

/// The element types that the array files we read can hold.
enum class DType { Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64 };

/// Bytes of one element.
int64_t byteWidth(DType dtype);
/// The name NumPy gives it (`int8`, `float32`, …; `bfloat16` where NumPy has none).
const char *nameOf(DType dtype);
/// F16, BF16, F32 or F64.
bool isFloat(DType dtype);
/// Integers, Bool not included.
bool isInteger(DType dtype);

/// The value of an IEEE half and of a bfloat16; both are exact.
float halfToFloat(uint16_t bits);
float bfloatToFloat(uint16_t bits);

/// The number, or for every NaN the one that cells, arguments and observations have.
float withOneNaN(float number);

/// `(3, 4)`, `(3,)`, `()`: a shape as NumPy prints it.
std::string shapeText(const std::vector<int64_t> &shape);

/// The index tuple of an element by its row-major number, as `2, 5, 7`.
std::string indexText(const std::vector<int64_t> &shape, int64_t element);

/// The product of a shape, or nothing if it has a negative extent or overflows.
std::optional<int64_t> elementCount(const std::vector<int64_t> &shape);

/// A dense row-major array that owns its bytes.
class Array {
public:
  /// A rank-0 zero of 64-bit integers.
  Array() : Array(DType::I64, {}) {}
  /// All zeros; the shape must be valid (see elementCount).
  Array(DType dtype, std::vector<int64_t> shape);
  /// Takes over bytes whose number must fit the shape.
  Array(DType dtype, std::vector<int64_t> shape, std::vector<uint8_t> bytes);

  static Array scalar(int64_t value);
  static Array scalar(double value);

  DType dtype() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t rank() const { return static_cast<int64_t>(extents.size()); }
  /// The number of elements.
  int64_t size() const { return count; }

  const std::vector<uint8_t> &bytes() const { return storage; }
  std::vector<uint8_t> &bytes() { return storage; }

  /// The elements, where the caller knows that they are of `T`.
  template <typename T>
  T *data() {
    assert(sizeof(T) == static_cast<size_t>(byteWidth(type)) && "element type of another width");
    return reinterpret_cast<T *>(storage.data());
  }
  template <typename T>
  const T *data() const {
    return const_cast<Array *>(this)->data<T>();
  }

  /// Element `i` (row-major) as an integer: floats are truncated, and unsigned
  /// 64-bit numbers above the signed range come out negative (see fitsInt64).
  int64_t intAt(int64_t i) const;
  /// Element `i` as a double; 64-bit integers are rounded.
  double doubleAt(int64_t i) const;
  /// Whether element `i` is an integer that an int64_t holds.
  bool fitsInt64(int64_t i) const;

  /// Stores into element `i`, converting to the element type (integers wrap;
  /// 16-bit floats are never written).
  void setInt(int64_t i, int64_t value);
  void setDouble(int64_t i, double value);

  /// The same numbers as float32 / int64; nothing if an element is not
  /// exactly an integer (asInt64 only).
  Array asFloat32() const;
  std::optional<Array> asInt64() const;

  /// Whether the elements are these integers.
  bool holds(const std::vector<int64_t> &integers) const;

  /// The index tuple of element `i`, as `2, 5, 7`.
  std::string indexText(int64_t i) const { return ::lci::indexText(extents, i); }

  /// Same type, shape and bits.
  bool operator==(const Array &other) const {
    return type == other.type && extents == other.extents && storage == other.storage;
  }
  bool operator!=(const Array &other) const { return !(*this == other); }

private:
  DType type;
  std::vector<int64_t> extents;
  int64_t count;
  std::vector<uint8_t> storage;
};

/// The smallest box that holds every true element of a mask: for each axis the first and the last
/// index, (rank, 2) of I64. Without any it is 0 to -1.
Array boundsOf(const Array &mask);

} // namespace lci

#endif // LCI_RUNTIME_ARRAY_H
