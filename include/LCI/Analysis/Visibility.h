//===- Visibility.h - Check reads against capabilities ----------*- C++ -*-===//
//
// Exact unless `Unknown`. Indices are compared as relations before any boundary is applied, which
// mostly decides; remaining cases are decided by visiting the cells, up to a size.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_VISIBILITY_H
#define LCI_ANALYSIS_VISIBILITY_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

struct Visibility {
  enum class Answer { Visible, Invisible, Unknown };
  Answer answer = Answer::Unknown;
  /// For `Invisible`: a cell and one that it reads without permission.
  SmallVector<int64_t> cell, target;
};

/// Checks a read of a rule or constraint in a bound program against the `visible` lines of its
/// value. At most `maxPoints` pairs of cells are visited. A read whose index is computed from data
/// is `Unknown`.
Visibility analyzeVisibility(ReadOp read, uint64_t maxPoints = uint64_t(1) << 20);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_VISIBILITY_H
