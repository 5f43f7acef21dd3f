//===- Relations.h - Reads and capabilities as relations --------*- C++ -*-===//
//
// Reads and capabilities of a bound program as relations from cells to cells, exactly: affine maps,
// unions of sets, extents and boundaries. A boundary restricts (open), takes the remainder (wrap)
// or the nearest cell (clamp) of the index that the map gives.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_RELATIONS_H
#define LCI_ANALYSIS_RELATIONS_H

#include "LCI/Analysis/IndexDomain.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::lci {

/// The boundary of an axis, and its extent.
struct Axis {
  int64_t extent;
  Boundary boundary;
};
SmallVector<Axis> getAxes(ValueOp value);

/// Relates an index beyond the borders to the cells it refers to: calls `visit` with a system for
/// each case. `position` is where the target's variables start in the range.
void forEachTarget(const AffineSystem &system, ArrayRef<Linear> indices, ArrayRef<Axis> axes,
                   unsigned position, function_ref<void(const AffineSystem &)> visit);

/// Whether a relation's range is the index that a map gives (inside open borders), or the cell
/// after the boundary.
enum class Target { Index, Cell };

/// The axes on which a read's index is computed and unknown; nothing if one is computed in part.
std::optional<llvm::SmallBitVector> findComputed(ReadOp read, const IndexDomain &domain);

/// From the cells of the body's value to those of the source that `read` may read: any cell of an
/// axis on which the index is computed. Nothing if an index is computed in part.
std::optional<presburger::PresburgerRelation> getReadRelation(ReadOp read, Target target);
/// From the cells of a value to those that the capability lets them read; any cell of an axis on
/// which it gathers, and whatever its limits.
presburger::PresburgerRelation getVisibleRelation(VisibleOp visible, Target target);

/// Visits the cells that a capability lets one cell read, with duplicates, until `visit` returns
/// false, which is returned. An index that is gathered is `kAnyCell`: any cell of its axis.
bool visitVisible(VisibleOp visible, ArrayRef<int64_t> cell,
                  function_ref<bool(ArrayRef<int64_t> target)> visit);
inline constexpr int64_t kAnyCell = -1;

/// A first point of `inner` that is not in `outer`, or nothing if `inner` is a subset.
std::optional<SmallVector<int64_t>> findOutside(const presburger::PresburgerRelation &inner,
                                                const presburger::PresburgerRelation &outer);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_RELATIONS_H
