//===- DeclarationIndex.h - Fast lookup of declarations ---------*- C++ -*-===//
//
// A program is a list of declarations without an order, and a lookup by name walks the whole list.
// A pass that looks up each of n declarations would take n² time. It creates an index first, which
// answers the same lookups in constant time.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_DECLARATIONINDEX_H
#define LCI_DIALECT_DECLARATIONINDEX_H

#include "LCI/Dialect/LCIOps.h"

namespace mlir::lci {

/// While one lives, `ProgramOp::lookupValue` and `getDeclarationsOn` use it, on this thread and for
/// its program. No declaration may be added, removed or renamed meanwhile.
class DeclarationIndex {
public:
  explicit DeclarationIndex(ProgramOp program);
  ~DeclarationIndex();
  DeclarationIndex(const DeclarationIndex &) = delete;
  DeclarationIndex &operator=(const DeclarationIndex &) = delete;

  /// The index of a program, or null if there is none now.
  static const DeclarationIndex *find(ProgramOp program);

  /// A value by its name, or null.
  ValueOp lookupValue(StringRef name) const { return values.lookup(name); }
  /// All declarations on a value, in the order of the text.
  ArrayRef<Operation *> getDeclarationsOn(StringRef value) const;

private:
  ProgramOp program;
  const DeclarationIndex *outer; ///< the index in use before this one
  llvm::StringMap<ValueOp> values;
  llvm::StringMap<SmallVector<Operation *, 4>> declarations;
};

/// The declaration of the program that contains an operation, or is it.
Operation *getDeclaration(Operation *op);

/// The name of the value that a declaration is on; empty where it is on none.
StringRef getValueOf(Operation *declaration);

/// The rules, the `visible` lines, the constraints, … on a value, in the order of the text.
template <typename DeclarationOp>
SmallVector<DeclarationOp> getDeclarationsOn(ProgramOp program, StringRef value) {
  SmallVector<DeclarationOp> found;
  if (const DeclarationIndex *index = DeclarationIndex::find(program)) {
    for (Operation *declaration : index->getDeclarationsOn(value))
      if (auto wanted = dyn_cast<DeclarationOp>(declaration))
        found.push_back(wanted);
    return found;
  }
  for (auto declaration : program.getOps<DeclarationOp>())
    if (getValueOf(declaration) == value)
      found.push_back(declaration);
  return found;
}

/// The schedule, the commit, … on a value: the only one of its kind, or null.
template <typename DeclarationOp>
DeclarationOp findDeclarationOn(ProgramOp program, StringRef value) {
  SmallVector<DeclarationOp> all = getDeclarationsOn<DeclarationOp>(program, value);
  return all.empty() ? nullptr : all.front();
}

} // namespace mlir::lci

#endif // LCI_DIALECT_DECLARATIONINDEX_H
