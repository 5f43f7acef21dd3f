//===- Visibility.h - Whether a read stays within what is visible ---------===//
//
// Exact where it answers. Indices are compared as relations before any boundary is applied, which
// mostly decides; what that leaves open is decided by visiting the cells, up to a size.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_VISIBILITY_H
#define LCI_ANALYSIS_VISIBILITY_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

struct Visibility {
  enum class Answer { Visible, Invisible, Unknown };
  Answer answer = Answer::Unknown;
  /// For `Invisible`: a cell and what it reads without being allowed to.
  SmallVector<int64_t> cell, target;
};

/// Judges a read of a rule or constraint in a bound program by the `visible` lines of its value.
/// No more than `maxPoints` pairs of cells are visited. A read whose index is computed from data is
/// `Unknown`.
Visibility analyzeVisibility(ReadOp read, uint64_t maxPoints = uint64_t(1) << 20);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_VISIBILITY_H
