//===- Families.h - The extent of a family of free indices ------*- C++ -*-===//
//
// A family is the set of free indices for which some set of a union holds. Its enumeration needs
// a box that contains all of it, whatever the outer indices are.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_FAMILIES_H
#define LCI_ANALYSIS_FAMILIES_H

#include "LCI/Dialect/IndexRange.h"
#include "mlir/Analysis/Presburger/PresburgerRelation.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::lci {

/// The number of tuples of free indices that a family may range over: more would take too long, and
/// their number must fit 64 bits.
inline constexpr int64_t kMaxMembers = int64_t(1) << 36;

/// The smallest box around a relation over its domain and range variables, empty ranges if it is
/// empty; nothing if it is unbounded.
std::optional<SmallVector<IndexRange>> computeBox(const presburger::PresburgerRelation &relation);

/// The smallest box of the free indices (the last `numFree` dimensions of the sets) that holds
/// every member for any outer indices within `outer`. Fails if some free index is unbounded, or if
/// there are more than `kMaxMembers` tuples. The sets have no symbols.
std::optional<SmallVector<IndexRange>> computeFreeBox(ArrayAttr where, ArrayRef<IndexRange> outer,
                                                      unsigned numFree);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_FAMILIES_H
