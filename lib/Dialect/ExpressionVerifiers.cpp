//===- ExpressionVerifiers.cpp - Verifiers of expressions -----------------===//
//
// Verifiers of the operations in bodies of declarations: emit, reads, families, model calls,
// formulas and parameters. They check references to declarations, numbers of indices, and types
// against the kinds of values.
//
//===----------------------------------------------------------------------===//

#include "VerifierUtils.h"

using namespace mlir;
using namespace mlir::lci;

LogicalResult EmitOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (getAny() == static_cast<bool>(getProposal()))
    return emitOpError("expected either 'any' or a proposal") << ErrorId::InvalidAttribute;
  if (getRange() && !getAny())
    return emitOpError("has a range, which stands with 'any' only") << ErrorId::InvalidAttribute;
  if (getRange() && (getRange()->getNumDims() != 0 || getRange()->getNumResults() != 2))
    return emitOpError("expected a range of two results over the sizes")
           << ErrorId::InvalidAttribute;
  if (getRange() && failed(verifyMap(*this, *getRange(), "a range")))
    return failure();
  auto rule = cast<RuleOp>((*this)->getParentOp());
  auto value = lookup<ValueOp>(symbols, rule, rule.getValueAttr(), "a value");
  if (!value)
    return failure();
  Type cell = value.getCellType();
  if (getAny() && value.getKind() != Kind::Token)
    return emitOpError("proposes any token of ")
           << ErrorId::InvalidReference << rule.getValueAttr() << ", which holds "
           << stringifyKind(value.getKind());
  if (getProposal() && getProposal().getType() != cell && !isa<AnswerType>(getProposal().getType()))
    return emitOpError("expected a proposal of type ")
           << ErrorId::InvalidTypes << cell << ", but got " << getProposal().getType();
  if (getScore().empty())
    return success();
  if (failed(verifyBodyArguments(*this, getScore().front(), 0, cell)))
    return failure();
  auto yield = getYield(getScore().front());
  if (!yield || !isa<Float32Type, AnswerType>(yield.getValue().getType()))
    return emitOpError("expected a score that yields f32 or an answer") << ErrorId::InvalidBody;
  return success();
}

/// The declaration that contains an operation, or null.
static Operation *getDeclarationAround(Operation *op) {
  while (op && !isa_and_nonnull<ProgramOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

LogicalResult ReadOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *declaration = getDeclarationAround(*this);
  if (declaration && !hasSnapshot(declaration))
    return emitOpError(
               "expected a rule, a constraint, a formula or an observer around it, but got ")
           << ErrorId::InvalidReference << "'" << declaration->getName() << "'";
  auto value = lookup<ValueOp>(symbols, *this, getValueAttr(), "a value");
  if (!value)
    return failure();
  if (value.isSet())
    return emitOpError("reads ") << ErrorId::InvalidReference << getValueAttr()
                                 << ", which is a set";
  AffineMap map = getMap();
  if (map.getNumResults() != value.getRank())
    return emitOpError("expected a map to ") << ErrorId::InvalidAttribute << value.getRank()
                                             << " axes, but got " << map.getNumResults();
  if (map.getNumDims() != getIndices().size())
    return emitOpError("expected ") << ErrorId::InvalidAttribute << map.getNumDims()
                                    << " indices, but got " << getIndices().size();
  if (getResult().getType() != value.getCellType())
    return emitOpError("expected a result of type ")
           << ErrorId::InvalidTypes << value.getCellType() << ", but got " << getResult().getType();
  return verifyMap(*this, map, "a map");
}

/// The common part of families: free indices and rank in the body, sets over outer and free,
/// limits.
template <typename FamilyOp>
static LogicalResult verifyFamily(FamilyOp op) {
  Block &body = op.getBody().front();
  if (body.getNumArguments() == 0)
    return op.emitOpError("expected a body over the free indices and the rank")
           << ErrorId::InvalidBody;
  if (!getYield(body))
    return op.emitOpError("expected a body that ends in 'lci.yield'") << ErrorId::InvalidBody;
  unsigned numFree = body.getNumArguments() - 1;
  if (failed(verifyBodyArguments(op, body, numFree + 1)) ||
      failed(verifyLimits(op, op.getLimits().size(), op.getLimited(), numFree)))
    return failure();
  return verifySets(op, op.getWhere(), op.getOuter().size() + numFree);
}

/// The result type of a reduction over members of a type.
static Type getReducedType(Reduction kind, Type member) {
  Builder builder(member.getContext());
  if (isa<RankedTensorType>(member))
    return member;
  switch (kind) {
  case Reduction::Count:
  case Reduction::ArgMin:
  case Reduction::ArgMax:
    return builder.getI64Type();
  case Reduction::Any:
  case Reduction::All:
    return builder.getI1Type();
  case Reduction::Mean:
    return builder.getF32Type();
  default:
    return member;
  }
}

LogicalResult ReduceOp::verify() {
  Block &body = getBody().front();
  if (failed(verifyFamily(*this)))
    return failure();
  Type member = cast<YieldOp>(body.getTerminator()).getValue().getType();
  bool wantsTruth =
      getKind() == Reduction::Count || getKind() == Reduction::Any || getKind() == Reduction::All;
  bool isTruth = getElementTypeOrSelf(member).isInteger(1);
  if (getKind() == Reduction::Count && isa<RankedTensorType>(member))
    return emitOpError("expected a body of truth values for count, but got ")
           << ErrorId::InvalidBody << member;
  if (wantsTruth && !isTruth)
    return emitOpError("expected a body of truth values for ")
           << ErrorId::InvalidBody << stringifyReduction(getKind()) << ", but got " << member;
  if (!wantsTruth && isTruth)
    return emitOpError("expected a body of numbers for ")
           << ErrorId::InvalidBody << stringifyReduction(getKind()) << ", but got " << member;
  Type expected = getReducedType(getKind(), member);
  if (getResult().getType() != expected)
    return emitOpError("expected a result of type ")
           << ErrorId::InvalidTypes << expected << ", but got " << getResult().getType();
  return success();
}

LogicalResult CollectOp::verify() {
  Block &body = getBody().front();
  if (failed(verifyFamily(*this)))
    return failure();
  auto members = cast<RankedTensorType>(getMembers().getType());
  auto present = cast<RankedTensorType>(getPresent().getType());
  if (members.getDimSize(0) != present.getDimSize(0))
    return emitOpError("expected results of one length, but got ")
           << ErrorId::InvalidTypes << members << " and " << present;
  Type member = cast<YieldOp>(body.getTerminator()).getValue().getType();
  if (members.getElementType() != member)
    return emitOpError("expected members of type ")
           << ErrorId::InvalidTypes << member << ", but got " << members.getElementType();
  return success();
}

LogicalResult DeclareReadOp::verify() { return verifyFamily(*this); }

LogicalResult GatherOp::verify() {
  auto visible = cast<VisibleOp>((*this)->getParentOp());
  auto program = getProgram(*this);
  ValueOp value = program ? program.lookupValue(visible.getValue()) : ValueOp();
  unsigned numCell = value ? value.getRank() : 0;
  unsigned numArguments = visible.getBody().getNumArguments();
  return verifyLimits(*this, getLimits().size(), getLimited(),
                      numArguments - std::min(numCell, numArguments));
}

LogicalResult EvaluateOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyNamed<ModelOp>(*this, getModel(), "model");
}

