//===- FewBits.h - Narrow the numbers of vectors ----------------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_FEWBITS_H
#define LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_FEWBITS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::lci::vectorize {

/// Comparisons and selections of values that were extended or converted to float move before the
/// conversion.
void populateFewBitsPatterns(RewritePatternSet &patterns);

} // namespace mlir::lci::vectorize

#endif // LCI_LIB_TRANSFORMS_CPU_VECTORIZECELLS_FEWBITS_H
