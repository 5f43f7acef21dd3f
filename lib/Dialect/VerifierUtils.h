//===- VerifierUtils.h - Checks that several verifiers share --------------===//

#ifndef LCI_LIB_DIALECT_VERIFIERUTILS_H
#define LCI_LIB_DIALECT_VERIFIERUTILS_H

#include "LCI/Dialect/Declarations.h"
#include "mlir/IR/IntegerSet.h"

namespace mlir::lci {

/// The program an operation stands in, or null (a body may be tested outside of one).
inline ProgramOp getProgram(Operation *op) { return op->getParentOfType<ProgramOp>(); }

/// The declaration of that name and kind in the operation's program. Emits an error and returns
/// null if there is none.
template <typename DeclarationOp>
DeclarationOp lookup(SymbolTableCollection &symbols, Operation *op, FlatSymbolRefAttr name,
                     StringRef what) {
  Operation *found = symbols.lookupNearestSymbolFrom(op, name);
  if (auto declaration = dyn_cast_or_null<DeclarationOp>(found))
    return declaration;
  op->emitOpError("expected ") << ErrorId::InvalidReference << what << ", but " << name
                               << (found ? " is something else" : " is not declared");
  return nullptr;
}

/// The terminator of that kind that ends a body, or null.
template <typename TerminatorOp>
TerminatorOp getTerminator(Block &body) {
  return body.empty() ? TerminatorOp() : dyn_cast<TerminatorOp>(&body.back());
}

/// The yield of something that ends a body, which need not be verified yet, or null.
inline YieldOp getYield(Block &body) {
  auto yield = getTerminator<YieldOp>(body);
  return yield && yield->getNumOperands() > 0 ? yield : YieldOp();
}

/// Whether the operation's program, if it is in one, has a palette, region or model of that name.
template <typename NamedOp>
LogicalResult verifyNamed(Operation *op, StringRef name, StringRef what) {
  ProgramOp program = getProgram(op);
  if (!program || program.lookupNamed<NamedOp>(name))
    return success();
  return op->emitOpError("expected a ")
         << ErrorId::InvalidReference << what << ", but '" << name << "' is not declared";
}

/// Whether the forms of a map or set have a value for all indices: what they divide by is a
/// positive number, and products have a number. With sizes, a symbol may stand for one.
LogicalResult verifyForms(Operation *op, ArrayRef<AffineExpr> forms, StringRef what,
                          bool hasSizes = false);

/// Whether a map has one symbol for each size of the operation's program, and such forms.
LogicalResult verifyMap(Operation *op, AffineMap map, StringRef what);

/// Whether each set has that many dimensions, the program's symbols, and forms with a value.
LogicalResult verifySets(Operation *op, ArrayAttr sets, unsigned numDims);

/// Whether there are two limits for each limited free index, and it is one of `numFree`.
LogicalResult verifyLimits(Operation *op, size_t numLimits,
                           std::optional<ArrayRef<int64_t>> limited, unsigned numFree);

/// Whether the first `numIndices` arguments of the body are indices, followed by `rest`.
LogicalResult verifyBodyArguments(Operation *op, Block &body, unsigned numIndices,
                                  TypeRange rest = {});

/// Whether the body ends in a yield of that type, always present unless `mayBeAbsent`.
LogicalResult verifyYield(Operation *op, Block &body, Type type, bool mayBeAbsent = false);

/// Whether what lies in planes has the cells that its layout speaks of, with their halo or alone.
LogicalResult verifyLayout(Operation *op, Type type);

/// Whether an attribute of the dialect on any operation is what its name says, and stands where it
/// may.
LogicalResult verifyDiscardable(Operation *op, NamedAttribute attribute);
/// The same of an argument or a result of a function, whose type need not be known.
LogicalResult verifyDiscardable(Operation *op, NamedAttribute attribute, Type type, bool isResult);
/// Whether an argument holds the cells, and the halo around them, that its attributes speak of.
LogicalResult verifyStorage(Operation *op, unsigned argument, NamedAttribute attribute, Type type);

} // namespace mlir::lci

#endif // LCI_LIB_DIALECT_VERIFIERUTILS_H
