//===- VerifierUtils.h - Checks shared by verifiers -------------*- C++ -*-===//
//
// Lookups of declarations with diagnostics, and checks of affine forms, bodies, layouts and
// attributes that several verifiers of the dialect need.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_DIALECT_VERIFIERUTILS_H
#define LCI_LIB_DIALECT_VERIFIERUTILS_H

#include "LCI/Dialect/Declarations.h"
#include "mlir/IR/IntegerSet.h"

namespace mlir::lci {

/// The program around an operation, or null (a body may be tested outside of one).
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

/// The yield of at least one value that ends a body and need not be verified yet, or null.
inline YieldOp getYield(Block &body) {
  auto yield = getTerminator<YieldOp>(body);
  return yield && yield->getNumOperands() > 0 ? yield : YieldOp();
}

/// Verifies that the operation's program, if any, has a palette, region or model of that name.
template <typename NamedOp>
LogicalResult verifyNamed(Operation *op, StringRef name, StringRef what) {
  ProgramOp program = getProgram(op);
  if (!program || program.lookupNamed<NamedOp>(name))
    return success();
  return op->emitOpError("expected a ")
         << ErrorId::InvalidReference << what << ", but '" << name << "' is not declared";
}

/// Verifies that the forms of a map or set are defined for all indices: divisors are positive
/// constants, and products have a constant factor. With sizes, a symbol may be used instead.
LogicalResult verifyForms(Operation *op, ArrayRef<AffineExpr> forms, StringRef what,
                          bool hasSizes = false);

/// Verifies that a map has one symbol for each size of the operation's program, and such forms.
LogicalResult verifyMap(Operation *op, AffineMap map, StringRef what);

/// Verifies that each set has that many dimensions, the program's symbols, and such forms.
LogicalResult verifySets(Operation *op, ArrayAttr sets, unsigned numDims);

/// Verifies that there are two limits for each limited free index, which is one of `numFree`.
LogicalResult verifyLimits(Operation *op, size_t numLimits,
                           std::optional<ArrayRef<int64_t>> limited, unsigned numFree);

/// Verifies that the first `numIndices` arguments of the body are indices, followed by `rest`.
LogicalResult verifyBodyArguments(Operation *op, Block &body, unsigned numIndices,
                                  TypeRange rest = {});

/// Verifies that the body yields that type at its end, always present unless `mayBeAbsent`.
LogicalResult verifyYield(Operation *op, Block &body, Type type, bool mayBeAbsent = false);

/// Verifies that a memref with a layout has the layout's cells, with their halo or alone.
LogicalResult verifyLayout(Operation *op, Type type);

/// Verifies that an attribute of the dialect on any operation has the form of its name, and a
/// permitted position.
LogicalResult verifyDiscardable(Operation *op, NamedAttribute attribute);
/// The same for an argument or a result of a function, whose type need not be known.
LogicalResult verifyDiscardable(Operation *op, NamedAttribute attribute, Type type, bool isResult);
/// Verifies that an argument holds the cells, and the halo around them, that its attributes state.
LogicalResult verifyStorage(Operation *op, unsigned argument, NamedAttribute attribute, Type type);

/// Whether a strided range lies within an axis of `size` cells, as far as numbers are known; an
/// empty one may begin at the end.
bool isWithin(int64_t offset, int64_t extent, int64_t stride, int64_t size);

} // namespace mlir::lci

#endif // LCI_LIB_DIALECT_VERIFIERUTILS_H
