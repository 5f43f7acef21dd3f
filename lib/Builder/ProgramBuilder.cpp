//===- ProgramBuilder.cpp - Build programs of level 1 ---------------------===//
//
// While a program is built, maps and sets have as many symbols as sizes are known at that moment;
// `finish` renumbers them all. Nothing is verified here: the caller verifies the module.
//
//===----------------------------------------------------------------------===//
#include "LCI/Builder/ProgramBuilder.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lci;

ProgramBuilder::ProgramBuilder(MLIRContext *context, Location loc, StringRef name) : ir(context) {
  module = ModuleOp::create(loc);
  ir.setInsertionPointToEnd(module->getBody());
  program =
      ProgramOp::create(ir, loc, name, ir.getStrArrayAttr({}), DenseI64ArrayAttr(), uint64_t(1000));
  program.getBody().emplaceBlock();
}

AffineExpr ProgramBuilder::getSize(StringRef name) {
  auto *known = llvm::find(sizes, name);
  unsigned position = known - sizes.begin();
  if (known == sizes.end())
    sizes.push_back(name.str());
  return getAffineSymbolExpr(position, getContext());
}

// The locations are names in the program's location, so that they are not part of its semantics.
void ProgramBuilder::placeSizes(ArrayRef<std::pair<StringRef, Location>> places) {
  SmallVector<Location> all{program.getLoc()};
  for (auto [name, place] : places)
    all.push_back(NameLoc::get(ir.getStringAttr(name), place));
  program->setLoc(FusedLoc::get(getContext(), all));
}

Location mlir::lci::locateSize(ProgramOp program, StringRef name) {
  if (auto all = dyn_cast<FusedLoc>(program.getLoc()))
    for (Location part : all.getLocations())
      if (auto size = dyn_cast<NameLoc>(part); size && size.getName() == name)
        return size.getChildLoc();
  return program.getLoc();
}

AffineMap ProgramBuilder::toMap(ArrayRef<AffineExpr> results, unsigned numDims) const {
  return AffineMap::get(numDims, sizes.size(), results, ir.getContext());
}

ArrayAttr ProgramBuilder::toSets(const Condition &where, unsigned numDims) const {
  return where.toSets(ir.getContext(), numDims, sizes.size());
}

template <typename T, typename... Args>
T ProgramBuilder::append(Location loc, Args &&...args) {
  OpBuilder::InsertionGuard guard(ir);
  ir.setInsertionPointToEnd(&program.getBody().front());
  return T::create(ir, loc, std::forward<Args>(args)...);
}

ValueOp ProgramBuilder::addValue(Location loc, StringRef name, Kind kind,
                                 std::optional<AffineExpr> vocabulary,
                                 std::optional<ArrayRef<AffineExpr>> shape,
                                 ArrayRef<Boundary> boundary) {
  auto toMapAttr = [&](ArrayRef<AffineExpr> list) { return AffineMapAttr::get(toMap(list, 0)); };
  SmallVector<Attribute> boundaries;
  for (Boundary axis : boundary)
    boundaries.push_back(BoundaryAttr::get(getContext(), axis));
  return append<ValueOp>(loc, name, kind, vocabulary ? toMapAttr(*vocabulary) : AffineMapAttr(),
                         shape ? toMapAttr(*shape) : AffineMapAttr(),
                         shape ? ir.getArrayAttr(boundaries) : ArrayAttr());
}

ParamOp ProgramBuilder::addParam(Location loc, StringRef name, Kind kind,
                                 std::optional<ArrayRef<AffineExpr>> shape) {
  return append<ParamOp>(loc, name, kind,
                         shape ? AffineMapAttr::get(toMap(*shape, 0)) : AffineMapAttr(),
                         DenseI64ArrayAttr());
}

DefOp ProgramBuilder::addDef(Location loc, StringRef name) { return append<DefOp>(loc, name); }

VisibleOp ProgramBuilder::addVisible(Location loc, ValueOp value, ValueOp source,
                                     ArrayRef<AffineExpr> map, unsigned numIndices,
                                     unsigned numComputed, const Condition &where,
                                     StringRef label) {
  return append<VisibleOp>(loc, FlatSymbolRefAttr::get(value), FlatSymbolRefAttr::get(source),
                           AffineMapAttr::get(toMap(map, numIndices + numComputed)),
                           toSets(where, numIndices),
                           label.empty() ? StringAttr() : ir.getStringAttr(label));
}

