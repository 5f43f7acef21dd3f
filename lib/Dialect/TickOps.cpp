//===- TickOps.cpp - Methods and verifiers of the tick form ---------------===//
//
// `lci.tick` and the operations of its body: boxes within the target, windows within storage,
// arrays all tensors or all buffers, slots of counters; side effects, and ranges of the body's
// arguments.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Dialect/TickBuilders.h"
#include "VerifierUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// lci.tick
//===----------------------------------------------------------------------===//

/// Verifies that a box lies within the target: no pass checks it later.
static LogicalResult verifyCells(TickOp op) {
  ArrayRef<int64_t> shape = cast<ShapedType>(op.getTarget().getType()).getShape();
  for (auto [axis, offset, extent, stride, size] :
       llvm::enumerate(op.getStaticOffsets(), op.getStaticExtents(), *op.getStrides(), shape)) {
    if (isWithin(offset, extent, stride, size))
      continue;
    auto print = [](int64_t number) {
      return ShapedType::isDynamic(number) ? "?" : std::to_string(number);
    };
    return op.emitOpError("expected a box within the target, but got offset ")
           << ErrorId::InvalidAttribute << print(offset) << ", extent " << print(extent)
           << " and stride " << stride << " on axis " << axis << " of " << print(size) << " cells";
  }
  return success();
}

static LogicalResult verifyBox(TickOp op) {
  unsigned rank = op.getRank();
  if (!op.hasBox() && !cast<ShapedType>(op.getTarget().getType()).hasStaticShape())
    return op.emitOpError("expected a box, as the extents of its target are not known: ")
           << ErrorId::InvalidAttribute << op.getTarget().getType();
  bool hasBounds = !op.getStaticOffsets().empty() || !op.getStaticExtents().empty() ||
                   !op.getOffsets().empty() || !op.getExtents().empty();
  if (!op.hasBox() && hasBounds)
    return op.emitOpError("expected offsets, extents and strides of a box together")
           << ErrorId::InvalidAttribute;
  if (!op.hasBox())
    return success();
  if (op.getStaticOffsets().size() != rank || op.getStaticExtents().size() != rank ||
      op.getStrides()->size() != rank)
    return op.emitOpError("expected a box with one offset, extent and stride for each of ")
           << ErrorId::InvalidAttribute << rank << " axes";
  for (int64_t stride : op.getStridesOrOnes())
    if (stride < 1)
      return op.emitOpError("expected positive strides, but got ")
             << ErrorId::InvalidAttribute << stride;
  auto dynamic = [](ArrayRef<int64_t> all) { return llvm::count_if(all, ShapedType::isDynamic); };
  if (dynamic(op.getStaticOffsets()) != static_cast<int64_t>(op.getOffsets().size()) ||
      dynamic(op.getStaticExtents()) != static_cast<int64_t>(op.getExtents().size()))
    return op.emitOpError("expected an operand for each dynamic offset and extent")
           << ErrorId::InvalidAttribute;
  return verifyCells(op);
}

static LogicalResult verifyResults(TickOp op) {
  SmallVector<Type> expected;
  if (op.hasTensorSemantics()) {
    expected.push_back(op.getTarget().getType());
    if (op.getCounts())
      expected.push_back(op.getCounts().getType());
    if (op.getScores())
      expected.push_back(op.getScores().getType());
  }
  if (TypeRange(op.getResultTypes()) == TypeRange(expected))
    return success();
  return op.emitOpError("expected results of types (")
         << ErrorId::InvalidTypes << expected << "), but got (" << op.getResultTypes() << ")";
}

/// Whether an array holds an f32 for each cell of another one.
static bool holdsScoresOf(Value scores, Value cells) {
  auto type = cast<ShapedType>(scores.getType()), like = cast<ShapedType>(cells.getType());
  return type.getElementType().isF32() && succeeded(verifyCompatibleShape(type, like)) &&
         isa<TensorType>(type) == isa<TensorType>(like);
}

static LogicalResult verifyCounts(Operation *op, Value counts) {
  auto type = cast<ShapedType>(counts.getType());
  bool isNumber = type.getElementType().isSignlessInteger() && !type.getElementType().isInteger(1);
  if (type.getRank() == 1 && isNumber)
    return success();
  return op->emitOpError("expected counts of one axis that hold integers of several bits, but got ")
         << ErrorId::InvalidTypes << type;
}

