//===- KnownIntegers.h - Integers known at compile time ---------*- C++ -*-===//
//
// Integers that a body computes from its indices alone, and from parameters whose elements are part
// of the bound program, are computed at compile time: the cells of a gathering read, and the limits
// of the members it iterates over.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_KNOWNINTEGERS_H
#define LCI_ANALYSIS_KNOWNINTEGERS_H

#include "LCI/Analysis/IndexDomain.h"

namespace mlir::lci {

/// Computes integers of a body at points of its indices.
class KnownIntegers {
public:
  explicit KnownIntegers(const IndexDomain &domain) : domain(domain) {}

  /// The integer at a point, which may lack indices that it does not depend on; nothing if it
  /// depends on values that only a run knows.
  std::optional<int64_t> get(Value value, ArrayRef<int64_t> point);
  /// Both limits of a free index at the indices outside of its family.
  std::optional<IndexRange> getLimits(const FreeLimits &limits, ArrayRef<int64_t> outer);

private:
  using Compute = std::function<int64_t(ArrayRef<int64_t> operands)>;
  /// One operation on earlier steps; without a function, an index.
  struct Step {
    Compute compute;
    SmallVector<unsigned, 2> operands;
    unsigned index = 0;
  };
  using Formula = std::vector<Step>;

  std::optional<unsigned> addStep(Value value, Formula &formula,
                                  DenseMap<Value, unsigned> &steps) const;
  std::optional<Formula> makeFormula(Value value) const;

  const IndexDomain &domain;
  DenseMap<Value, std::optional<Formula>> formulas;
};

/// The parameters on which the cells of a read depend.
SmallVector<ParamOp> getGatheringParams(ReadOp read);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_KNOWNINTEGERS_H
