//===- IndexDomain.h - Domain of the indices in a body ----------*- C++ -*-===//
//
// At an operation of a body, the cell's indices and the free indices of the enclosing reductions
// and collections take certain values together. This is that set, as a union of affine
// systems; reads and claims of presence are analysed over it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ANALYSIS_INDEXDOMAIN_H
#define LCI_ANALYSIS_INDEXDOMAIN_H

#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Dialect/IndexRange.h"
#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// The indices in scope of an operation and every combination they take in a bound program.
class IndexDomain {
public:
  /// The domain of the operations in the innermost body around `op`. An index that is computed
  /// from data, not an argument of a body, is not in it.
  static IndexDomain around(Operation *op);
  /// The cells of a value that lie in one of the sets; all without sets.
  static IndexDomain ofCells(ValueOp value, std::optional<ArrayAttr> where);
  /// The cells that a constraint on tokens applies to, each with every candidate: one index more.
  static IndexDomain ofVotes(ConstraintOp constraint);
  /// The cells that a capability applies to, and its free indices.
  static IndexDomain ofVisible(VisibleOp visible);

  /// Adds an unknown computed integer after the indices.
  void addUnknown(Value number) { indices.push_back(number); }
  /// Adds another value that is always the number at that position.
  void addSame(Value number, unsigned position) { positionsOfSame[number] = position; }

  /// The cell's indices, then the free ones from the outside in.
  ArrayRef<Value> getIndices() const { return indices; }
  unsigned getNumIndices() const { return indices.size(); }
  /// The number of the cell's indices.
  unsigned getNumCellIndices() const { return numCellIndices; }
  /// The position of an index, or nothing if it is computed.
  std::optional<unsigned> find(Value index) const;

  /// One system for each combination of sets, with the cell's indices as domain variables,
  /// `numRange` further ones as range, the free indices as existential variables, or as further
  /// domain variables with `keepFree`. `visit` gets the linear forms of the indices.
  void forEachSystem(unsigned numRange, function_ref<void(AffineSystem &, ArrayRef<Linear>)> visit,
                     bool keepFree = false) const;
  /// All combinations; free indices are existential.
  presburger::PresburgerRelation getCells() const;
  /// All combinations of cell and free indices.
  presburger::PresburgerRelation getPoints() const;
  /// Computed limits of a free index, at the indices outside of its family, if they are known.
  using LimitReader =
      function_ref<std::optional<IndexRange>(const FreeLimits &, ArrayRef<int64_t> outer)>;
  /// Visits the combinations in lexicographic order until `visit` returns false, which is returned.
  /// Unbounded and computed indices end the visit too. Computed limits count if `limits` reads
  /// them.
  bool visitPoints(function_ref<bool(ArrayRef<int64_t>)> visit, LimitReader limits = nullptr) const;
  /// The same for the free indices of one cell.
  bool visitFree(ArrayRef<int64_t> cell, function_ref<bool(ArrayRef<int64_t>)> visit) const;

private:
  struct Restriction {
    ArrayAttr where;
    SmallVector<IntegerSet> sets;
    SmallVector<int> positions; ///< of each dimension of the sets; -1 if it is computed
    SmallVector<FreeLimits> limits;
  };
  void addCells(ValueOp value, std::optional<ArrayAttr> where, Block::BlockArgListType arguments);
  /// The bounds of free indices that are the same at every point, once they are known; nothing for
  /// those without bounds.
  using Boxes = DenseMap<const Restriction *, std::optional<SmallVector<IndexRange>>>;
  static std::optional<SmallVector<IndexRange>> getFreeBox(const Restriction &family,
                                                           ArrayRef<int64_t> outer, Boxes &boxes);
  bool visitFamilies(ArrayRef<Restriction> rest, SmallVector<int64_t> &point, Boxes &boxes,
                     LimitReader limits, function_ref<bool(ArrayRef<int64_t>)> visit) const;
  void addFamily(Operation *family, ArrayAttr where, OperandRange outer);
  AffineSystem getSystem(ArrayRef<unsigned> choice, unsigned numRange, bool keepFree,
                         SmallVector<Linear> &forms) const;

  SmallVector<Value> indices;
  DenseMap<Value, unsigned> positionsOfSame; ///< of values that are always an index
  unsigned numCellIndices = 0;
  SmallVector<int64_t> extents; ///< of the cell's indices
  SmallVector<Restriction> restrictions;
};

/// The largest number of members that a family has at any cell, or nothing if it cannot be counted
/// within a bounded effort or is infinite.
std::optional<int64_t> getLargestFamily(CollectOp collect);
std::optional<int64_t> getLargestFamily(ReduceOp reduce);

} // namespace mlir::lci

#endif // LCI_ANALYSIS_INDEXDOMAIN_H
