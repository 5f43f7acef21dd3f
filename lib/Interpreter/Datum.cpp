//===- Datum.cpp - Scalars and tensors of the interpreter -----------------===//

#include "LCI/Interpreter/Datum.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::lci;

Tensor::Tensor(ArrayRef<int64_t> shape, uint64_t fill) : shape(shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  elements.assign(count, fill);
}

int64_t Tensor::offsetOf(ArrayRef<int64_t> indices) const {
  int64_t offset = 0;
  for (auto [index, extent] : llvm::zip(indices, shape))
    offset = offset * extent + index;
  return offset;
}

bool Tensor::contains(ArrayRef<int64_t> indices) const {
  for (auto [index, extent] : llvm::zip(indices, shape))
    if (index < 0 || index >= extent)
      return false;
  return indices.size() == shape.size();
}

bool Datum::operator==(const Datum &other) const {
  if (!tensor || !other.tensor)
    return !tensor && !other.tensor && bits == other.bits;
  return tensor->shape == other.tensor->shape && tensor->elements == other.tensor->elements;
}

unsigned mlir::lci::getWidth(Type type) {
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

int64_t mlir::lci::signExtend(uint64_t bits, unsigned width) {
  unsigned rest = 64 - width;
  return static_cast<int64_t>(bits << rest) >> rest;
}

uint64_t mlir::lci::truncate(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

uint64_t mlir::lci::canonicalizeFloat(uint64_t bits) {
  return std::isnan(llvm::bit_cast<float>(static_cast<uint32_t>(bits))) ? 0x7fc00000u : bits;
}

bool mlir::lci::advance(MutableArrayRef<int64_t> indices, ArrayRef<int64_t> shape) {
  for (size_t axis = indices.size(); axis-- > 0;) {
    if (++indices[axis] < shape[axis])
      return true;
    indices[axis] = 0;
  }
  return false;
}
