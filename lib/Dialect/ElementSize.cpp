//===- ElementSize.cpp - Size of an element in memory ---------------------===//

#include "LCI/Dialect/ElementSize.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// The largest alignment of a number, however many bytes it has.
static constexpr int64_t kWidestAlignment = 16;

/// Lanes of a vector are packed bit by bit.
static int64_t bytesOfVector(int64_t lanes, int64_t bits) {
  return llvm::PowerOf2Ceil(llvm::divideCeil(lanes * bits, 8));
}

static int64_t bytesOfNumber(int64_t bits) {
  int64_t bytes = llvm::divideCeil(bits, 8);
  return llvm::alignTo(bytes, std::min<int64_t>(llvm::PowerOf2Ceil(bytes), kWidestAlignment));
}

int64_t mlir::lci::bytesOfElement(Type element) {
  auto vector = dyn_cast<VectorType>(element);
  Type number = vector ? vector.getElementType() : element;
  int64_t bits = number.isIndex() ? 64 : number.getIntOrFloatBitWidth();
  if (!vector)
    return bytesOfNumber(bits);
  // Vectors of higher rank are arrays of vectors.
  int64_t lanes = vector.getRank() == 0 ? 1 : vector.getShape().back();
  return vector.getNumElements() / lanes * bytesOfVector(lanes, bits);
}

int64_t mlir::lci::bytesOfArray(MemRefType type) {
  return type.getNumElements() * bytesOfElement(type.getElementType());
}
