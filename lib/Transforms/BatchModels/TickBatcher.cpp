//===- TickBatcher.cpp - One tick that asks a model, by tiles -----------------===//

#include "TickBatcher.h"
#include "BatchFunction.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Maps the body's arguments for the cell of that number in the tick's box.
void TickBatcher::enterCell(Value flat) {
  cell.clear();
  SmallVector<OpFoldResult> extents = tick.getMixedExtents(), offsets = tick.getMixedOffsets();
  SmallVector<int64_t> strides = tick.getStridesOrOnes();
  SmallVector<Value> indices(tick.getRank());
  Value rest = flat;
  for (unsigned axis : llvm::reverse(llvm::seq(tick.getRank()))) {
    Value extent = getValueOrCreateConstantIndexOp(b, loc, extents[axis]);
    Value position = axis == 0 ? rest : Value(arith::RemUIOp::create(b, loc, rest, extent));
    rest = arith::DivUIOp::create(b, loc, rest, extent);
    Value stride = arith::ConstantIndexOp::create(b, loc, strides[axis]);
    Value offset = getValueOrCreateConstantIndexOp(b, loc, offsets[axis]);
    Value step = arith::MulIOp::create(b, loc, position, stride);
    indices[axis] = arith::AddIOp::create(b, loc, offset, step);
  }
  cell.map(tick.getIndexArguments(), indices);
  cell.map(tick.getEpochArgument(), tick.getEpoch());
  cell.map(tick.getPhaseArgument(), tick.getPhase());
  cell.map(tick.getSeedArgument(), tick.getSeed());
  for (auto [argument, input] : llvm::zip(tick.getInputArguments(), tick.getInputs()))
    cell.map(argument, input);
}

/// Whether the cell of that number is not asked about; null if it surely is.
Value TickBatcher::isSkipped(Value flat) {
  enterCell(flat);
  Value skipped;
  if (Value settled = tick.getInstall().getSettled())
    skipped = compute(settled);
  std::optional<IntegerSet> cells = tick.getCells();
  if (!cells)
    return skipped;
  SmallVector<Value> indices = llvm::map_to_vector(tick.getIndexArguments(),
                                                   [&](Value index) { return cell.lookup(index); });
  Value member = buildMembership(b, loc, *cells, indices, getIndexRanges(tick), tick.getPhase());
  if (!member)
    return skipped;
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value outside = arith::XOrIOp::create(b, loc, member, yes);
  return skipped ? Value(arith::OrIOp::create(b, loc, skipped, outside)) : outside;
}

/// How many cells of the tick's box the model is asked about.
Value TickBatcher::countNeeded() {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, countCells(), one, zero);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value skipped = isSkipped(loop.getInductionVar());
  Value count = loop.getRegionIterArg(0);
  if (skipped) {
    Value next = arith::AddIOp::create(b, loc, count, one);
    count = arith::SelectOp::create(b, loc, skipped, count, next);
  } else {
    count = arith::AddIOp::create(b, loc, count, one);
  }
  scf::YieldOp::create(b, loc, count);
  return loop.getResult(0);
}

/// Writes down the next `count` cells that are needed, from the number `next` on; there are as
/// many. Returns the number after the last.
Value TickBatcher::pick(Value next, Value count) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one, next);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  auto search = scf::WhileOp::create(
      b, loc, b.getIndexType(), loop.getRegionIterArg(0),
      [&](OpBuilder &, Location, ValueRange now) {
        Value skipped = isSkipped(now.front());
        if (!skipped)
          skipped = arith::ConstantIntOp::create(b, loc, 0, 1);
        scf::ConditionOp::create(b, loc, skipped, now);
      },
      [&](OpBuilder &, Location, ValueRange now) {
        Value after = arith::AddIOp::create(b, loc, now.front(), one);
        scf::YieldOp::create(b, loc, after);
      });
  Value found = search.getResult(0);
  memref::StoreOp::create(b, loc, found, picked, loop.getInductionVar());
  scf::YieldOp::create(b, loc, Value(arith::AddIOp::create(b, loc, found, one)));
  return loop.getResult(0);
}

