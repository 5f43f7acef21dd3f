//===- ProgramVerifiers.cpp - Verifiers of the declarations ---------------===//
//
// Verifiers of a program and its declarations: references, shapes and vocabularies within limits,
// numbers of dimensions and symbols, options of schedules and policies, and no cycles of formulas.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/Limits.h"
#include "LCI/Dialect/ScheduleOptions.h"
#include "VerifierUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CheckedArithmetic.h"

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

/// Verifies that each value has at most one declaration of a kind.
template <typename DeclarationOp>
static LogicalResult verifyOneEach(ProgramOp program, StringRef does, StringRef what) {
  llvm::DenseMap<Attribute, DeclarationOp> first;
  for (auto declaration : program.getOps<DeclarationOp>()) {
    auto [entry, isNew] = first.try_emplace(declaration.getValueAttr(), declaration);
    if (isNew)
      continue;
    InFlightDiagnostic error = declaration.emitOpError(does)
                               << ErrorId::InvalidReference << " " << declaration.getValueAttr()
                               << ", which has a " << what << " already";
    error.attachNote(entry->second.getLoc()) << "the first one is here";
    return error;
  }
  return success();
}

namespace {
/// Finds a formula that is defined by itself, directly or through others. Chains of formulas may be
/// thousands long, so it is iterative, not recursive.
class CycleFinder {
public:
  explicit CycleFinder(ProgramOp program) {
    for (auto formula : program.getOps<DefOp>())
      formulas[formula.getSymNameAttr()] = formula;
  }

  /// An application that closes a cycle, or null.
  ApplyOp find() {
    for (DefOp formula : llvm::make_second_range(formulas))
      if (ApplyOp use = findFrom(formula))
        return use;
    return nullptr;
  }

private:
  struct Link {
    DefOp formula;
    SmallVector<ApplyOp> uses;
  };

  ApplyOp findFrom(DefOp formula) {
    enter(formula);
    while (!chain.empty()) {
      if (chain.back().uses.empty()) {
        open.erase(chain.back().formula);
        chain.pop_back();
        continue;
      }
      ApplyOp use = chain.back().uses.pop_back_val();
      DefOp used = formulas.lookup(use.getFormulaAttr().getAttr());
      if (used && open.contains(used))
        return use;
      enter(used);
    }
    return nullptr;
  }

  void enter(DefOp formula) {
    if (!formula || !seen.insert(formula).second)
      return;
    open.insert(formula);
    Link link{formula, {}};
    formula.walk([&](ApplyOp use) { link.uses.push_back(use); });
    std::reverse(link.uses.begin(), link.uses.end());
    chain.push_back(std::move(link));
  }

  llvm::MapVector<StringAttr, DefOp> formulas;
  SmallVector<Link> chain;
  llvm::DenseSet<Operation *> seen, open;
};
} // namespace

static LogicalResult verifyFormulas(ProgramOp program) {
  ApplyOp use = CycleFinder(program).find();
  if (!use)
    return success();
  return use.emitOpError("applies ")
         << ErrorId::SelfReference << use.getFormulaAttr() << ", which is defined by itself";
}

/// Verifies that no operation directly in a program has a result, which bodies of rules could use.
static LogicalResult verifyDeclarations(ProgramOp program) {
  for (Operation &op : program.getBody().front())
    if (op.getNumResults() != 0)
      return op.emitError("expected declarations in a program, but got '")
             << ErrorId::WrongPlace << op.getName() << "', which computes something";
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  return failure(failed(verifyDeclarations(*this)) ||
                 failed(verifyOneEach<CommitOp>(*this, "commits", "commit")) ||
                 failed(verifyOneEach<ScheduleOp>(*this, "schedules", "schedule")) ||
                 failed(verifyFormulas(*this)));
}

/// Verifies that the map gives `what` from the sizes alone, with positive numbers once bound.
static LogicalResult verifySizeMap(Operation *op, AffineMap map, StringRef what) {
  if (map.getNumDims() != 0)
    return op->emitOpError("expected ") << ErrorId::InvalidAttribute << what
                                        << " without dimensions, but got " << map.getNumDims();
  if (failed(verifyMap(op, map, what)))
    return failure();
  for (AffineExpr result : map.getResults())
    if (auto constant = dyn_cast<AffineConstantExpr>(result); constant && constant.getValue() < 1)
      return op->emitOpError("expected ") << ErrorId::InvalidAttribute << what
                                          << " of at least 1, but got " << constant.getValue();
  return success();
}

static LogicalResult verifyShape(Operation *op, AffineMap shape) {
  if (shape.getNumResults() > kMaxAxes) {
    InFlightDiagnostic error = op->emitOpError("expected at most ")
                               << ErrorId::InvalidAttribute << kMaxAxes << " axes, but got "
                               << shape.getNumResults();
    error.attachNote() << kAxesHint;
    return error;
  }
  return verifySizeMap(op, shape, "a shape");
}

/// Verifies that the numbers of a shape, with `perCell` in each cell, fit memory.
static LogicalResult verifyNumbers(Operation *op, std::optional<SmallVector<int64_t>> extents,
                                   int64_t perCell = 1) {
  if (!extents)
    return success();
  std::optional<int64_t> numbers = perCell;
  for (int64_t extent : *extents)
    numbers = numbers ? llvm::checkedMul(*numbers, extent) : std::nullopt;
  if (numbers && *numbers < kNumberLimit)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected less than 2^60 numbers, but got ")
                             << ErrorId::InvalidAttribute;
  llvm::interleave(*extents, error, " x ");
  return perCell == 1 ? error : error << " vectors of " << perCell;
}

