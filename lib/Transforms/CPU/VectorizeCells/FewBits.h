//===- FewBits.h - Vectors of numbers in few bits ---------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_FEWBITS_H
#define LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_FEWBITS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::lci::vectorize {

/// Comparisons and selections of what was extended, or made a float, are of what it was before.
void populateFewBitsPatterns(RewritePatternSet &patterns);

} // namespace mlir::lci::vectorize

#endif // LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_FEWBITS_H