/// A loop over the rows of a tile: its cells were picked, or follow each other from `first` on.
void TickBatcher::emitCells(Value first, Value count, llvm::function_ref<void(Value row)> step) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = loop.getInductionVar();
  enterCell(first ? Value(arith::AddIOp::create(b, loc, first, row))
                  : Value(memref::LoadOp::create(b, loc, picked, row)));
  step(row);
}

/// A load outside of a tick is a plain one, with its indices kept inside as the boundary says.
Value TickBatcher::plainLoad(LoadOp load) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(load);
  auto source = cast<MemRefType>(load.getSource().getType());
  SmallVector<Value> indices = buildIndices(b, loc, load.getMap(), load.getIndices());
  for (auto [axis, index] : llvm::enumerate(indices))
    index = buildBounded(b, loc, index, source.getDimSize(axis), load.getBoundaryOf(axis),
                         /*oneTurn=*/false);
  Value loaded = memref::LoadOp::create(b, loc, load.getSource(), indices);
  load.replaceAllUsesWith(loaded);
  load.erase();
  return loaded;
}

Value TickBatcher::compute(Value value) {
  if (Value known = cell.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getParentRegion() != &tick.getBody())
    return value; // from around the tick, or inside a region that is being cloned
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value operand : op->getOperands())
    compute(operand);
  for (Value operand : captured)
    compute(operand);
  Operation *clone = b.clone(*op, cell);
  if (auto load = dyn_cast<LoadOp>(clone)) {
    cell.map(value, plainLoad(load));
    return cell.lookup(value);
  }
  SmallVector<LoadOp> inside;
  clone->walk([&](LoadOp load) { inside.push_back(load); });
  llvm::for_each(inside, [&](LoadOp load) { plainLoad(load); });
  return cell.lookup(value);
}

//===----------------------------------------------------------------------===//
// What the model is given
//===----------------------------------------------------------------------===//

/// Whether an operand is the same for all cells: an input of the tick as a whole.
bool TickBatcher::isWeight(Value operand) {
  auto whole = operand.getDefiningOp<bufferization::ToTensorOp>();
  auto argument = whole ? dyn_cast<BlockArgument>(whole.getBuffer()) : nullptr;
  return argument && argument.getOwner() == &tick.getBody().front();
}

/// One element of a tensor that the body puts together, without building the tensor if possible.
Value TickBatcher::element(Value tensor, int64_t position) {
  Operation *op = tensor.getDefiningOp();
  if (auto elements = dyn_cast_or_null<tensor::FromElementsOp>(op))
    return compute(elements.getElements()[position]);
  if (op && op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1) {
    OperationState state(loc, op->getName());
    for (Value operand : op->getOperands())
      state.addOperands(element(operand, position));
    state.addTypes(getElementTypeOrSelf(tensor.getType()));
    state.addAttributes(op->getAttrs());
    return b.create(state)->getResult(0);
  }
  DenseElementsAttr constant;
  if (matchPattern(tensor, m_Constant(&constant)))
    return arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(*(constant.value_begin<Attribute>() + position)));
  Value index = arith::ConstantIndexOp::create(b, loc, position);
  return tensor::ExtractOp::create(b, loc, compute(tensor), index);
}

/// Buffers live as long as the function: there is no allocation inside of a tick.
Value TickBatcher::makeBuffer(Type type) {
  auto function = tick->getParentOfType<func::FuncOp>();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  SmallVector<int64_t> shape{tile};
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    llvm::append_range(shape, shaped.getShape());
  auto memref = MemRefType::get(shape, getElementTypeOrSelf(type));
  Value buffer = memref::AllocOp::create(b, loc, memref, b.getI64IntegerAttr(64));
  // The last tile may be partly empty; what stands there is evaluated too and must be some token.
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(memref.getElementType()));
  linalg::FillOp::create(b, loc, zero, buffer);
  b.setInsertionPoint(function.getBody().front().getTerminator());
  memref::DeallocOp::create(b, loc, buffer);
  return buffer;
}

void TickBatcher::makeBuffers(Ask &ask) {
  if (!ask.buffers.answered.empty())
    return;
  for (Value operand : ask.call.getOperands())
    ask.buffers.given.push_back(isWeight(operand) ? Value() : makeBuffer(operand.getType()));
  for (Type type : ask.call.getResultTypes())
    ask.buffers.answered.push_back(makeBuffer(type));
}

