//===- Families.h - The extent of a family of free indices ------*- C++ -*-===//
//
// A family is the set of free indices for which some set of a union holds. To enumerate it one
// needs a box that surely holds all of it, whatever the outer indices are.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_FAMILIES_H
#define LCI_ANALYSIS_FAMILIES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::lci {

/// Inclusive bounds of an index. Lower above upper means that there is none.
struct IndexRange {
  int64_t lower = 0, upper = -1;
  bool isEmpty() const { return lower > upper; }
  int64_t size() const { return isEmpty() ? 0 : upper - lower + 1; }
};

/// The smallest box of the free indices (the last `numFree` dimensions of the sets) that holds
/// every member for any outer indices within `outer`. Fails if some free index is unbounded. The
/// sets have no symbols.
std::optional<SmallVector<IndexRange>> computeFreeBox(ArrayAttr where, ArrayRef<IndexRange> outer,
                                                      unsigned numFree);

/// The range an affine expression takes over a box of its dimensions, if both ends are known.
std::optional<IndexRange> computeRange(AffineExpr expr, ArrayRef<IndexRange> dims);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_FAMILIES_H
