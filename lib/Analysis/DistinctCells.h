//===- DistinctCells.h - Pairs of different cells ---------------*- C++ -*-===//

#ifndef LCI_LIB_ANALYSIS_DISTINCTCELLS_H
#define LCI_LIB_ANALYSIS_DISTINCTCELLS_H

#include "LCI/Analysis/AffineSystem.h"

namespace mlir::lci {

/// Calls `visit` with systems whose union is where two cells differ in some axis.
inline void forEachDistinct(const AffineSystem &system, ArrayRef<Linear> first,
                            ArrayRef<Linear> second,
                            function_ref<void(const AffineSystem &)> visit) {
  for (unsigned axis = 0; axis < first.size(); ++axis) {
    for (int sign : {1, -1}) {
      AffineSystem distinct = system;
      distinct.addNonNegative((second[axis] - first[axis]) * sign - Linear(1));
      if (!distinct.isEmptyOverRationals())
        visit(distinct);
    }
  }
}

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_DISTINCTCELLS_H
