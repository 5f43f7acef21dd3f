//===- Families.h - Enumerate the members of families -----------*- C++ -*-===//
//
// Lists the solutions of a union of integer sets in row-major order. Exact and slow: bounds come
// from linear programming, and then every tuple within them is tested.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_FAMILIES_H
#define LCI_INTERPRETER_FAMILIES_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/IntegerSet.h"
#include <map>
#include <vector>

namespace mlir::lci {

/// The value of an affine expression over dimensions and symbols.
int64_t evaluateAffine(AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols = {});
/// The results of a map.
SmallVector<int64_t> evaluateMap(AffineMap map, ArrayRef<int64_t> dims);
/// Whether a point lies in a set, or in one set of a union.
bool isInSet(IntegerSet set, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols = {});
bool isInUnion(ArrayAttr sets, ArrayRef<int64_t> dims);

/// The bounds of a free index, in addition to the sets.
struct MemberLimit {
  unsigned free;
  int64_t low, high;
};
/// Whether a member is within all limits.
bool isWithin(ArrayRef<int64_t> member, ArrayRef<MemberLimit> limits);

/// Tuples of free indices, stored consecutively.
struct Members {
  unsigned numFree = 0;
  int64_t count = 0;
  std::vector<int64_t> flat;
  ArrayRef<int64_t> operator[](int64_t rank) const {
    return ArrayRef<int64_t>(flat).slice(rank * numFree, numFree);
  }
  /// The first member that may be within the limits, and the one after the last: limits of the
  /// first free index are found by binary search.
  std::pair<int64_t, int64_t> getWithin(ArrayRef<MemberLimit> limits) const;
};

/// Finds members and caches them.
class Families {
public:
  /// The solutions of `where` over (outer, free) for these outer indices; null if there are
  /// infinitely many.
  const Members *find(ArrayAttr where, ArrayRef<int64_t> outer, unsigned numFree);

private:
  /// The key: the union, the number of free indices, and the outer indices that the union depends
  /// on.
  using Union = std::pair<const void *, unsigned>;
  std::map<std::pair<Union, std::vector<int64_t>>, Members> known;
  std::map<Union, std::vector<bool>> used;
  const std::vector<bool> &getUsedOuter(ArrayAttr where, unsigned numOuter, Union key);
};

} // namespace mlir::lci

#endif // LCI_INTERPRETER_FAMILIES_H
