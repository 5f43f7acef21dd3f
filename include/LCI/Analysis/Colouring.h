//===- Colouring.h - Phases in which no cell reads another ------*- C++ -*-===//
//
// The colours of the strategy `recolor`. Two cells are neighbours if a rule or a constraint of
// their value lets one of them read the other. In row-major order, each cell gets the smallest
// colour that none of its earlier neighbours has.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_COLOURING_H
#define LCI_ANALYSIS_COLOURING_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

struct Colouring {
  SmallVector<int64_t> colours; ///< of each cell, in row-major order
  int64_t count = 1;
};

/// So many pairs of cells are visited at most.
constexpr uint64_t kMaxPairs = uint64_t(1) << 24;

/// The greedy colouring of a bound value's cells. Nothing if some read may be of any cell, as long
/// as the parameters that say which are not part of the program, or if more than `maxPairs` pairs
/// of cells would have to be visited.
std::optional<Colouring> computeColouring(ValueOp value, uint64_t maxPairs = kMaxPairs);

/// Says that the cells of a schedule's value have no colouring, and why.
InFlightDiagnostic emitNoColouring(ScheduleOp schedule);

/// What is wrong with a run that gives such a parameter other elements; its name and a quote
/// follow.
constexpr llvm::StringLiteral kOtherElements =
    "expected the elements that the program was bound with, because phases follow from them, for "
    "the parameter '";

/// The parameters whose elements the colours of a value's cells follow from.
SmallVector<ParamOp> getColouringParams(ValueOp value);

/// The cells of each colour as a set over the indices with the colour as symbol, where they are a
/// sum of the indices by a modulus, or a remainder on each axis by itself.
std::optional<IntegerSet> getColourSet(const Colouring &colouring, ValueOp value);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_COLOURING_H
