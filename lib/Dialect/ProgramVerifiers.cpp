//===- ProgramVerifiers.cpp - Verifiers of the declarations -----------------===//

#include "VerifierUtils.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::lci;

LogicalResult ProgramOp::verify() {
  llvm::StringSet<> seen;
  for (StringRef name : getSizes().getAsValueRange<StringAttr>())
    if (!seen.insert(name).second)
      return emitOpError("names the size '") << ErrorId::InvalidAttribute << name << "' twice";
  std::optional<ArrayRef<int64_t>> extents = getExtents();
  if (!extents)
    return success();
  if (extents->size() != getSizes().size())
    return emitOpError("expected ") << ErrorId::InvalidAttribute << getSizes().size()
                                    << " extents, but got " << extents->size();
  for (auto [name, extent] : llvm::zip(getSizes().getAsValueRange<StringAttr>(), *extents))
    if (extent < 0)
      return emitOpError("expected sizes from 0, but ")
             << ErrorId::InvalidAttribute << name << " is " << extent;
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  llvm::DenseSet<Attribute> committed;
  for (auto commit : getOps<CommitOp>())
    if (!committed.insert(commit.getValueAttr()).second)
      return commit.emitOpError("commits ") << ErrorId::InvalidReference << commit.getValueAttr()
                                            << ", which has a commit already";
  return success();
}

/// Whether the map gives `what` from the sizes alone, with positive numbers once they are bound.
static LogicalResult verifySizeMap(Operation *op, AffineMap map, StringRef what) {
  if (map.getNumDims() != 0)
    return op->emitOpError("expected ") << ErrorId::InvalidAttribute << what
                                        << " without dimensions, but got " << map.getNumDims();
  if (failed(verifySymbols(op, map.getNumSymbols(), what)))
    return failure();
  for (AffineExpr result : map.getResults())
    if (auto constant = dyn_cast<AffineConstantExpr>(result); constant && constant.getValue() < 1)
      return op->emitOpError("expected ") << ErrorId::InvalidAttribute << what
                                          << " of at least 1, but got " << constant.getValue();
  return success();
}

LogicalResult ValueOp::verify() {
  bool hasVocabulary = getKind() == Kind::Token || getKind() == Kind::Latent;
  if (hasVocabulary != getVocabulary().has_value())
    return emitOpError() << ErrorId::InvalidAttribute
                         << (hasVocabulary ? "expected a vocabulary for "
                                           : "has a vocabulary, but holds ")
                         << stringifyKind(getKind());
  if (hasVocabulary) {
    if (getVocabulary()->getNumResults() != 1)
      return emitOpError("expected a vocabulary of one result, but got ")
             << ErrorId::InvalidAttribute << getVocabulary()->getNumResults();
    if (failed(verifySizeMap(*this, *getVocabulary(), "a vocabulary")))
      return failure();
  }
  bool holdsElements = getKind() == Kind::Event || getKind() == Kind::Rule;
  if (holdsElements == getShape().has_value())
    return emitOpError() << ErrorId::InvalidAttribute
                         << (holdsElements ? "is a set and has no shape" : "expected a shape");
  if (holdsElements)
    return hasInit() ? emitOpError("is a set and starts empty") << ErrorId::InvalidAttribute
                     : success();
  if (failed(verifySizeMap(*this, *getShape(), "a shape")))
    return failure();
  unsigned numBoundaries = getBoundary() ? getBoundary()->size() : 0;
  if (numBoundaries != getRank())
    return emitOpError("expected ")
           << ErrorId::InvalidAttribute << getRank() << " boundaries, but got " << numBoundaries;
  if (!hasInit())
    return success();
  if (failed(verifyBodyArguments(*this, getInit().front(), getRank())))
    return failure();
  return verifyYield(*this, getInit().front(), getCellType());
}

/// What a bound program knows of a parameter has its shape.
static LogicalResult verifyElements(ParamOp op) {
  std::optional<ArrayRef<int64_t>> elements = op.getElements();
  if (!elements)
    return success();
  std::optional<SmallVector<int64_t>> extents = op.getExtents();
  if (op.getKind() != Kind::I32 || !extents)
    return op.emitOpError("has elements, which only i32 have whose extents are numbers")
           << ErrorId::InvalidAttribute;
  int64_t expected = 1;
  for (int64_t extent : *extents)
    expected *= extent;
  if (static_cast<int64_t>(elements->size()) == expected)
    return success();
  return op.emitOpError("expected ")
         << ErrorId::InvalidAttribute << expected << " elements, but got " << elements->size();
}

