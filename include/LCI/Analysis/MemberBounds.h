//===- MemberBounds.h - Bounds of a family's members ------------*- C++ -*-===//
//
// Bounds of a free index by the indices that are known when its loop begins.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_MEMBERBOUNDS_H
#define LCI_ANALYSIS_MEMBERBOUNDS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/IntegerSet.h"

namespace mlir::lci {

/// A member's index is at least each of `first` and at most each of `last`.
struct MemberBounds {
  SmallVector<AffineExpr> first, last;
};

/// The common bounds of one dimension in all sets of a family, by the dimensions before it.
MemberBounds getMemberBounds(ArrayAttr where, unsigned dim);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_MEMBERBOUNDS_H