/// Tokens, and the one that represents absence, are numbers of a value too.
static LogicalResult verifyVocabulary(ValueOp op) {
  std::optional<int64_t> size = op.getVocabularySize();
  return size ? verifyNumbers(op, SmallVector<int64_t>{*size}) : success();
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
    if (failed(verifySizeMap(*this, *getVocabulary(), "a vocabulary")) ||
        failed(verifyVocabulary(*this)))
      return failure();
  }
  bool holdsElements = getKind() == Kind::Event || getKind() == Kind::Rule;
  if (holdsElements == getShape().has_value())
    return emitOpError() << ErrorId::InvalidAttribute
                         << (holdsElements ? "is a set and has no shape" : "expected a shape");
  if (holdsElements)
    return hasInit() ? emitOpError("is a set and starts empty") << ErrorId::InvalidAttribute
                     : success();
  int64_t perCell = getKind() == Kind::Latent ? getVocabularySize().value_or(1) : 1;
  if (failed(verifyShape(*this, *getShape())) ||
      failed(verifyNumbers(*this, getExtents(), perCell)))
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

/// Verifies the elements of a bound program's parameter against its shape.
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
  if (static_cast<int64_t>(elements->size()) != expected)
    return op.emitOpError("expected ")
           << ErrorId::InvalidAttribute << expected << " elements, but got " << elements->size();
  for (int64_t element : *elements)
    if (!llvm::isInt<32>(element))
      return op.emitOpError("expected elements of 32 bits, but got ")
             << ErrorId::InvalidAttribute << element;
  return success();
}

LogicalResult ParamOp::verify() {
  if (getKind() != Kind::I32 && getKind() != Kind::F32)
    return emitOpError("expected i32 or f32, but got ")
           << ErrorId::InvalidAttribute << stringifyKind(getKind());
  if (getShape() &&
      (failed(verifyShape(*this, *getShape())) || failed(verifyNumbers(*this, getExtents()))))
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

/// Verifies that the name of a palette, region or model is unique.
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
  if (failed(verifyMap(*this, map, "a map")))
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

static LogicalResult verifyTile(ScheduleOp op, size_t rank) {
  std::optional<ArrayRef<int64_t>> tile = op.getTile();
  if (!tile)
    return success();
  if (tile->size() != rank)
    return op.emitOpError("expected a tile of ")
           << ErrorId::InvalidAttribute << rank << " extents, but got " << tile->size();
  for (int64_t extent : *tile)
    if (extent < 1)
      return op.emitOpError("expected positive extents of the tile, but got ")
             << ErrorId::InvalidAttribute << extent;
  return success();
}

/// Verifies that the strategy takes all options that the schedule has.
static LogicalResult verifyOptions(ScheduleOp schedule) {
  SmallVector<StringRef> taken = getScheduleOptions(schedule.getStrategy());
  bool reverses = !getReversedAxes(getSweptAxes(schedule, 0)).empty();
  std::pair<StringRef, bool> given[] = {{"reverse", reverses},
                                        {"axes", schedule.getAxes().has_value()},
                                        {"tile", schedule.getTile().has_value()},
                                        {"fraction", schedule.getFraction().has_value()}};
  for (auto [option, isGiven] : given)
    if (isGiven && !llvm::is_contained(taken, option))
      return schedule.emitOpError("has '") << ErrorId::InvalidAttribute << option << "', but "
                                           << describeScheduleOptions(schedule.getStrategy());
  return success();
}

/// Verifies that `axes`, if given, are axes of the value, each once.
static LogicalResult verifyAxes(ScheduleOp schedule, int64_t rank) {
  std::optional<ArrayRef<int64_t>> axes = schedule.getAxes();
  if (!axes)
    return success();
  if (axes->empty())
    return schedule.emitOpError("expected at least one axis") << ErrorId::InvalidAttribute;
  llvm::DenseSet<int64_t> seen;
  for (int64_t written : *axes) {
    int64_t axis = SweptAxis::decode(written).axis;
    if (axis >= rank)
      return schedule.emitOpError("expected axes from 0 to ")
             << ErrorId::InvalidAttribute << rank - 1 << ", or from " << -rank
             << " to -1 for reversed ones, but got " << written;
    if (!seen.insert(axis).second)
      return schedule.emitOpError("expected each axis once, but got ")
             << ErrorId::InvalidAttribute << axis << " twice";
  }
  return success();
}

LogicalResult ScheduleOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto value = lookup<ValueOp>(symbols, *this, getValueAttr(), "a value");
  if (!value)
    return failure();
  if (value.isSet())
    return emitOpError("schedules ")
           << ErrorId::InvalidReference << getValue() << ", which is a set";
  if (getStrategy() == Strategy::FourColor && value.getRank() < 2)
    return emitOpError("expected a value of at least two axes for 'four_color', but got ")
           << ErrorId::WrongSchedule << value.getRank();
  if (failed(verifyOptions(*this)) || failed(verifyAxes(*this, value.getRank())) ||
      failed(verifyTile(*this, value.getRank())))
    return failure();
  if (getFirstPhase() < 0 || getFirstPhase() > 65535)
    return emitOpError("expected a phase from 0 to 65535, but got ")
           << ErrorId::InvalidAttribute << getFirstPhase();
  bool samples = getStrategy() == Strategy::Random || getStrategy() == Strategy::Confidence;
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
  if (getQuorum() && static_cast<int64_t>(*getQuorum()) < 1)
    return emitOpError("expected a quorum of at least 1, but got ")
           << ErrorId::InvalidAttribute << static_cast<int64_t>(*getQuorum());
  if (getWeighted() && getPolicy() == Policy::Quorum)
    return emitOpError("has weighted constraints, but 'quorum' looks at no score")
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
