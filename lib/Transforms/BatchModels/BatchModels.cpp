//===- BatchModels.cpp - Ask a model about many cells at once ---------------===//
//
// A tick that calls a per-cell function becomes a loop over tiles of its cells with three steps:
// gather what the function is given into a buffer, evaluate the function for the whole tile, then
// finish each cell. The function's answers exist for one tile only.
//
//===----------------------------------------------------------------------===//

#include "BatchFunction.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::lci {
#define GEN_PASS_DEF_BATCHMODELSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// A tile's buffers for one model in one function: of the call's operands (null for weights) and of
/// its results. Ticks follow each other, so they share them.
struct Buffers {
  SmallVector<Value> given, answered;
};

/// Rewrites one tick.
class TickBatcher {
public:
  TickBatcher(TickOp tick, func::CallOp call, func::FuncOp model, int64_t tile, Buffers &buffers)
      : tick(tick), call(call), model(model), tile(tile), b(tick), loc(tick.getLoc()),
        given(buffers.given), answered(buffers.answered) {}
  LogicalResult run();

private:
  void makeBuffers();
  Value makeBuffer(Type type);
  void emitCells(Value first, Value count, llvm::function_ref<void(Value row)> step);
  void enterCell(Value flat);
  void gather(Value row);
  LogicalResult evaluate();
  void finish(Value row);
  void install(Value row);
  void tally();

  // A cell's own computation, cloned on demand out of the tick's body.
  Value compute(Value value);
  Value element(Value tensor, int64_t position);
  Value plainLoad(LoadOp load);
  bool isWeight(Value operand);

  TickOp tick;
  func::CallOp call;
  func::FuncOp model;
  int64_t tile;
  OpBuilder b;
  Location loc;
  IRMapping cell; // the body's values for the current cell
  SmallVector<Value> &given, &answered;
};
} // namespace

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

/// A loop over the rows of a tile.
void TickBatcher::emitCells(Value first, Value count, llvm::function_ref<void(Value row)> step) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, count, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value row = loop.getInductionVar();
  enterCell(arith::AddIOp::create(b, loc, first, row));
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

void TickBatcher::makeBuffers() {
  if (!answered.empty())
    return;
  for (Value operand : call.getOperands())
    given.push_back(isWeight(operand) ? Value() : makeBuffer(operand.getType()));
  for (Type type : call.getResultTypes())
    answered.push_back(makeBuffer(type));
}

