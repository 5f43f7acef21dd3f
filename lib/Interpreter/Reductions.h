//===- Reductions.h - Reduce the members of a family ------------*- C++ -*-===//
//
// Reduces the members of a family to one value, in the order that docs/semantics.md defines, for
// bodies and observers.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_INTERPRETER_REDUCTIONS_H
#define LCI_LIB_INTERPRETER_REDUCTIONS_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Datum.h"

namespace mlir::lci {

/// Combines the members of a family (S-REDUCE).
class Reducer {
public:
  /// `type` is that of the members; `usesTree` selects the observers' fixed tree (S-TREE).
  Reducer(Reduction kind, Type type, bool usesTree) : kind(kind), type(type), usesTree(usesTree) {}

  /// The next member; nothing if it is absent.
  void add(int64_t rank, std::optional<Datum> member);
  /// The result; nothing if it is absent.
  std::optional<Datum> finish() const;
  /// The stored content of an absent result.
  Datum getAbsent() const;

private:
  bool isFloat() const { return isa<FloatType>(getElementTypeOrSelf(type)); }
  std::optional<Datum> combineAll() const;
  std::optional<Datum> combineTree(ArrayRef<std::optional<Datum>> part) const;
  Datum combine(const Datum &left, const Datum &right) const;
  uint64_t combineScalars(uint64_t left, uint64_t right) const;
  /// Of vectors, component by component, each with a separate reducer.
  std::optional<Datum> reduceComponents() const;
  std::optional<Datum> finishScalar() const;
  std::optional<Datum> findBest() const;
  std::optional<Datum> getMean() const;

  Reduction kind;
  Type type;
  bool usesTree;
  std::vector<std::optional<Datum>> members;
};

} // namespace mlir::lci

#endif // LCI_LIB_INTERPRETER_REDUCTIONS_H