LogicalResult ParamOp::verify() {
  if (getKind() != Kind::I32 && getKind() != Kind::F32)
    return emitOpError("expected i32 or f32, but got ")
           << ErrorId::InvalidAttribute << stringifyKind(getKind());
  if (getShape() && failed(verifySizeMap(*this, *getShape(), "a shape")))
    return failure();
  if (failed(verifyElements(*this)))
    return failure();
  if (!hasInit())
    return success();
  if (getShape())
    return emitOpError("is an array, which only bindings can give") << ErrorId::InvalidAttribute;
  if (failed(verifyBodyArguments(*this, getInit().front(), 0)))
    return failure();
  return verifyYield(*this, getInit().front(), getElementType());
}

LogicalResult DefOp::verify() {
  return verifyBodyArguments(*this, getBody().front(), getBody().getNumArguments());
}

/// Names of palettes, regions and models are given once each.
template <typename NamedOp>
static LogicalResult verifySingle(NamedOp op) {
  auto program = dyn_cast_or_null<ProgramOp>(op->getParentOp());
  NamedOp first = program ? program.template lookupNamed<NamedOp>(op.getName()) : op;
  if (first == op)
    return success();
  InFlightDiagnostic error = op.emitOpError("is declared twice: '")
                             << ErrorId::DeclaredTwice << op.getName() << "'";
  error.attachNote(first.getLoc()) << "the first one is here";
  return error;
}

LogicalResult PaletteOp::verify() { return verifySingle(*this); }
LogicalResult RegionOp::verify() { return verifySingle(*this); }

LogicalResult ModelOp::verify() {
  if (failed(verifySingle(*this)))
    return failure();
  if (!getFunction())
    return success();
  auto module = (*this)->getParentOfType<ModuleOp>();
  if (module && !module.lookupSymbol(*getFunction()))
    return emitOpError("expected a function of the module, but there is no '")
           << ErrorId::InvalidReference << *getFunction() << "'";
  return success();
}

LogicalResult VisibleOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto value = lookup<ValueOp>(symbols, *this, getValueAttr(), "a value");
  auto source = lookup<ValueOp>(symbols, *this, getSourceAttr(), "a value");
  if (!value || !source)
    return failure();
  AffineMap map = getMap();
  if (map.getNumDims() < value.getRank())
    return emitOpError("expected a map over the ")
           << ErrorId::InvalidAttribute << value.getRank() << " indices of a cell, but got "
           << map.getNumDims();
  if (map.getNumResults() != source.getRank())
    return emitOpError("expected a map to ") << ErrorId::InvalidAttribute << source.getRank()
                                             << " axes, but got " << map.getNumResults();
  if (failed(verifySymbols(*this, map.getNumSymbols(), "a map")))
    return failure();
  if (!getBody().empty() && !getGather())
    return emitOpError("expected a body that ends in 'lci.gather'") << ErrorId::InvalidBody;
  unsigned numIndices = getNumIndices();
  if (numIndices < value.getRank() || numIndices > map.getNumDims())
    return emitOpError("expected a map over the ")
           << ErrorId::InvalidAttribute << value.getRank()
           << " indices of a cell and what is computed, but got " << map.getNumDims()
           << " dimensions";
  if (!getBody().empty() && failed(verifyBodyArguments(*this, getBody().front(), numIndices)))
    return failure();
  return verifySets(*this, getWhere(), numIndices);
}

LogicalResult RuleOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto value = lookup<ValueOp>(symbols, *this, getValueAttr(), "a value");
  if (!value)
    return failure();
  if (getWhere() && failed(verifySets(*this, *getWhere(), value.getRank())))
    return failure();
  if (failed(verifyBodyArguments(*this, getBody().front(), value.getRank())))
    return failure();
  if (!getTerminator<EmitOp>(getBody().front()))
    return emitOpError("expected a body that ends in 'lci.emit'") << ErrorId::InvalidBody;
  return success();
}