LogicalResult EvaluateOp::verify() {
  TypeRange types = getAnswers().getTypes();
  bool one = types.size() == 1 && (isa<AnswerType, RankedTensorType>(types[0]) ||
                                   types[0].isInteger(64) || types[0].isF32());
  bool two = types.size() == 2 && types[0].isInteger(64) && types[1].isF32();
  if (!one && !two)
    return emitOpError("expected an answer, a token, a token and a number, or logits, but got (")
           << ErrorId::InvalidTypes << types << ")";
  return success();
}

LogicalResult ApplyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  ProgramOp program = getProgram(*this);
  if (program && program.isBound() && !(*this)->getParentOfType<DefOp>())
    return emitOpError("expected a formula that is written out, as in all bound programs")
           << ErrorId::InvalidReference;
  auto formula = lookup<DefOp>(symbols, *this, getFormulaAttr(), "a formula");
  if (!formula)
    return failure();
  Block &body = formula.getBody().front();
  if (body.getNumArguments() != getIndices().size())
    return emitOpError("expected ") << ErrorId::InvalidAttribute << body.getNumArguments()
                                    << " indices, but got " << getIndices().size();
  auto yield = getYield(body);
  if (!yield)
    return emitOpError("expected a formula that ends in 'lci.yield'") << ErrorId::InvalidBody;
  Type type = yield.getValue().getType();
  if (getResult().getType() != type)
    return emitOpError("expected a result of type ")
           << ErrorId::InvalidTypes << type << ", but got " << getResult().getType();
  return success();
}

LogicalResult SizeOp::verify() {
  ProgramOp program = getProgram(*this);
  if (!program || llvm::is_contained(program.getSizes().getAsValueRange<StringAttr>(), getName()))
    return success();
  return emitOpError("expected a size of the program, but there is no '")
         << ErrorId::InvalidReference << getName() << "'";
}

LogicalResult ParamValueOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto param = lookup<ParamOp>(symbols, *this, getParamAttr(), "a parameter");
  if (!param)
    return failure();
  if (!getIndices().empty() && getIndices().size() != param.getRank())
    return emitOpError("expected ") << ErrorId::InvalidAttribute << param.getRank()
                                    << " indices, but got " << getIndices().size();
  bool whole = param.getRank() != 0 && getIndices().empty();
  Type type = getResult().getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (whole != static_cast<bool>(tensor) || getElementTypeOrSelf(type) != param.getElementType() ||
      (tensor && tensor.getRank() != param.getRank()))
    return emitOpError("expected ") << ErrorId::InvalidTypes << (whole ? "the array" : "an element")
                                    << " of " << getParamAttr() << ", but got " << type;
  return success();
}

LogicalResult InPaletteOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyNamed<PaletteOp>(*this, getPalette(), "palette");
}

LogicalResult ChangesOp::verify() {
  auto candidate = dyn_cast<BlockArgument>(getCandidate());
  if (candidate && candidate.getOwner()->getParentOp() == (*this)->getParentOp() &&
      candidate.getArgNumber() + 1 == candidate.getOwner()->getNumArguments())
    return success();
  return emitOpError("expected the candidate of the constraint") << ErrorId::InvalidReference;
}