RuleOp ProgramBuilder::addRule(Location loc, StringRef name, ValueOp value) {
  return append<RuleOp>(loc, name, value.getSymName(), ArrayAttr());
}

ConstraintOp ProgramBuilder::addConstraint(Location loc, StringRef name, Mood mood, ValueOp value) {
  return append<ConstraintOp>(loc, ir.getStringAttr(name), MoodAttr::get(getContext(), mood),
                              FlatSymbolRefAttr::get(value), ArrayAttr(), StringAttr(),
                              IntegerAttr(), ir.getI64IntegerAttr(0), UnitAttr());
}

ScheduleOp ProgramBuilder::addSchedule(Location loc, ValueOp value, Strategy strategy) {
  return append<ScheduleOp>(loc, FlatSymbolRefAttr::get(value),
                            StrategyAttr::get(getContext(), strategy), DenseI64ArrayAttr(),
                            DenseI64ArrayAttr(), FloatAttr(), IntegerAttr(), StringAttr());
}

CommitOp ProgramBuilder::addCommit(Location loc, ValueOp value, Policy policy) {
  return append<CommitOp>(loc, FlatSymbolRefAttr::get(value), PolicyAttr::get(getContext(), policy),
                          IntegerAttr(), UnitAttr());
}

ObserveOp ProgramBuilder::addObserve(Location loc, StringRef name) {
  return append<ObserveOp>(loc, name);
}

template <typename T>
StringAttr ProgramBuilder::getNamed(Location loc, StringRef name) {
  if (T known = program.lookupNamed<T>(name))
    return known.getNameAttr();
  T named;
  if constexpr (std::is_same_v<T, ModelOp>)
    named = append<T>(loc, name, StringAttr());
  else
    named = append<T>(loc, name);
  generated.push_back(named);
  return named.getNameAttr();
}

StringAttr ProgramBuilder::getPalette(Location loc, StringRef name) {
  return getNamed<PaletteOp>(loc, name);
}
StringAttr ProgramBuilder::getRegion(Location loc, StringRef name) {
  return getNamed<RegionOp>(loc, name);
}
StringAttr ProgramBuilder::getModel(Location loc, StringRef name) {
  return getNamed<ModelOp>(loc, name);
}

Block *ProgramBuilder::addBody(Region &region, Location loc, unsigned numIndices, Type candidate) {
  Block *block = &region.emplaceBlock();
  for (unsigned i = 0; i < numIndices; ++i)
    block->addArgument(ir.getIndexType(), loc);
  if (candidate)
    block->addArgument(candidate, loc);
  return block;
}

ReadOp ProgramBuilder::read(Location loc, ValueOp value, ArrayRef<AffineExpr> map,
                            ValueRange indices) {
  return ReadOp::create(ir, loc, value.getCellType(), ir.getI1Type(), FlatSymbolRefAttr::get(value),
                        AffineMapAttr::get(toMap(map, indices.size())), indices);
}

namespace {
/// Limits as operands and an attribute.
struct LimitParts {
  LimitParts(OpBuilder &ir, ArrayRef<FreeLimits> limits) {
    SmallVector<int64_t> free;
    for (const FreeLimits &limit : limits) {
      values.append({limit.low, limit.high});
      free.push_back(limit.free);
    }
    if (!free.empty())
      limited = ir.getDenseI64ArrayAttr(free);
  }
  SmallVector<Value> values;
  DenseI64ArrayAttr limited;
};
} // namespace

ReduceOp ProgramBuilder::reduce(Location loc, Reduction kind, const Condition &where,
                                ValueRange outer, unsigned numFree, ArrayRef<FreeLimits> limits) {
  LimitParts parts(ir, limits);
  auto op =
      ReduceOp::create(ir, loc, ir.getI64Type(), ir.getI1Type(), kind,
                       toSets(where, outer.size() + numFree), outer, parts.values, parts.limited);
  addBody(op.getBody(), loc, numFree + 1);
  return op;
}

static Type getMemberType(Region &body) {
  return cast<YieldOp>(body.front().getTerminator()).getValue().getType();
}

void ProgramBuilder::finishReduce(ReduceOp op) {
  if (Type member = getMemberType(op.getBody()); isa<RankedTensorType>(member))
    return op.getResult().setType(member);
  switch (op.getKind()) {
  case Reduction::Count:
  case Reduction::ArgMin:
  case Reduction::ArgMax:
    return;
  case Reduction::Any:
  case Reduction::All:
    return op.getResult().setType(ir.getI1Type());
  case Reduction::Mean:
    return op.getResult().setType(ir.getF32Type());
  default:
    return op.getResult().setType(getMemberType(op.getBody()));
  }
}