void TickBatcher::gather(Ask &ask, Value row) {
  for (auto [operand, buffer] : llvm::zip(ask.call.getOperands(), ask.buffers.given)) {
    if (!buffer)
      continue;
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type) {
      memref::StoreOp::create(b, loc, compute(operand), buffer, row);
      continue;
    }
    for (int64_t position = 0; position < type.getNumElements(); ++position) {
      Value index = arith::ConstantIndexOp::create(b, loc, position);
      Value value = element(operand, position);
      memref::StoreOp::create(b, loc, value, buffer, ValueRange{row, index});
    }
  }
}

//===----------------------------------------------------------------------===//
// The model, and what follows from its answer
//===----------------------------------------------------------------------===//

LogicalResult TickBatcher::evaluate(Ask &ask) {
  BatchFunction batched(b, tile);
  for (auto [argument, operand, buffer] :
       llvm::zip(ask.model.getArguments(), ask.call.getOperands(), ask.buffers.given)) {
    Value source = buffer;
    if (!source) { // a weight; all cells share it
      Value whole = operand.getDefiningOp<bufferization::ToTensorOp>().getBuffer();
      source = tick.getInputs()[cast<BlockArgument>(whole).getArgNumber() - tick.getRank() - 3];
    }
    auto type = cast<MemRefType>(source.getType());
    auto tensorType = RankedTensorType::get(type.getShape(), type.getElementType());
    auto tensor = bufferization::ToTensorOp::create(b, loc, tensorType, source, b.getUnitAttr());
    batched.setArgument(argument, tensor, static_cast<bool>(buffer));
  }
  if (failed(batched.emit(ask.model)))
    return failure();
  Operation *terminator = ask.model.getBody().front().getTerminator();
  for (auto [answer, buffer] : llvm::zip(terminator->getOperands(), ask.buffers.answered)) {
    auto copy = bufferization::MaterializeInDestinationOp::create(
        b, loc, batched.getBatched(answer), buffer);
    copy.setWritable(true);
    copy.setRestrict(true);
  }
  return success();
}

void TickBatcher::tally() {
  InstallOp end = tick.getInstall();
  for (auto [truth, slot] : llvm::zip(end.getTallies(), end.getSlots())) {
    Value index = arith::ConstantIndexOp::create(b, loc, slot);
    Value old = memref::LoadOp::create(b, loc, tick.getCounts(), index);
    Value one = arith::ExtUIOp::create(b, loc, old.getType(), compute(truth));
    Value sum = arith::AddIOp::create(b, loc, old, one);
    memref::StoreOp::create(b, loc, sum, tick.getCounts(), index);
  }
}

void TickBatcher::install(Value row) {
  SmallVector<Value> indices;
  for (Value index : tick.getIndexArguments())
    indices.push_back(cell.lookup(index));
  InstallOp end = tick.getInstall();
  Value token = compute(end.getToken()), condition = compute(end.getCondition());
  Value score = end.getScore() ? compute(end.getScore()) : Value();
  tally();
  auto onlyIf = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(onlyIf.thenBlock());
  memref::StoreOp::create(b, loc, token, tick.getTarget(), indices);
  if (end.getScore())
    memref::StoreOp::create(b, loc, score, tick.getScores(), indices);
}

/// Elements of an answer become those of its row in the tile.
void TickBatcher::takeElements(const Ask &ask, Value row, Block *block) {
  func::CallOp call = ask.call;
  SmallVector<tensor::ExtractOp> extracts;
  block->walk([&](tensor::ExtractOp extract) {
    if (llvm::is_contained(call.getResults(), extract.getTensor()))
      extracts.push_back(extract);
  });
  for (tensor::ExtractOp extract : extracts) {
    unsigned number = cast<OpResult>(extract.getTensor()).getResultNumber();
    OpBuilder at(extract);
    SmallVector<Value> indices{row};
    llvm::append_range(indices, extract.getIndices());
    Value buffer = ask.buffers.answered[number];
    extract.replaceAllUsesWith(
        memref::LoadOp::create(at, extract.getLoc(), buffer, indices).getResult());
    extract.erase();
  }
}

