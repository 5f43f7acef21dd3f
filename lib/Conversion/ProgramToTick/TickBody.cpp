//===- TickBody.cpp - Reads, presence and plain operations ----------------===//
//
// Builds the body of a tick: loads with presence tests at open borders, membership tests of index
// sets, parameters, palettes and regions, and clones of all operations that are the same in a tick.
// Values of the enclosing function become inputs of the tick.
//
//===----------------------------------------------------------------------===//

#include "TickBody.h"
#include "Interface.h"
#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::lci;

TickBody::TickBody(ProgramOp program, StringAttr name, ArrayRef<int64_t> extents,
                   const Bindings &bindings, Location loc)
    : programOp(program), name(name), rank(extents.size()), bindings(bindings), home(loc),
      location(loc), block(new Block), b(loc.getContext()) {
  for (int64_t extent : extents)
    ranges[block->addArgument(b.getIndexType(), loc)] = {0, extent - 1};
  for (int i = 0; i < 3; ++i)
    block->addArgument(b.getI64Type(), loc);
  b.setInsertionPointToStart(block);
}

TickBody::TickBody(ProgramOp program, ValueOp value, const Bindings &bindings, Location loc)
    : TickBody(program, value.getSymNameAttr(), *value.getExtents(), bindings, loc) {
  valueOp = value;
  home = value.getLoc();
}

TickBody::TickBody(ProgramOp program, ObserveOp observer, const Bindings &bindings)
    : TickBody(program, observer.getSymNameAttr(), {}, bindings, observer.getLoc()) {
  usesTrees = true;
}

TickBody::~TickBody() { delete block; }

SmallVector<Value> TickBody::indices() {
  return llvm::to_vector_of<Value>(block->getArguments().take_front(rank));
}

Value TickBody::import(Value outer) {
  Value &known = imported[outer];
  if (!known) {
    known = block->addArgument(outer.getType(), location);
    inputs.push_back(outer);
  }
  return known;
}

//===----------------------------------------------------------------------===//
// Booleans, of which a null one is true
//===----------------------------------------------------------------------===//

Value TickBody::truthValue(bool truth) {
  return arith::ConstantOp::create(b, location, b.getBoolAttr(truth));
}
Value TickBody::integer(int64_t number) {
  return arith::ConstantOp::create(b, location, b.getI64IntegerAttr(number));
}
Value TickBody::number(float value) {
  return arith::ConstantOp::create(b, location, b.getF32FloatAttr(value));
}
Value TickBody::both(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return b.createOrFold<arith::AndIOp>(location, lhs, rhs);
}
Value TickBody::either(Value lhs, Value rhs) {
  return lhs && rhs ? b.createOrFold<arith::OrIOp>(location, lhs, rhs) : Value();
}
Value TickBody::negate(Value truth) {
  return arith::XOrIOp::create(b, location, orTrue(truth), truthValue(true));
}

//===----------------------------------------------------------------------===//
// Indices and sets
//===----------------------------------------------------------------------===//

IndexRange TickBody::rangeOf(Value index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return {*constant, *constant};
  return ranges.lookup(index);
}

SmallVector<IndexRange> TickBody::rangesOf(ValueRange at) {
  return llvm::map_to_vector(at, [&](Value index) { return rangeOf(index); });
}

Value TickBody::contains(std::optional<ArrayAttr> sets, ValueRange at) {
  if (!sets)
    return Value();
  Value any = truthValue(false);
  for (IntegerSet set : sets->getAsValueRange<IntegerSetAttr>()) {
    any = either(any, buildMembership(b, location, set, at, rangesOf(at)));
    if (!any)
      break;
  }
  return any;
}