/// Verifies that a slot is a position of counters, as far as their number is known.
static LogicalResult verifySlot(Operation *op, Value counts, int64_t slot) {
  auto type = cast<ShapedType>(counts.getType());
  if (slot >= 0 && (type.isDynamicDim(0) || slot < type.getDimSize(0)))
    return success();
  return op->emitOpError("expected a slot of ")
         << ErrorId::InvalidAttribute << type << ", but got " << slot;
}

/// Verifies that there is a target, and that all have the axes and extents of the first one.
static LogicalResult verifyTargets(TickOp op) {
  if (op.getTargets().empty())
    return op.emitOpError("expected a target") << ErrorId::InvalidTypes;
  if (op.hasTensorSemantics() && !op.hasOneTarget())
    return op.emitOpError("expected one target and no boxed arrays, as it is on tensors")
           << ErrorId::InvalidTypes;
  auto first = cast<ShapedType>(op.getTarget().getType());
  for (Type type : op.getTargets().drop_front().getTypes())
    if (failed(verifyCompatibleShape(first, type)))
      return op.emitOpError("expected targets of one shape, but got ")
             << ErrorId::InvalidTypes << first << " and " << type;
  return success();
}

/// Verifies that a boxed array has room for an element of each cell of the box.
static LogicalResult verifyBoxed(TickOp op) {
  for (Type type : op.getBoxed().getTypes()) {
    auto array = cast<ShapedType>(type);
    bool isLarge =
        array.getRank() == static_cast<int64_t>(op.getRank()) &&
        llvm::all_of(llvm::zip_equal(array.getShape(), op.getMixedExtents()), [](auto axis) {
          auto [size, extent] = axis;
          return ShapedType::isDynamic(size) || size >= getConstantIntValue(extent).value_or(0);
        });
    if (!isLarge)
      return op.emitOpError(
                 "expected a boxed array with an element for each cell of the box, but got ")
             << ErrorId::InvalidTypes << type;
  }
  return success();
}

/// Verifies that the arrays of a tick are all tensors, or all buffers.
static LogicalResult verifyArrays(TickOp op) {
  bool isTensor = op.hasTensorSemantics();
  for (Type type : op->getOperandTypes())
    if (isTensor ? isa<BaseMemRefType>(type) : isa<TensorType>(type))
      return op.emitOpError("expected ")
             << ErrorId::InvalidTypes << (isTensor ? "tensors" : "memrefs")
             << ", as its target is one, but got " << type;
  for (Type type : op->getOperandTypes())
    if (failed(verifyLayout(op, type)))
      return failure();
  return op.getCounts() ? verifyCounts(op, op.getCounts()) : success();
}

/// Verifies that an operation on whole values is not nested in a tick.
static LogicalResult verifyOutside(Operation *op) {
  auto tick = op->getParentOfType<TickOp>();
  if (!tick)
    return success();
  InFlightDiagnostic error = op->emitOpError("stands in a tick, which computes a cell at a time")
                             << ErrorId::InvalidReference;
  error.attachNote(tick.getLoc()) << "the tick is here";
  return error;
}

LogicalResult TickOp::verify() {
  if (failed(verifyOutside(*this)) || failed(verifyTargets(*this)) || failed(verifyArrays(*this)))
    return failure();
  Type i64 = IntegerType::get(getContext(), 64);
  SmallVector<Type> rest{i64, i64, i64};
  llvm::append_range(rest, getInputs().getTypes());
  if (failed(verifyBodyArguments(*this, getBody().front(), getRank(), rest)) ||
      failed(verifyResults(*this)) || failed(verifyBox(*this)) || failed(verifyBoxed(*this)))
    return failure();
  if (static_cast<int64_t>(getPacked()) < 1)
    return emitOpError("expected a positive number of packed cells, but got ")
           << ErrorId::InvalidAttribute << static_cast<int64_t>(getPacked());
  auto classStride = static_cast<int64_t>(getClassStride());
  if (classStride < 1)
    return emitOpError("expected a positive class stride, but got ")
           << ErrorId::InvalidAttribute << classStride;
  if (!getTerminator<InstallOp>(getBody().front()))
    return emitOpError("expected a body that ends in 'lci.install'") << ErrorId::InvalidBody;
  if (getScores() && !holdsScoresOf(getScores(), getTarget()))
    return emitOpError("expected an f32 for each cell of ")
           << ErrorId::InvalidTypes << getTarget().getType() << ", but got scores of type "
           << getScores().getType();
  if (std::optional<IntegerSet> cells = getCells())
    if (cells->getNumDims() != getRank() || cells->getNumSymbols() != 1)
      return emitOpError("expected cells over ")
             << ErrorId::InvalidAttribute << getRank()
             << " dimensions and the phase as symbol, but got " << cells->getNumDims()
             << " dimensions and " << cells->getNumSymbols() << " symbols";
  return getCells() ? verifyForms(*this, getCells()->getConstraints(), "cells") : success();
}