void TickBatcher::gather(Value row) {
  for (auto [operand, buffer] : llvm::zip(call.getOperands(), given)) {
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

LogicalResult TickBatcher::evaluate() {
  BatchFunction batched(b, tile);
  for (auto [argument, operand, buffer] :
       llvm::zip(model.getArguments(), call.getOperands(), given)) {
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
  if (failed(batched.emit(model)))
    return failure();
  Operation *terminator = model.getBody().front().getTerminator();
  for (auto [answer, buffer] : llvm::zip(terminator->getOperands(), answered)) {
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
  tally();
  auto onlyIf = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(onlyIf.thenBlock());
  memref::StoreOp::create(b, loc, token, tick.getTarget(), indices);
}

void TickBatcher::finish(Value row) {
  // A scalar answer is known at once; elements of a tensor are loaded where they are looked at.
  for (auto [result, buffer] : llvm::zip(call.getResults(), answered))
    if (!isa<RankedTensorType>(result.getType()))
      cell.map(result, memref::LoadOp::create(b, loc, buffer, row));
    else
      cell.map(result, result);
  OpBuilder::InsertionGuard guard(b);
  if (std::optional<IntegerSet> cells = tick.getCells()) { // some of the box are up in this phase
    SmallVector<Value> indices = llvm::map_to_vector(
        tick.getIndexArguments(), [&](Value index) -> Value { return cell.lookup(index); });
    Value isUp = buildMembership(b, loc, *cells, indices, tick.getPhase());
    b.setInsertionPointToStart(scf::IfOp::create(b, loc, isUp, false).thenBlock());
  }
  install(row);
  SmallVector<tensor::ExtractOp> extracts;
  b.getInsertionBlock()->walk([&](tensor::ExtractOp extract) {
    if (llvm::is_contained(call.getResults(), extract.getTensor()))
      extracts.push_back(extract);
  });
  for (tensor::ExtractOp extract : extracts) {
    unsigned number = cast<OpResult>(extract.getTensor()).getResultNumber();
    OpBuilder at(extract);
    SmallVector<Value> indices{row};
    llvm::append_range(indices, extract.getIndices());
    extract.replaceAllUsesWith(
        memref::LoadOp::create(at, loc, answered[number], indices).getResult());
    extract.erase();
  }
}

LogicalResult TickBatcher::run() {
  for (Operation *user : call->getUsers())
    if (!isa<tensor::ExtractOp>(user) && isa<RankedTensorType>(user->getOperand(0).getType()))
      return user->emitOpError("uses a model's answer as a whole, which is never stored");
  makeBuffers();
  Value total = arith::ConstantIndexOp::create(b, loc, 1);
  for (OpFoldResult extent : tick.getMixedExtents())
    total = arith::MulIOp::create(b, loc, total, getValueOrCreateConstantIndexOp(b, loc, extent));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto tiles = scf::ForOp::create(b, loc, zero, total, step);
  b.setInsertionPointToStart(tiles.getBody());
  Value first = tiles.getInductionVar();
  Value left = arith::SubIOp::create(b, loc, total, first);
  Value count = arith::MinUIOp::create(b, loc, left, step);
  emitCells(first, count, [&](Value row) { gather(row); });
  if (failed(evaluate()))
    return failure();
  emitCells(first, count, [&](Value row) { finish(row); });
  tick.erase();
  return success();
}

namespace {
struct BatchModels : lci::impl::BatchModelsPassBase<BatchModels> {
  using BatchModelsPassBase::BatchModelsPassBase;

  llvm::SetVector<func::FuncOp> models;
  llvm::DenseMap<std::pair<Operation *, Operation *>, Buffers> buffers; // by function and model

  LogicalResult generalize(func::FuncOp model) {
    SmallVector<linalg::LinalgOp> named;
    model.walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op))
        named.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::generalizeNamedOp(rewriter, op)))
        return op.emitOpError(
            "has no batched form; docs/models.md lists the operations that have one");
    }
    return success();
  }

  LogicalResult batch(TickOp tick) {
    SmallVector<func::CallOp> calls;
    tick.getBody().walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return success();
    if (tile <= 0)
      return tick.emitOpError("asks the model '")
             << calls.front().getCallee() << "', which is not lowered for this target yet";
    if (tick.hasTensorSemantics())
      return tick.emitOpError("asks a model on tensors; run 'lci-materialize-state' first");
    if (calls.size() > 1 || calls.front()->getParentRegion() != &tick.getBody())
      return tick.emitOpError("asks models ") << calls.size()
                                              << " times, but only one call at the "
                                                 "top of the body is batched";
    auto model = getOperation().lookupSymbol<func::FuncOp>(calls.front().getCallee());
    if (!model || model.isExternal())
      return calls.front().emitOpError("expected a model with a body");
    if (failed(generalize(model)))
      return failure();
    models.insert(model);
    ++numTicks;
    Buffers &shared = buffers[{tick->getParentOfType<func::FuncOp>(), model}];
    return TickBatcher(tick, calls.front(), model, tile, shared).run();
  }

  void runOnOperation() override {
    models.clear();
    buffers.clear();
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) { ticks.push_back(tick); });
    for (TickOp tick : ticks)
      if (failed(batch(tick)))
        return signalPassFailure();
    // Nobody calls the per-cell functions any more.
    for (func::FuncOp model : models)
      if (SymbolTable::symbolKnownUseEmpty(model, getOperation()))
        model.erase();
  }
};
} // namespace
