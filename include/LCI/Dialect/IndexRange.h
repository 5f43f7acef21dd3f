//===- IndexRange.h - Bounds of affine expressions --------------*- C++ -*-===//
//
// Inclusive ranges of indices, interval arithmetic of affine expressions over boxes of them, and
// iteration over the points of a box: for verifiers, lowerings of sets to tests, and analyses.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_INDEXRANGE_H
#define LCI_DIALECT_INDEXRANGE_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::lci {

/// Inclusive bounds of an index. Lower above upper means that there is none.
struct IndexRange {
  int64_t lower = 0, upper = -1;
  bool isEmpty() const { return lower > upper; }
  int64_t size() const { return isEmpty() ? 0 : upper - lower + 1; }
};

/// Bounds an affine expression over a box of its dimensions. Symbols, and dimensions whose range is
/// empty because their index is computed, are unbounded.
std::optional<IndexRange> computeRange(AffineExpr expr, ArrayRef<IndexRange> dims);

/// Whether a form without symbols fits 64 bits for indices of up to 2^31, of either sign.
bool fitsIndices(AffineExpr form, unsigned numDims);

/// Calls `visit` for every point of a box, in row-major order.
void forEachPoint(ArrayRef<IndexRange> box, function_ref<void(ArrayRef<int64_t>)> visit);
/// The same for a box that begins at zero.
void forEachPoint(ArrayRef<int64_t> extents, function_ref<void(ArrayRef<int64_t>)> visit);

} // namespace mlir::lci

#endif // LCI_DIALECT_INDEXRANGE_H