SmallVector<OpFoldResult> TickOp::getMixedOffsets() {
  Builder builder(getContext());
  if (!hasBox())
    return SmallVector<OpFoldResult>(getRank(), builder.getIndexAttr(0));
  return getMixedValues(getStaticOffsets(), getOffsets(), getContext());
}

SmallVector<OpFoldResult> TickOp::getMixedExtents() {
  if (hasBox())
    return getMixedValues(getStaticExtents(), getExtents(), getContext());
  Builder builder(getContext());
  SmallVector<OpFoldResult> extents;
  for (int64_t extent : cast<ShapedType>(getTarget().getType()).getShape())
    extents.push_back(builder.getIndexAttr(extent));
  return extents;
}

SmallVector<int64_t> TickOp::getStridesOrOnes() {
  return hasBox() ? SmallVector<int64_t>(*getStrides()) : SmallVector<int64_t>(getRank(), 1);
}

void TickOp::setBox(ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> extents,
                    ArrayRef<int64_t> strides) {
  SmallVector<Value> dynamicOffsets, dynamicExtents;
  SmallVector<int64_t> staticOffsets, staticExtents;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(extents, dynamicExtents, staticExtents);
  getOffsetsMutable().assign(dynamicOffsets);
  getExtentsMutable().assign(dynamicExtents);
  setStaticOffsets(staticOffsets);
  setStaticExtents(staticExtents);
  setStrides(strides);
}

