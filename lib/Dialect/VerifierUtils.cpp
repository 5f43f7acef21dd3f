//===- VerifierUtils.cpp - Checks shared by verifiers ---------------------===//
//
// Affine forms with defined divisors that fit 64 bits, numbers of symbols and dimensions, limits of
// free indices, arguments and yielded types of bodies.
//
//===----------------------------------------------------------------------===//

#include "VerifierUtils.h"
#include "LCI/Dialect/IndexRange.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

/// Whether a subexpression has a value, if its subexpressions have one.
static bool isDefined(AffineExpr part, bool hasSizes) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(part);
  if (!binary || binary.getKind() == AffineExprKind::Add)
    return true;
  AffineExpr right = binary.getRHS();
  auto number = dyn_cast<AffineConstantExpr>(right);
  if (!number)
    return hasSizes && right.isSymbolicOrConstant();
  return binary.getKind() == AffineExprKind::Mul || number.getValue() > 0;
}

/// Verifies that no index overflows 64 bits. Forms with unbound sizes are verified after binding.
static LogicalResult verifyFit(Operation *op, ArrayRef<AffineExpr> forms, StringRef what) {
  for (AffineExpr form : forms) {
    int64_t lastDim = -1, lastSymbol = -1;
    getMaxDimAndSymbol<ArrayRef<AffineExpr>>({ArrayRef(form)}, lastDim, lastSymbol);
    if (lastSymbol >= 0 || fitsIndices(form, lastDim + 1))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << form;
    return op->emitOpError("expected indices that 64 bits hold in ")
           << ErrorId::InvalidAttribute << what << ", but got " << text;
  }
  return success();
}

LogicalResult mlir::lci::verifyForms(Operation *op, ArrayRef<AffineExpr> forms, StringRef what,
                                     bool hasSizes) {
  AffineExpr undefined;
  for (AffineExpr form : forms)
    form.walk([&](AffineExpr part) {
      if (!isDefined(part, hasSizes))
        undefined = part;
    });
  if (!undefined)
    return verifyFit(op, forms, what);
  std::string text;
  llvm::raw_string_ostream(text) << undefined;
  StringRef rule =
      undefined.getKind() == AffineExprKind::Mul ? "factors that are numbers" : "positive divisors";
  return op->emitOpError("expected ")
         << ErrorId::InvalidAttribute << rule << " in " << what << ", but got " << text;
}

/// Verifies that affine forms have one symbol for each size of the program.
static LogicalResult verifySymbols(Operation *op, unsigned numSymbols, ArrayRef<AffineExpr> forms,
                                   StringRef what) {
  ProgramOp program = getProgram(op);
  if (program && numSymbols != program.getNumSymbols())
    return op->emitOpError("expected ")
           << ErrorId::InvalidAttribute << what << " with " << program.getNumSymbols()
           << " symbols, one for each unbound size of the program, but got " << numSymbols;
  return verifyForms(op, forms, what, program && !program.isBound());
}

LogicalResult mlir::lci::verifyMap(Operation *op, AffineMap map, StringRef what) {
  return verifySymbols(op, map.getNumSymbols(), map.getResults(), what);
}

LogicalResult mlir::lci::verifySets(Operation *op, ArrayAttr sets, unsigned numDims) {
  for (Attribute attribute : sets) {
    IntegerSet set = cast<IntegerSetAttr>(attribute).getValue();
    if (set.getNumDims() != numDims)
      return op->emitOpError("expected sets of ")
             << ErrorId::InvalidAttribute << numDims << " dimensions, but got " << set.getNumDims();
    if (failed(verifySymbols(op, set.getNumSymbols(), set.getConstraints(), "a set")))
      return failure();
  }
  return success();
}

LogicalResult mlir::lci::verifyLimits(Operation *op, size_t numLimits,
                                      std::optional<ArrayRef<int64_t>> limited, unsigned numFree) {
  ArrayRef<int64_t> free = limited.value_or(ArrayRef<int64_t>());
  if (numLimits != 2 * free.size())
    return op->emitOpError("expected two limits for each limited index, but got ")
           << ErrorId::InvalidAttribute << numLimits << " for " << free.size();
  for (int64_t position : free)
    if (position < 0 || position >= numFree)
      return op->emitOpError("expected limits of free indices 0 to ")
             << ErrorId::InvalidAttribute << static_cast<int64_t>(numFree) - 1 << ", but got "
             << position;
  return success();
}

LogicalResult mlir::lci::verifyBodyArguments(Operation *op, Block &body, unsigned numIndices,
                                             TypeRange rest) {
  SmallVector<Type> expected(numIndices, IndexType::get(op->getContext()));
  llvm::append_range(expected, rest);
  if (TypeRange(body.getArgumentTypes()) == TypeRange(expected))
    return success();
  return op->emitOpError("expected a body over (")
         << ErrorId::InvalidBody << expected << "), but got (" << body.getArgumentTypes() << ")";
}

LogicalResult mlir::lci::verifyYield(Operation *op, Block &body, Type type, bool mayBeAbsent) {
  auto yield = getYield(body);
  if (!yield)
    return op->emitOpError("expected a body that ends in 'lci.yield'") << ErrorId::InvalidBody;
  if (yield.getValue().getType() != type)
    return op->emitOpError("expected a body that yields ")
           << ErrorId::InvalidBody << type << ", but got " << yield.getValue().getType();
  // The body is verified after this: only the type of its first operand is known.
  if (!mayBeAbsent && yield->getNumOperands() > 1)
    return op->emitOpError("expected a body that always yields a value, but it may be absent")
           << ErrorId::InvalidBody;
  return success();
}

bool mlir::lci::isWithin(int64_t offset, int64_t extent, int64_t stride, int64_t size) {
  bool isOpen = ShapedType::isDynamic(size);
  int64_t first = ShapedType::isDynamic(offset) ? 0 : offset;
  if (first < 0 || (!isOpen && first > size))
    return false;
  if (ShapedType::isDynamic(extent) || extent == 0)
    return true;
  std::optional<int64_t> last = llvm::checkedMulAdd(extent - 1, stride, first);
  return extent > 0 && last && (isOpen || *last < size);
}