GatherOp ProgramBuilder::gather(Location loc, ValueRange indices, ArrayRef<FreeLimits> limits) {
  LimitParts parts(ir, limits);
  return GatherOp::create(ir, loc, indices, parts.values, parts.limited);
}

CollectOp ProgramBuilder::collect(Location loc, const Condition &where, ValueRange outer,
                                  unsigned numFree, ArrayRef<FreeLimits> limits) {
  LimitParts parts(ir, limits);
  auto type = [&](Type element) { return RankedTensorType::get(ShapedType::kDynamic, element); };
  auto op =
      CollectOp::create(ir, loc, type(ir.getI64Type()), type(ir.getI1Type()),
                        toSets(where, outer.size() + numFree), outer, parts.values, parts.limited);
  addBody(op.getBody(), loc, numFree + 1);
  return op;
}

DeclareReadOp ProgramBuilder::declareRead(Location loc, StringRef name, const Condition &where,
                                          ValueRange outer, unsigned numFree,
                                          ArrayRef<FreeLimits> limits) {
  LimitParts parts(ir, limits);
  auto op =
      DeclareReadOp::create(ir, loc, ir.getStringAttr(name), toSets(where, outer.size() + numFree),
                            outer, parts.values, parts.limited);
  addBody(op.getBody(), loc, numFree + 1);
  return op;
}

void ProgramBuilder::finishCollect(CollectOp op) {
  op.getMembers().setType(RankedTensorType::get(ShapedType::kDynamic, getMemberType(op.getBody())));
}

Value ProgramBuilder::constant(Location loc, int64_t value) {
  return arith::ConstantIntOp::create(ir, loc, value, 64);
}
Value ProgramBuilder::constant(Location loc, float value) {
  return arith::ConstantOp::create(ir, loc, ir.getF32FloatAttr(value));
}
Value ProgramBuilder::constant(Location loc, bool value) {
  return arith::ConstantOp::create(ir, loc, ir.getBoolAttr(value));
}

void ProgramBuilder::setIndexNames(Operation *op, ArrayRef<StringRef> names) {
  if (!names.empty())
    op->setAttr(indexNamesAttr, ir.getStrArrayAttr(names));
}

OwningOpRef<ModuleOp> ProgramBuilder::finish(ArrayRef<Operation *> order) {
  Block &body = program.getBody().front();
  for (Operation *op : order)
    op->moveBefore(&body, body.end());
  for (Operation *op : generated)
    op->moveBefore(&body, body.end());
  // The new order of the sizes, as old positions.
  SmallVector<unsigned> sorted(sizes.size());
  std::iota(sorted.begin(), sorted.end(), 0);
  llvm::sort(llvm::MutableArrayRef(sorted).drop_front(numSettled.value_or(sizes.size())),
             [&](unsigned a, unsigned b) { return sizes[a] < sizes[b]; });
  SmallVector<unsigned> newPositions(sizes.size());
  SmallVector<StringRef> names;
  for (auto [position, old] : llvm::enumerate(sorted)) {
    newPositions[old] = position;
    names.push_back(sizes[old]);
  }
  program.setSizesAttr(ir.getStrArrayAttr(names));
  completeRelations(newPositions);
  return std::move(module);
}

void ProgramBuilder::completeRelations(ArrayRef<unsigned> newPositions) {
  SmallVector<AffineExpr> symbols;
  for (unsigned position : newPositions)
    symbols.push_back(getAffineSymbolExpr(position, getContext()));
  auto complete = [&](Attribute attribute) -> Attribute {
    if (auto map = dyn_cast<AffineMapAttr>(attribute)) {
      SmallVector<AffineExpr> results;
      for (AffineExpr result : map.getValue().getResults())
        results.push_back(normalizeExpr(result.replaceSymbols(symbols)));
      return AffineMapAttr::get(toMap(results, map.getValue().getNumDims()));
    }
    auto sets = dyn_cast<ArrayAttr>(attribute);
    if (!sets || sets.empty() || !isa<IntegerSetAttr>(sets[0]))
      return attribute;
    unsigned numDims = cast<IntegerSetAttr>(sets[0]).getValue().getNumDims();
    return toSets(Condition::fromSets(sets).replace({}, symbols).normalize(), numDims);
  };
  program.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (Attribute completed = complete(attribute.getValue()); completed != attribute.getValue())
        op->setAttr(attribute.getName(), completed);
  });
}
