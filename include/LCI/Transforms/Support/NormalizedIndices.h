//===- NormalizedIndices.h - Compare indices of two parallel loops -*- C++ -*-===//
//
// Normalizes an index to (sum of values + constant) / divisor, so that accesses
// in two parallel loops with equal bounds can be compared. Casts and limits
// that have no effect for the range of the induction variables are looked
// through.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_NORMALIZEDINDICES_H
#define LCI_TRANSFORMS_SUPPORT_NORMALIZEDINDICES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// An index as a sum of values and a constant, divided exactly by another constant.
struct NormalizedIndex {
  SmallVector<Value> values;
  int64_t number = 0;
  int64_t divisor = 1;

  bool operator==(const NormalizedIndex &other) const {
    return isBeside(other) && number == other.number;
  }
  /// Whether two indices differ by a constant at most.
  bool isBeside(const NormalizedIndex &other) const {
    return values == other.values && divisor == other.divisor;
  }
};

/// Normalizes indices; induction variables of the second loop are replaced by those of the first.
class NormalizedIndices {
public:
  NormalizedIndices(scf::ParallelOp first, scf::ParallelOp second) : loop(first) {
    firstVariables.map(second.getInductionVars(), first.getInductionVars());
  }

  SmallVector<NormalizedIndex> find(ValueRange indices) {
    return llvm::map_to_vector(indices, [&](Value index) { return find(index); });
  }

private:
  /// The range of an induction variable: `begin`, `begin + step`, … up to `last`.
  struct Steps {
    int64_t begin, step, last;
  };

  NormalizedIndex find(Value value);
  NormalizedIndex findApplied(affine::AffineApplyOp apply, AffineExpr part);
  std::optional<NormalizedIndex> divide(const NormalizedIndex &place, int64_t divisor);
  bool isBelow(const NormalizedIndex &place, int64_t limit);
  std::optional<Steps> getSteps(Value variable);

  scf::ParallelOp loop;
  IRMapping firstVariables;
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_NORMALIZEDINDICES_H
