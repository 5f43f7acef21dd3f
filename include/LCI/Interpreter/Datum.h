//===- Datum.h - Scalars and tensors of the interpreter ---------*- C++ -*-===//
//
// One scalar of any width, or a dense tensor of them. An integer is stored as its bits, extended by
// zeros; a float as the bits of its f32. The type of the SSA value says which of these it is.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_DATUM_H
#define LCI_INTERPRETER_DATUM_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <memory>
#include <vector>

namespace mlir::lci {

/// A dense row-major tensor, or the memory behind a memref.
struct Tensor {
  Tensor() = default;
  explicit Tensor(ArrayRef<int64_t> shape, uint64_t fill = 0);

  SmallVector<int64_t> shape;
  std::vector<uint64_t> elements;

  /// The row-major number of an element; the indices must lie inside.
  int64_t offsetOf(ArrayRef<int64_t> indices) const;
  /// Whether every index lies in its axis.
  bool contains(ArrayRef<int64_t> indices) const;
};

/// The bits of an f32 as they are stored in a datum or an element, and back.
inline uint64_t toBits(float value) { return llvm::bit_cast<uint32_t>(value); }
inline float toFloat(uint64_t bits) { return llvm::bit_cast<float>(static_cast<uint32_t>(bits)); }

/// A scalar, or a shared immutable tensor.
struct Datum {
  uint64_t bits = 0;
  std::shared_ptr<const Tensor> tensor;

  static Datum integer(int64_t value) { return {static_cast<uint64_t>(value), nullptr}; }
  static Datum truth(bool value) { return {value, nullptr}; }
  static Datum number(float value) { return {toBits(value), nullptr}; }
  static Datum array(Tensor value) { return {0, std::make_shared<const Tensor>(std::move(value))}; }

  int64_t asInteger() const { return static_cast<int64_t>(bits); }
  float asNumber() const { return toFloat(bits); }
  bool asTruth() const { return bits & 1; }

  /// The same bits, element by element.
  bool operator==(const Datum &other) const;
  bool operator!=(const Datum &other) const { return !(*this == other); }
};

/// The number of bits of an integer type, 64 for an index, 32 for a float.
unsigned getWidth(Type type);
/// The signed value of a stored integer of some width.
int64_t signExtend(uint64_t bits, unsigned width);
/// The low bits, up to the width of a type.
uint64_t truncate(uint64_t bits, unsigned width);
/// Replaces every NaN by the canonical one.
uint64_t canonicalizeFloat(uint64_t bits);

/// Advances an index tuple below `shape` in row-major order; false after the last one.
bool advance(MutableArrayRef<int64_t> indices, ArrayRef<int64_t> shape);

} // namespace mlir::lci

#endif // LCI_INTERPRETER_DATUM_H
