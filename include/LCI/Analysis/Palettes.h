//===- Palettes.h - Which tokens a palette is asked about -------*- C++ -*-===//
//
// A palette is a set of tokens of one vocabulary, which no declaration names: it is that of the
// values whose tokens the palette is asked about.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_PALETTES_H
#define LCI_ANALYSIS_PALETTES_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The largest vocabulary that a bound program asks the palette about, at least 1: of the value of
/// the rule or constraint that asks, else (in an observer) of the values read there.
int64_t getPaletteSize(ProgramOp program, StringRef palette);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_PALETTES_H