/// A step for one cell that knows the answers of the models that were asked so far.
void TickBatcher::takeAnswers(ArrayRef<Ask> known, Value row, llvm::function_ref<void()> step) {
  // A scalar answer is known at once; elements of a tensor are loaded where they are looked at.
  for (const Ask &ask : known)
    for (auto [result, buffer] :
         llvm::zip(func::CallOp(ask.call).getResults(), ask.buffers.answered))
      if (!isa<RankedTensorType>(result.getType()))
        cell.map(result, memref::LoadOp::create(b, loc, buffer, row));
      else
        cell.map(result, result);
  step();
  for (const Ask &ask : known)
    takeElements(ask, row, b.getInsertionBlock());
}

/// Whether a value of the body is computed from an operation's results.
static bool dependsOn(Value value, Operation *source) {
  SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> open{value};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (op == source)
      return true;
    op->walk([&](Operation *inner) { llvm::append_range(open, inner->getOperands()); });
  }
  return false;
}

LogicalResult TickBatcher::checkAnswers() {
  for (Ask &ask : asks)
    for (Operation *user : ask.call->getUsers())
      if (!isa<tensor::ExtractOp>(user) && isa<RankedTensorType>(user->getOperand(0).getType()))
        return user->emitOpError("uses a model's answer as a whole, which is never stored");
  return success();
}

LogicalResult TickBatcher::run() {
  if (failed(checkAnswers()))
    return failure();
  // What a model itself has a say in is known only after it was asked.
  Value settled = tick.getInstall().getSettled();
  if (settled && (matchPattern(settled, m_Zero()) ||
                  llvm::any_of(asks, [&](Ask &ask) { return dependsOn(settled, ask.call); })))
    foldSettled(tick);
  for (Ask &ask : asks)
    makeBuffers(ask);
  bool picks = tick.getInstall().getSettled() || tick.getCells();
  if (failed(picks ? emitPicked() : emitAll()))
    return failure();
  tick.erase();
  return success();
}

Value TickBatcher::countCells() {
  Value total = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult extent : tick.getMixedExtents())
    total = arith::MulIOp::create(b, loc, total, getValueOrCreateConstantIndexOp(b, loc, extent));
  return total;
}

/// Gathers, evaluates and finishes the cells of one tile.
LogicalResult TickBatcher::emitTile(Value first, Value count) {
  for (Ask &ask : asks) {
    // What one model answers another one may be given.
    ArrayRef<Ask> known = ArrayRef(asks).take_front(&ask - asks.begin());
    emitCells(first, count, [&](Value row) { takeAnswers(known, row, [&] { gather(ask, row); }); });
    if (failed(evaluate(ask)))
      return failure();
  }
  emitCells(first, count, [&](Value row) { takeAnswers(asks, row, [&] { install(row); }); });
  return success();
}

/// Tiles of all cells of the box.
LogicalResult TickBatcher::emitAll() {
  OpBuilder::InsertionGuard guard(b);
  Value total = countCells(), zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto tiles = scf::ForOp::create(b, loc, zero, total, step);
  b.setInsertionPointToStart(tiles.getBody());
  Value first = tiles.getInductionVar();
  Value left = arith::SubIOp::create(b, loc, total, first);
  return emitTile(first, arith::MinUIOp::create(b, loc, left, step));
}

/// Tiles of the cells that are needed, in their order.
LogicalResult TickBatcher::emitPicked() {
  OpBuilder::InsertionGuard guard(b);
  if (!picked)
    picked = makeBuffer(b.getIndexType());
  Value needed = countNeeded(), zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto tiles = scf::ForOp::create(b, loc, zero, needed, step, zero);
  b.setInsertionPointToStart(tiles.getBody());
  Value left = arith::SubIOp::create(b, loc, needed, tiles.getInductionVar());
  Value count = arith::MinUIOp::create(b, loc, left, step);
  Value next = pick(tiles.getRegionIterArg(0), count);
  if (failed(emitTile(nullptr, count)))
    return failure();
  scf::YieldOp::create(b, loc, next);
  return success();
}
