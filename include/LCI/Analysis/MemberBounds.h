//===- MemberBounds.h - Where the members of a family can be ----*- C++ -*-===//
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

/// What all sets of a family say of one dimension, by those before it.
MemberBounds getMemberBounds(ArrayAttr where, unsigned dim);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_MEMBERBOUNDS_H
