//===- IndexPlaces.h - Which elements two loops' turns name -----*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_INDEXPLACES_H
#define LCI_TRANSFORMS_SUPPORT_INDEXPLACES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::lci {

/// An index as a sum of values and a number, divided by another one without rest.
struct IndexPlace {
  SmallVector<Value> values;
  int64_t number = 0;
  int64_t divisor = 1;

  bool operator==(const IndexPlace &other) const {
    return isBeside(other) && number == other.number;
  }
  /// Whether it is the same but for the number.
  bool isBeside(const IndexPlace &other) const {
    return values == other.values && divisor == other.divisor;
  }
};

/// Takes indices apart; the counters of the second loop stand for those of the first.
class IndexPlaces {
public:
  IndexPlaces(scf::ParallelOp first, scf::ParallelOp second) : loop(first) {
    counters.map(second.getInductionVars(), first.getInductionVars());
  }

  SmallVector<IndexPlace> find(ValueRange indices) {
    return llvm::map_to_vector(indices, [&](Value index) { return find(index); });
  }

private:
  /// What is known of a counter's values: `begin`, `begin + step`, … up to `last`.
  struct Steps {
    int64_t begin, step, last;
  };

  IndexPlace find(Value value);
  IndexPlace findApplied(affine::AffineApplyOp apply, AffineExpr part);
  std::optional<IndexPlace> divide(const IndexPlace &place, int64_t divisor);
  bool isBelow(const IndexPlace &place, int64_t limit);
  std::optional<Steps> getSteps(Value counter);

  scf::ParallelOp loop;
  IRMapping counters;
};

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_INDEXPLACES_H
