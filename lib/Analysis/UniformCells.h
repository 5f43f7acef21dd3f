//===- UniformCells.h - Cells of which one stands for others ----*- C++ -*-===//
//
// Where rules and constraints use their cell's indices for nothing but reads at fixed distances,
// all cells that no border is near are in the same situation.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_UNIFORMCELLS_H
#define LCI_LIB_ANALYSIS_UNIFORMCELLS_H

#include "BodyChanges.h"

namespace mlir::lci {

/// Goes through the cells of a constraint in row-major order, and past those that are in the
/// situation of one before.
class CellVisitor {
public:
  CellVisitor(ConstraintOp constraint, ArrayRef<int64_t> first, FamilyMembers &families);
  ArrayRef<int64_t> get() const { return cell; }
  /// The next cell; false after the last one.
  bool advance();

private:
  SmallVector<int64_t> cell, extents;
  std::optional<int64_t> border; ///< so many cells from each end are all looked at
};

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_UNIFORMCELLS_H
