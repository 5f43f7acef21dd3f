//===- UniformCells.h - Cells that represent others -------------*- C++ -*-===//
//
// Where rules and constraints use their cell's indices only for reads at fixed distances,
// all cells far from every border are equivalent.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_UNIFORMCELLS_H
#define LCI_LIB_ANALYSIS_UNIFORMCELLS_H

#include "BodyChanges.h"

namespace mlir::lci {

/// Iterates over the cells of a constraint in row-major order, and skips those that are equivalent
/// to an earlier one.
class CellVisitor {
public:
  CellVisitor(ConstraintOp constraint, ArrayRef<int64_t> first, FamilyMembers &families);
  ArrayRef<int64_t> get() const { return cell; }
  /// The next cell; false after the last one.
  bool advance();

private:
  SmallVector<int64_t> cell, extents;
  std::optional<int64_t> border; ///< cells within this distance of an end are all visited
};

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_UNIFORMCELLS_H