bool TickOp::callsModel() {
  return getBody().walk([](CallOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
}

bool TickOp::isCellwise() {
  return hasOneTarget() && getPacked() == 1 &&
         llvm::all_of(getInstall().getTallies().getTypes(),
                      [](Type type) { return type.isInteger(1); });
}

InstallOp TickOp::getInstall() { return cast<InstallOp>(getBody().front().getTerminator()); }

/// Indices have the ranges of the box, other integers those of the operands. The phase of a tick
/// that calls a model is hidden: the ticks of all phases must be equal except for it, so that their
/// model is compiled once.
void TickOp::inferResultRangesFromOptional(ArrayRef<IntegerValueRange> operands,
                                           SetIntLatticeFn set) {
  auto bounds = getIndexRanges(*this);
  for (auto [argument, range] : llvm::zip_equal(getIndexArguments(), bounds)) {
    auto bound = [](int64_t index) { return APInt(IndexType::kInternalStorageBitWidth, index); };
    set(argument, range.isEmpty() ? IntegerValueRange::getMaxRange(argument)
                                  : IntegerValueRange(ConstantIntRanges::fromSigned(
                                        bound(range.lower), bound(range.upper))));
  }
  bool keepsPhase = callsModel();
  for (auto [argument, range] : llvm::zip(getBody().getArguments().drop_front(getRank()), operands))
    if (argument.getType().isInteger()) {
      bool isHidden = range.isUninitialized() || (keepsPhase && argument == getPhaseArgument());
      set(argument, isHidden ? IntegerValueRange::getMaxRange(argument) : range);
    }
}

void TickOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (hasTensorSemantics())
    return;
  for (OpOperand &operand : getInputsMutable())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  SmallVector<OpOperand *> written =
      llvm::map_to_vector(getTargetsMutable(), [](OpOperand &target) { return &target; });
  for (OpOperand &array : getBoxedMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &array);
  if (getCounts())
    written.push_back(&*getCountsMutable().begin());
  if (getScores())
    written.push_back(&*getScoresMutable().begin());
  for (OpOperand *operand : written) {
    effects.emplace_back(MemoryEffects::Read::get(), operand);
    effects.emplace_back(MemoryEffects::Write::get(), operand);
  }
}

//===----------------------------------------------------------------------===//
// lci.load, lci.install, lci.agree
//===----------------------------------------------------------------------===//

/// Verifies that a window stays inside of its storage for all cells of the tick: its lowering to a
/// view does not check.
static LogicalResult verifyWindow(LoadOp op) {
  auto storage = dyn_cast<MemRefType>(op.getSource().getType());
  auto window = storage ? op.getWindow() : std::nullopt;
  bool isView = llvm::all_of(op.getBoundary(), [](Attribute boundary) {
    return cast<BoundaryAttr>(boundary).getValue() == Boundary::Open;
  });
  if (!window || !isView)
    return success();
  auto tick = op->getParentOfType<TickOp>();
  ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
  for (auto [axis, move] : llvm::enumerate(*window)) {
    auto [side, distance] = move;
    int64_t offset = tick.hasBox() ? tick.getStaticOffsets()[side] : 0;
    int64_t extent = tick.hasBox() ? tick.getStaticExtents()[side] : shape[side];
    if (ShapedType::isDynamic(offset) || extent == 0)
      continue;
    std::optional<int64_t> first = llvm::checkedAdd(offset, distance);
    if (first && isWithin(*first, extent, tick.getStridesOrOnes()[side], storage.getDimSize(axis)))
      continue;
    return op.emitOpError("expected a window inside of ")
           << ErrorId::InvalidAttribute << storage << ", but it leaves axis " << axis;
  }
  return success();
}

LogicalResult LoadOp::verify() {
  auto source = cast<ShapedType>(getSource().getType());
  AffineMap map = getMap();
  if (map.getNumSymbols() != 0)
    return emitOpError("expected a map without symbols, but got ")
           << ErrorId::InvalidAttribute << map.getNumSymbols();
  if (map.getNumDims() != getIndices().size())
    return emitOpError("expected ") << ErrorId::InvalidAttribute << map.getNumDims()
                                    << " indices, but got " << getIndices().size();
  if (map.getNumResults() != source.getRank() ||
      static_cast<int64_t>(getBoundary().size()) != source.getRank())
    return emitOpError("expected a map result and a boundary for each of ")
           << ErrorId::InvalidAttribute << source.getRank() << " axes, but got "
           << map.getNumResults() << " and " << getBoundary().size();
  if (getResult().getType() != source.getElementType())
    return emitOpError("expected a result of type ")
           << ErrorId::InvalidTypes << source.getElementType() << ", but got "
           << getResult().getType();
  return failure(failed(verifyForms(*this, map.getResults(), "a map")) ||
                 failed(verifyWindow(*this)));
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (isa<BaseMemRefType>(getSource().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

Boundary LoadOp::getBoundaryOf(unsigned axis) {
  return cast<BoundaryAttr>(getBoundary()[axis]).getValue();
}

LogicalResult TableOp::verify() {
  int64_t rank = getTable().getType().getRank(), numIndices = getIndices().size();
  if (numIndices != rank)
    return emitOpError("expected ")
           << ErrorId::InvalidAttribute << rank << " indices, but got " << numIndices;
  return success();
}

/// Verifies that there is a value of the element type for each array.
static LogicalResult verifyStored(InstallOp op, ValueRange values, ValueRange arrays,
                                  StringRef what) {
  if (values.size() != arrays.size())
    return op.emitOpError("expected ") << ErrorId::InvalidTypes << arrays.size() << " " << what
                                       << "s, but got " << values.size();
  for (auto [value, array] : llvm::zip_equal(values, arrays)) {
    Type element = cast<ShapedType>(array.getType()).getElementType();
    if (value.getType() != element)
      return op.emitOpError("expected a ") << ErrorId::InvalidTypes << what << " of type "
                                           << element << ", but got " << value.getType();
  }
  return success();
}

/// Verifies that a tally is a truth value or can be added to the counters.
static LogicalResult verifyTallies(InstallOp op, Value counts) {
  Type counter = cast<ShapedType>(counts.getType()).getElementType();
  for (Type type : op.getTallies().getTypes())
    if (!type.isInteger(1) && type != counter)
      return op.emitOpError("expected tallies of type i1 or ")
             << ErrorId::InvalidTypes << counter << ", but got " << type;
  return success();
}

LogicalResult InstallOp::verify() {
  auto tick = cast<TickOp>((*this)->getParentOp());
  if (failed(verifyStored(*this, getTokens(), tick.getTargets(), "token")) ||
      failed(verifyStored(*this, getBoxed(), tick.getBoxed(), "boxed value")))
    return failure();
  if (getTallies().size() != getSlots().size())
    return emitOpError("expected a slot for each tally, but got ")
           << ErrorId::InvalidAttribute << getTallies().size() << " tallies and "
           << getSlots().size() << " slots";
  if (!getTallies().empty() && !tick.getCounts())
    return emitOpError("tallies, but the tick has no counts") << ErrorId::InvalidAttribute;
  if (!getTallies().empty() && failed(verifyTallies(*this, tick.getCounts())))
    return failure();
  for (int64_t slot : getSlots())
    if (failed(verifySlot(*this, tick.getCounts(), slot)))
      return failure();
  if (static_cast<bool>(getScore()) != static_cast<bool>(tick.getScores()))
    return emitOpError(getScore() ? "has a score, but the tick has no scores"
                                  : "expected a score for the scores of the tick")
           << ErrorId::InvalidAttribute;
  return success();
}

LogicalResult KeepSurestOp::verify() {
  if (failed(verifyOutside(*this)))
    return failure();
  auto before = cast<ShapedType>(getBefore().getType());
  auto after = cast<ShapedType>(getAfter().getType());
  bool isTensor = isa<TensorType>(after);
  if (before.getShape() != after.getShape() || isa<TensorType>(before) != isTensor ||
      before.getElementType() != after.getElementType())
    return emitOpError("expected two states of one value, but got ")
           << ErrorId::InvalidTypes << before << " and " << after;
  if (!holdsScoresOf(getScores(), getAfter()))
    return emitOpError("expected an f32 for each cell of ")
           << ErrorId::InvalidTypes << after << ", but got scores of type "
           << getScores().getType();
  float fraction = getFraction().convertToFloat();
  if (!(fraction >= 0 && fraction <= 1))
    return emitOpError("expected a fraction from 0 to 1, but got ")
           << ErrorId::InvalidAttribute << getFractionAttr();
  if (static_cast<bool>(getCounts()) != getSlot().has_value())
    return emitOpError("expected counts and a slot of them together") << ErrorId::InvalidAttribute;
  if (getCounts() && (failed(verifyCounts(*this, getCounts())) ||
                      failed(verifySlot(*this, getCounts(), static_cast<int64_t>(*getSlot())))))
    return failure();
  SmallVector<Type> expected;
  if (isTensor)
    expected.push_back(after);
  if (isTensor && getCounts())
    expected.push_back(getCounts().getType());
  if (TypeRange(getResultTypes()) == TypeRange(expected))
    return success();
  return emitOpError("expected results of types (")
         << ErrorId::InvalidTypes << expected << "), but got (" << getResultTypes() << ")";
}

void KeepSurestOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (isa<TensorType>(getAfter().getType()))
    return;
  for (OpOperand &operand : getOperation()->getOpOperands())
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
  effects.emplace_back(MemoryEffects::Write::get(), &getAfterMutable());
  if (getCounts())
    effects.emplace_back(MemoryEffects::Write::get(), &*getCountsMutable().begin());
}

LogicalResult AgreeOp::verify() {
  if (!getTerminator<CandidateOp>(getBody().front()))
    return emitOpError("expected a body that ends in 'lci.candidate'") << ErrorId::InvalidBody;
  return verifyBodyArguments(*this, getBody().front(), 0, IntegerType::get(getContext(), 64));
}

CandidateOp AgreeOp::getCandidate() { return cast<CandidateOp>(getBody().front().getTerminator()); }

/// Candidates lie between the bounds. The winner does too, but its range is not propagated: its
/// users would be narrowed to few bits, between conversions, which makes Sudoku take 1.7 times
/// as long.
void AgreeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges, SetIntRangeFn setRange) {
  const APInt &low = ranges[0].smin(), &end = ranges[1].smax();
  APInt last = end.sgt(low) ? APInt(end - 1) : low;
  setRange(getBody().getArgument(0), ConstantIntRanges::fromSigned(low, last));
  setRange(getWinner(), ConstantIntRanges::maxRange(64));
  setRange(getFound(), ConstantIntRanges::maxRange(1));
}