LogicalResult ConstraintOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto value = lookup<ValueOp>(symbols, *this, getValueAttr(), "a value");
  if (!value)
    return failure();
  if (getWhere() && failed(verifySets(*this, *getWhere(), value.getRank())))
    return failure();
  if (getRegion().has_value() != getAxis().has_value())
    return emitOpError("expected a region and the axis it starts at together")
           << ErrorId::InvalidAttribute;
  if (getRegion() && failed(verifyNamed<RegionOp>(*this, *getRegion(), "region")))
    return failure();
  if (getAxis() && (*getAxis() < 0 || *getAxis() >= value.getRank()))
    return emitOpError("expected an axis from 0 to ")
           << ErrorId::InvalidAttribute << value.getRank() - 1 << ", but got " << *getAxis();
  if (failed(verifyBodyArguments(*this, getBody().front(), value.getRank(), value.getCellType())))
    return failure();
  return verifyYield(*this, getBody().front(), IntegerType::get(getContext(), 1));
}

LogicalResult ScheduleOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto value = lookup<ValueOp>(symbols, *this, getValueAttr(), "a value");
  if (!value)
    return failure();
  if (value.isSet())
    return emitOpError("schedules ")
           << ErrorId::InvalidReference << getValue() << ", which is a set";
  for (int64_t axis : getAxes().value_or(ArrayRef<int64_t>()))
    if (axis < 0 || axis >= value.getRank())
      return emitOpError("expected axes from 0 to ")
             << ErrorId::InvalidAttribute << value.getRank() - 1 << ", but got " << axis;
  if (getFirstPhase() < 0 || getFirstPhase() > 65535)
    return emitOpError("expected a phase from 0 to 65535, but got ")
           << ErrorId::InvalidAttribute << getFirstPhase();
  bool samples = getStrategy() == Strategy::Random || getStrategy() == Strategy::Confidence;
  if (getFraction() && !samples)
    return emitOpError("has a fraction, but ")
           << ErrorId::InvalidAttribute << stringifyStrategy(getStrategy()) << " takes none";
  float fraction = getFraction() ? getFraction()->convertToFloat() : -1;
  if (samples && !(fraction >= 0 && fraction <= 1)) {
    InFlightDiagnostic error = emitOpError("expected a fraction from 0 to 1 for '")
                               << ErrorId::InvalidAttribute << stringifyStrategy(getStrategy())
                               << "', but got ";
    return getFraction() ? error << getFractionAttr() : error << "none";
  }
  std::optional<StringRef> legalize = getLegalize();
  if (legalize && *legalize != "snapshot" && *legalize != "recolor" && *legalize != "strict")
    return emitOpError("expected 'snapshot', 'recolor' or 'strict', but got '")
           << ErrorId::InvalidAttribute << *legalize << "'";
  return success();
}

LogicalResult CommitOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto value = lookup<ValueOp>(symbols, *this, getValueAttr(), "a value");
  if (!value)
    return failure();
  bool draws = getPolicy() == Policy::Sample || getPolicy() == Policy::Metropolis;
  if (draws == getTemperature().empty())
    return emitOpError() << ErrorId::InvalidAttribute
                         << (draws ? "expected a temperature for " : "has a temperature, but uses ")
                         << stringifyPolicy(getPolicy());
  if ((getPolicy() == Policy::Quorum) != getQuorum().has_value())
    return emitOpError("expected a quorum with the policy 'quorum' and only there")
           << ErrorId::InvalidAttribute;
  if (!draws)
    return success();
  if (failed(verifyBodyArguments(*this, getTemperature().front(), 0)))
    return failure();
  return verifyYield(*this, getTemperature().front(), Float32Type::get(getContext()));
}

LogicalResult ObserveOp::verify() {
  if (failed(verifyBodyArguments(*this, getBody().front(), 0)))
    return failure();
  auto yield = getYield(getBody().front());
  if (!yield)
    return emitOpError("expected a body that ends in 'lci.yield'") << ErrorId::InvalidBody;
  Type type = yield.getValue().getType();
  if (!type.isInteger(1) && !type.isInteger(64) && !type.isF32())
    return emitOpError("expected a body that yields i1, i64 or f32, but got ")
           << ErrorId::InvalidBody << type;
  return success();
}
