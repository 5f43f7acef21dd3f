//===- Colouring.h - Phases of independent cells ----------------*- C++ -*-===//
//
// The colours of the strategy `recolor`. Two cells are neighbours if a rule or a constraint of
// their value lets one of them read the other. In row-major order, each cell gets the smallest
// colour that none of its earlier neighbours has. Large values have the colours of a lattice.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_COLOURING_H
#define LCI_ANALYSIS_COLOURING_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// Colours by a formula: the colour of a cell by its indices, and the cells of each colour as a set
/// over the indices with the colour as symbol.
struct ColourFormula {
  AffineExpr colour;
  IntegerSet cells;
};

struct Colouring {
  SmallVector<int64_t> extents; ///< of the value
  SmallVector<int64_t> colours; ///< of each cell, in row-major order, unless a formula is known
  int64_t count = 1;
  std::optional<ColourFormula> formula; ///< of a lattice

  int64_t getColour(ArrayRef<int64_t> cell) const;
};

/// Limits of colouring cell by cell.
struct ColouringLimits {
  uint64_t pairs = uint64_t(1) << 24;     ///< of cells to visit at most
  int64_t greedyCells = int64_t(1) << 16; ///< with more, a lattice is searched first
};
/// The most colours of a lattice.
constexpr int64_t kMaxLatticeColours = 64;

/// The read that prevents cells from being coloured one by one.
struct Obstacle {
  ReadOp read;
  bool isTooMany = false; ///< else the cells it reads are unknown
};

/// The colouring of a bound value's cells. Nothing, and an obstacle, if there is no lattice and
/// either some read may be of any cell, because the parameters it depends on are not part of
/// the program, or too many pairs of cells would have to be visited.
std::optional<Colouring> computeColouring(ValueOp value, Obstacle *obstacle = nullptr,
                                          ColouringLimits limits = {});

/// The lattice with the fewest colours that differ wherever one cell may read another (S-LATTICE):
/// a remainder on each axis, else the remainder of a sum of multiples of the indices.
std::optional<Colouring> findLattice(ValueOp value);

/// Reports that the cells of a schedule's value have no colouring, and why.
InFlightDiagnostic emitNoColouring(ScheduleOp schedule, Obstacle obstacle);

/// The parameters on whose elements the colours of a value's cells depend.
SmallVector<ParamOp> getColouringParams(ValueOp value);

/// The cells of each colour as a set over the indices with the colour as symbol, where the colour
/// is a sum of the indices modulo a constant, or combines a separate remainder of each axis.
std::optional<IntegerSet> getColourSet(const Colouring &colouring, ValueOp value);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_COLOURING_H