AffineMap TickBody::specialize(AffineMap map, ValueRange at, SmallVectorImpl<Value> &rest) {
  SmallVector<AffineExpr> dims;
  for (Value index : at) {
    if (std::optional<int64_t> constant = getConstantIntValue(index)) {
      dims.push_back(b.getAffineConstantExpr(*constant));
      continue;
    }
    auto *known = llvm::find(rest, index);
    dims.push_back(b.getAffineDimExpr(known - rest.begin()));
    if (known == rest.end())
      rest.push_back(index);
  }
  return simplifyAffineMap(map.replaceDimsAndSymbols(dims, {}, rest.size(), 0));
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

Value TickBody::load(Value tensor, ValueOp beside, AffineMap map, ValueRange at) {
  auto boundary = beside.getBoundary().value_or(b.getArrayAttr({}));
  Type type = cast<RankedTensorType>(tensor.getType()).getElementType();
  return LoadOp::create(b, location, type, import(tensor), map, at, boundary);
}

/// S-STAMP: the stamp of a present cell counts, if a member of the family reads it.
void TickBody::noteStamp(ValueOp source, AffineMap map, ValueRange at, Value present) {
  Value stamps = bindings.stamps.lookup(source.getSymName());
  if (!latestStamp || !stamps) // values without a rule have no commits
    return;
  Value stamp = load(stamps, source, map, at);
  if (Value counts = both(present, isMember))
    stamp = arith::SelectOp::create(b, location, counts, stamp, integer(0));
  latestStamp = arith::MaxSIOp::create(b, location, latestStamp, stamp);
}

Value TickBody::stamp() {
  return load(bindings.stamps.lookup(valueOp.getSymName()), valueOp, b.getMultiDimIdentityMap(rank),
              indices());
}

Value TickBody::replacement() {
  if (!bindings.replaced)
    return Value();
  return load(bindings.replaced, valueOp, b.getMultiDimIdentityMap(rank), indices());
}

Maybe TickBody::read(ValueOp source, AffineMap map, ValueRange at) {
  SmallVector<Value> rest;
  AffineMap special = specialize(map, at, rest);
  Maybe cell = hold(source, special, rest);
  noteStamp(source, special, rest, cell.present);
  return cell;
}

Maybe TickBody::hold(ValueOp source, AffineMap special, ValueRange rest) {
  Value loaded = load(bindings.states.lookup(source.getSymName()), source, special, rest);
  Value present;
  SmallVector<int64_t> extents = *source.getExtents();
  for (auto [axis, result] : llvm::enumerate(special.getResults())) {
    if (source.getBoundaryOf(axis) != Boundary::Open)
      continue;
    for (AffineExpr inside : {result, extents[axis] - 1 - result})
      present = both(present, buildComparison(b, location, inside, /*isEquality=*/false, rest,
                                              rangesOf(rest)));
  }
  if (source.getKind() != Kind::Token) {
    Value zero = zeroOf(loaded.getType());
    return {present ? Value(arith::SelectOp::create(b, location, present, loaded, zero)) : loaded,
            present};
  }
  Value absent = integer(*source.getVocabularySize());
  if (present)
    loaded = arith::SelectOp::create(b, location, present, loaded, absent);
  if (source.hasInit())
    return {loaded, present};
  auto differs = arith::CmpIPredicate::ne;
  return {loaded, arith::CmpIOp::create(b, location, differs, loaded, absent)};
}

Maybe TickBody::self() {
  return read(valueOp, b.getMultiDimIdentityMap(valueOp.getRank()), indices());
}

Value TickBody::isUp() {
  Value colours = bindings.colours.lookup(valueOp.getSymName());
  if (!colours)
    return Value();
  auto border = BoundaryAttr::get(b.getContext(), Boundary::Open);
  SmallVector<Attribute> open(valueOp.getRank(), border);
  Value colour =
      LoadOp::create(b, location, b.getI32Type(), import(colours),
                     b.getMultiDimIdentityMap(valueOp.getRank()), indices(), b.getArrayAttr(open));
  colour = arith::ExtUIOp::create(b, location, b.getI64Type(), colour);
  Value phase = block->getArgument(valueOp.getRank() + 1);
  return arith::CmpIOp::create(b, location, arith::CmpIPredicate::eq, colour, phase);
}

Value TickBody::isBefore() {
  if (!bindings.before)
    return Value();
  Value place = block->getArgument(rank + 1); // the phase
  for (auto [at, extent] : llvm::zip_equal(indices(), *valueOp.getExtents())) {
    Value index = arith::IndexCastOp::create(b, location, b.getI64Type(), at);
    place = arith::MulIOp::create(b, location, place, integer(extent));
    place = arith::AddIOp::create(b, location, place, index);
  }
  return arith::CmpIOp::create(b, location, arith::CmpIPredicate::slt, place,
                               import(bindings.before));
}

Value TickBody::inRegion(StringRef region, unsigned axis) {
  if (auto bounds = bindings.bounds.find(region); bounds != bindings.bounds.end())
    return inRectangle(bounds->second, axis);
  SmallVector<Value> trailing(llvm::drop_begin(indices(), axis));
  return tensor::ExtractOp::create(b, location, import(bindings.regions.lookup(region)), trailing);
}

Value TickBody::inRectangle(ArrayRef<Value> bounds, unsigned axis) {
  Value inside;
  for (size_t side = 0; side < bounds.size(); ++side) {
    Value at = arith::IndexCastOp::create(b, location, b.getI64Type(), index(axis + side / 2));
    auto predicate = side % 2 == 0 ? arith::CmpIPredicate::sge : arith::CmpIPredicate::sle;
    Value holds = arith::CmpIOp::create(b, location, predicate, at, import(bounds[side]));
    inside = inside ? arith::AndIOp::create(b, location, inside, holds).getResult() : holds;
  }
  return inside;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult TickBody::lower(Block &body, Operation *end) {
  if (!end)
    end = body.getTerminator();
  for (Operation &op : body) {
    if (&op == end)
      break;
    if (failed(lowerOp(op)))
      return failure();
  }
  return success();
}

/// S-PARAM: a formula that no function computes once per epoch is computed at its uses.
LogicalResult TickBody::lowerFormula(ParamValueOp op) {
  llvm::SaveAndRestore<bool> inOrder(usesTrees, false);
  Block &formula = programOp.lookupSymbol<ParamOp>(op.getParam()).getInit().front();
  if (failed(lower(formula)))
    return failure();
  map(op.getResult(), lookup(cast<YieldOp>(formula.getTerminator()).getValue()));
  return success();
}

LogicalResult TickBody::lowerParam(ParamValueOp op) {
  if (!bindings.params.count(op.getParam()))
    return lowerFormula(op);
  Value param = import(bindings.params.lookup(op.getParam()));
  if (op.getIndices().empty()) {
    map(op.getResult(), asVector(param));
    return success();
  }
  SmallVector<Value> at;
  for (auto [axis, index] : llvm::enumerate(op.getIndices())) {
    // An index that was not proved to lie inside must at least not leave the array.
    int64_t extent = cast<RankedTensorType>(param.getType()).getDimSize(axis);
    Value inside = arith::MaxSIOp::create(b, location, lookup(index), integer(0));
    inside = arith::MinSIOp::create(b, location, inside, integer(extent - 1));
    at.push_back(arith::IndexCastOp::create(b, location, b.getIndexType(), inside));
  }
  map(op.getResult(), tensor::ExtractOp::create(b, location, param, at));
  return success();
}

void TickBody::lowerPalette(InPaletteOp op) {
  Value palette = import(bindings.palettes.lookup(op.getPalette()));
  // The result for an absent token or one outside the vocabulary is never used.
  int64_t last = cast<RankedTensorType>(palette.getType()).getDimSize(0) - 1;
  Value token = arith::MinUIOp::create(b, location, lookup(op.getToken()), integer(last));
  token = arith::IndexCastOp::create(b, location, b.getIndexType(), token);
  map(op.getResult(), tensor::ExtractOp::create(b, location, palette, token));
}

LogicalResult TickBody::lowerOp(Operation &op) {
  llvm::SaveAndRestore<Location> here(location, op.getLoc());
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](ReadOp read) {
        SmallVector<Value> at =
            llvm::map_to_vector(read.getIndices(), [&](Value v) { return lookup(v); });
        Maybe cell = this->read(programOp.lookupValue(read.getValue()), read.getMap(), at);
        map(read.getResult(), cell.value);
        map(read.getPresent(), orTrue(cell.present));
        return success();
      })
      .Case<UnwrapOp, LetOp>([&](auto same) {
        map(same.getResult(), lookup(same.getValue()));
        return success();
      })
      .Case([&](EpochOp epochOp) {
        map(epochOp.getResult(), epoch());
        return success();
      })
      .Case([&](ParamValueOp param) { return lowerParam(param); })
      .Case([&](ReduceOp reduce) { return lowerReduce(reduce); })
      .Case([&](CollectOp collect) { return lowerCollect(collect); })
      .Case([&](EvaluateOp evaluate) { return lowerEvaluate(evaluate); })
      .Case([&](InPaletteOp palette) {
        lowerPalette(palette);
        return success();
      })
      .Case([&](ChangesOp) { return success(); }) // the agreement knows and has mapped it
      .Case([&](DeclareReadOp read) { return lowerDeclaredRead(read); })
      .Case<ApplyOp, SizeOp, SampleTilesOp>([&](auto unbound) {
        return unbound.emitOpError("is not lowered; expected a bound program, run 'lci-bind' first")
               << ErrorId::PassOrder;
      })
      .Case<SpreadOp, ComponentOp, DotOp, MatVecOp, ConcatOp, SoftmaxOp>([&](auto vector) {
        lowerVector(vector);
        return success();
      })
      .Default([&](Operation *other) {
        cloneOnVectors(*other);
        return success();
      });
}

/// S-STAMP: the declared reads of a rule have stamps, and nothing else.
LogicalResult TickBody::lowerDeclaredRead(DeclareReadOp op) {
  auto pass = [](const Member &, ValueRange state) { return llvm::to_vector_of<Value>(state); };
  if (!latestStamp)
    return success();
  return visitFamily(op, op.getBody().front(), op.getWhere(), op.getOuter(), {}, pass);
}

TickOp TickBody::finish(OpBuilder &outer, Value epoch, Value phase, Value seed,
                        const Written &written, IntegerSetAttr cells, int64_t classStride) {
  SmallVector<Type> types;
  for (Value array : {written.target, written.counts, written.scores})
    if (array)
      types.push_back(array.getType());
  DenseI64ArrayAttr none = outer.getDenseI64ArrayAttr({});
  auto tick = TickOp::create(outer, home, types, FlatSymbolRefAttr::get(name), epoch, phase, seed,
                             inputs, written.target, ValueRange(), written.counts, written.scores,
                             ValueRange(), ValueRange(), none, none, DenseI64ArrayAttr(), cells,
                             outer.getI64IntegerAttr(classStride), outer.getI64IntegerAttr(1));
  tick.getBody().push_back(block);
  block = nullptr;
  return tick;
}
