//===- ColourFormulas.h - Regular colours and lattices ----------*- C++ -*-===//
//
// Formulas for the colours of a value's cells, as sets that ticks can use, and the search for a
// lattice; shared by the files of the colouring analysis.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_COLOURFORMULAS_H
#define LCI_LIB_ANALYSIS_COLOURFORMULAS_H

#include "LCI/Analysis/Colouring.h"

namespace mlir::lci {

/// (Σ step · index) mod count.
ColourFormula getSumFormula(ArrayRef<int64_t> steps, int64_t count, MLIRContext *context);
/// Σ step · (index mod period), over the axes whose step is not zero.
ColourFormula getDigitFormula(ArrayRef<int64_t> steps, ArrayRef<int64_t> periods,
                              MLIRContext *context);

/// The lattice of the cells that some reads of their own value tie.
std::optional<Colouring> findLattice(ValueOp value, ArrayRef<ReadOp> reads);

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_COLOURFORMULAS_H
