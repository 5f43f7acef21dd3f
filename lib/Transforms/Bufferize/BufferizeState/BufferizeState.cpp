//===- BufferizeState.cpp - Bufferize arrays into memrefs with halos ------===//
//
// The pass, and the emission of everything but ticks: loops and branches carry both ping-pong
// buffers of an array, the one with the state first; returns copy results home; constants and
// tables get buffers. The description of the pass is in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Transforms/Bufferize/Passes.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {
#define GEN_PASS_DEF_BUFFERIZESTATEPASS
#include "LCI/Transforms/Bufferize/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bufferstate;

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

FailureOr<unsigned> Emitter::find(Operation *op, Value tensor) {
  Buffers &mine = buffers[flow.arrayOf(tensor)];
  for (auto [position, held] : llvm::enumerate(mine.held))
    if (held == tensor)
      return static_cast<unsigned>(position);
  return LogicalResult(op->emitOpError("asks for a state that has been overwritten")
                       << ErrorId::NotLowered);
}

FailureOr<Value> Emitter::storageOf(Operation *op, Value tensor) {
  FailureOr<unsigned> position = find(op, tensor);
  if (failed(position))
    return failure();
  return buffers[flow.arrayOf(tensor)].storage[*position];
}

LogicalResult Emitter::checkWritable(Operation *op, unsigned array) {
  if (!buffers[array].isFrozen)
    return success();
  return op->emitOpError("writes an array that the loop around it does not carry")
         << ErrorId::NotLowered;
}

Value Emitter::interior(Value storage, const ArrayInfo &info) {
  if (!info.hasHalo())
    return storage;
  SmallVector<int64_t> ones(info.type.getRank(), 1);
  return memref::SubViewOp::create(builder, storage.getLoc(), storage, info.low,
                                   info.type.getShape(), ones);
}

SmallVector<Value> Emitter::lookup(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return mapping.lookup(value); });
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Operands of a terminator: both buffers of an array with two, the one with the state first.
FailureOr<SmallVector<Value>> Emitter::emitYields(Operation *op, ValueRange yielded) {
  SmallVector<Value> values;
  for (Value value : yielded) {
    if (!isa<RankedTensorType>(value.getType())) {
      values.push_back(mapping.lookup(value));
      continue;
    }
    FailureOr<unsigned> position = find(op, value);
    if (failed(position))
      return failure();
    const Buffers &mine = buffers[flow.arrayOf(value)];
    if (mine.storage.size() == 2)
      llvm::append_values(values, mine.storage[*position], mine.storage[1 - *position]);
  }
  return values;
}

/// Binds the values that `emitYields` forwards as the buffers of these tensors.
static void takeYields(ValueRange tensors, ValueRange forwarded, const StateFlow &flow,
                       SmallVectorImpl<Buffers> &buffers, IRMapping &mapping) {
  for (Value tensor : tensors) {
    if (!isa<RankedTensorType>(tensor.getType())) {
      mapping.map(tensor, forwarded.front());
      forwarded = forwarded.drop_front();
      continue;
    }
    Buffers &mine = buffers[flow.arrayOf(tensor)];
    mine.isFrozen = false;
    mine.held.front() = tensor;
    if (mine.storage.size() == 1)
      continue;
    mine.held.back() = Value();
    mine.storage = {forwarded[0], forwarded[1]};
    forwarded = forwarded.drop_front(2);
  }
}

LogicalResult Emitter::emitLoopBody(scf::ForOp loop, scf::ForOp rebuilt) {
  OpBuilder::InsertionGuard guard(builder);
  mapping.map(loop.getInductionVar(), rebuilt.getInductionVar());
  if (!rebuilt.getBody()->empty())
    rebuilt.getBody()->getTerminator()->erase();
  builder.setInsertionPointToStart(rebuilt.getBody());
  for (Buffers &mine : buffers)
    mine.isFrozen = true;
  takeYields(loop.getRegionIterArgs(), rebuilt.getRegionIterArgs(), flow, buffers, mapping);
  if (failed(emitBlock(*loop.getBody())))
    return failure();
  FailureOr<SmallVector<Value>> values = emitYields(loop, loop.getYieldedValues());
  if (failed(values))
    return failure();
  scf::YieldOp::create(builder, loop.getLoc(), *values);
  return success();
}

LogicalResult Emitter::emitLoop(scf::ForOp loop) {
  FailureOr<SmallVector<Value>> inits = emitYields(loop, loop.getInitArgs());
  if (failed(inits))
    return failure();
  auto rebuilt = scf::ForOp::create(builder, loop.getLoc(), mapping.lookup(loop.getLowerBound()),
                                    mapping.lookup(loop.getUpperBound()),
                                    mapping.lookup(loop.getStep()), *inits);
  SmallVector<Buffers> outside = buffers;
  if (failed(emitLoopBody(loop, rebuilt)))
    return failure();
  buffers = std::move(outside);
  SmallVector<bool> frozen =
      llvm::map_to_vector(buffers, [](const Buffers &mine) { return mine.isFrozen; });
  takeYields(loop.getResults(), rebuilt.getResults(), flow, buffers, mapping);
  for (auto [mine, was] : llvm::zip_equal(buffers, frozen))
    mine.isFrozen = was;
  return success();
}

LogicalResult Emitter::emitBranch(scf::IfOp branch) {
  SmallVector<Type> types;
  for (Value result : branch.getResults()) {
    if (!isa<RankedTensorType>(result.getType()))
      types.push_back(result.getType());
    else if (const Buffers &mine = buffers[flow.arrayOf(result)]; mine.storage.size() == 2)
      types.append(2, mine.storage.front().getType());
  }
  bool hasElse = !branch.getElseRegion().empty();
  auto rebuilt = scf::IfOp::create(builder, branch.getLoc(), types,
                                   mapping.lookup(branch.getCondition()), hasElse);
  SmallVector<Buffers> before = buffers;
  for (auto [source, target] : llvm::zip_equal(branch->getRegions(), rebuilt->getRegions())) {
    if (source.empty())
      continue;
    OpBuilder::InsertionGuard guard(builder);
    if (!target.front().empty())
      target.front().getTerminator()->erase();
    builder.setInsertionPointToStart(&target.front());
    buffers = before;
    if (failed(emitBlock(source.front())))
      return failure();
    FailureOr<SmallVector<Value>> values =
        emitYields(branch, source.front().getTerminator()->getOperands());
    if (failed(values))
      return failure();
    scf::YieldOp::create(builder, branch.getLoc(), *values);
  }
  buffers = std::move(before);
  takeYields(branch.getResults(), rebuilt.getResults(), flow, buffers, mapping);
  return success();
}

void Emitter::copyBack(Value from, Value to, const ArrayInfo &info) {
  Location loc = old.getLoc();
  Value source = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, from);
  Value target = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, to);
  Value differs = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, source, target);
  auto branch = scf::IfOp::create(builder, loc, differs, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value cells = interior(from, info), home = interior(to, info);
  linalg::CopyOp::create(builder, loc, cells, home);
}

LogicalResult Emitter::emitReturn(func::ReturnOp op) {
  SmallVector<Value> results;
  for (Value value : op.getOperands()) {
    if (!isa<RankedTensorType>(value.getType())) {
      results.push_back(mapping.lookup(value));
      continue;
    }
    FailureOr<Value> storage = storageOf(op, value);
    if (failed(storage))
      return failure();
    const ArrayInfo &info = flow.arrays()[flow.arrayOf(value)];
    auto argument = dyn_cast<BlockArgument>(info.first);
    Value home = argument ? rebuilt.getArgument(argument.getArgNumber()) : *storage;
    if (*storage != home)
      copyBack(*storage, home, info);
  }
  func::ReturnOp::create(builder, op.getLoc(), results);
  return success();
}

//===----------------------------------------------------------------------===//
// Other operations
//===----------------------------------------------------------------------===//

LogicalResult Emitter::emitExtract(tensor::ExtractOp op) {
  FailureOr<Value> storage = storageOf(op, op.getTensor());
  if (failed(storage))
    return failure();
  Value cells = interior(*storage, flow.arrays()[flow.arrayOf(op.getTensor())]);
  mapping.map(
      op.getResult(),
      memref::LoadOp::create(builder, op.getLoc(), cells, lookup(op.getIndices())).getResult());
  return success();
}

/// Written in place: `find` rejects later uses of the overwritten tensor.
LogicalResult Emitter::emitInsert(tensor::InsertOp op) {
  FailureOr<unsigned> position = find(op, op.getDest());
  unsigned array = flow.arrayOf(op.getDest());
  if (failed(position) || failed(checkWritable(op, array)))
    return failure();
  Value cells = interior(buffers[array].storage[*position], flow.arrays()[array]);
  memref::StoreOp::create(builder, op.getLoc(), mapping.lookup(op.getScalar()), cells,
                          lookup(op.getIndices()));
  buffers[array].held[*position] = op.getResult();
  return success();
}

/// A tensor created in the function: the caller's buffer if it is returned, else a constant buffer.
LogicalResult Emitter::emitLocal(Operation &op) {
  Value tensor = op.getResult(0);
  unsigned array = flow.arrayOf(tensor);
  const ArrayInfo &info = flow.arrays()[array];
  Location loc = op.getLoc();
  if (info.isResult && isa<tensor::EmptyOp>(op)) {
    buffers[array].held.front() = tensor;
    return success();
  }
  if (isa<tensor::EmptyOp>(op)) { // a destination; `lci-hoist-scratch` frees it
    OpBuilder start = OpBuilder::atBlockBegin(&rebuilt.getBody().front());
    buffers[array] = {{memref::AllocOp::create(start, loc, info.storageType())}, {tensor}};
    return success();
  }
  Value made = builder.clone(op, mapping)->getResult(0);
  if (info.hasHalo() || info.needsScratch)
    return op.emitOpError("cannot be given storage: it is read through windows")
           << ErrorId::NotLowered;
  Value buffer = bufferization::ToBufferOp::create(builder, loc, info.storageType(), made,
                                                   /*readOnly=*/true);
  if (!info.isResult) {
    buffers[array] = {{buffer}, {tensor}};
    buffers[array].isFrozen = true;
    return success();
  }
  if (auto vectors = made.getDefiningOp<tensor::SplatOp>()) {
    buffer.getDefiningOp()->erase();
    linalg::FillOp::create(builder, loc, vectors.getInput(), buffers[array].storage.front());
    vectors->erase();
    buffers[array].held.front() = tensor;
    return success();
  }
  DenseElementsAttr splat;
  if (matchPattern(made, m_Constant(&splat)) && splat.isSplat()) {
    buffer.getDefiningOp()->erase();
    made.getDefiningOp()->erase();
    auto value = cast<TypedAttr>(splat.getSplatValue<Attribute>());
    Value scalar = arith::ConstantOp::create(builder, loc, value);
    linalg::FillOp::create(builder, loc, scalar, buffers[array].storage.front());
  } else {
    linalg::CopyOp::create(builder, loc, buffer, buffers[array].storage.front());
  }
  buffers[array].held.front() = tensor;
  return success();
}

/// A table that is computed element by element, into a buffer that is the same in all iterations of
/// the loops around it.
LogicalResult Emitter::emitTable(tensor::GenerateOp table) {
  unsigned array = flow.arrayOf(table.getResult());
  const ArrayInfo &info = flow.arrays()[array];
  if (info.hasHalo() || info.needsScratch)
    return table.emitOpError("cannot be given storage: it is read through windows")
           << ErrorId::NotLowered;
  Location loc = table.getLoc();
  OpBuilder start = OpBuilder::atBlockBegin(&rebuilt.getBody().front());
  Value buffer = info.isResult ? buffers[array].storage.front()
                               : Value(memref::AllocOp::create(start, loc, info.storageType()));
  buffers[array] = {{buffer}, {table.getResult()}, /*isFrozen=*/true};
  OpBuilder::InsertionGuard guard(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> indices;
  for (int64_t extent : info.type.getShape()) {
    Value end = arith::ConstantIndexOp::create(builder, loc, extent);
    auto loop = scf::ForOp::create(builder, loc, zero, end, one);
    builder.setInsertionPointToStart(loop.getBody());
    indices.push_back(loop.getInductionVar());
  }
  Block &body = table.getBody().front();
  mapping.map(body.getArguments(), indices);
  if (failed(emitBlock(body)))
    return failure();
  Value element = mapping.lookup(cast<tensor::YieldOp>(body.getTerminator()).getValue());
  memref::StoreOp::create(builder, loc, element, buffer, indices);
  return success();
}

LogicalResult Emitter::emitOp(Operation &op) {
  if (auto tick = dyn_cast<TickOp>(op); tick && tick.hasTensorSemantics())
    return emitTick(tick);
  if (auto choice = dyn_cast<KeepSurestOp>(op))
    return emitChoice(choice);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitBranch(branch);
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return emitReturn(end);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return emitExtract(extract);
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return emitInsert(insert);
  if (auto table = dyn_cast<tensor::GenerateOp>(op))
    return emitTable(table);
  if (isa<scf::YieldOp, tensor::YieldOp>(op))
    return success();
  if (op.getNumResults() == 1 && isa<RankedTensorType>(op.getResult(0).getType()))
    return emitLocal(op);
  builder.clone(op, mapping);
  return success();
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOp(op)))
      return failure();
  return success();
}

LogicalResult Emitter::run() {
  builder.setInsertionPoint(old);
  buildSignature();
  bindBuffers();
  fillHalos();
  if (failed(emitBlock(old.getBody().front()))) {
    rebuilt.erase();
    return failure();
  }
  old.erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether a function is in the tick form on tensors, rather than a model.
static bool isTickForm(func::FuncOp function) {
  bool found = false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    found |= function.getArgAttr(i, kRole) && isa<TensorType>(function.getArgumentTypes()[i]);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    found |= function.getResultAttr(i, kRole) && isa<TensorType>(function.getResultTypes()[i]);
  function.walk([&](TickOp tick) { found |= tick.hasTensorSemantics(); });
  return found;
}

namespace {

struct BufferizeState : mlir::lci::impl::BufferizeStatePassBase<BufferizeState> {
  using BufferizeStatePassBase::BufferizeStatePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"alias-bytes", aliasBytes, 0}});
  }

  /// Several values may start from one constant; each needs a separate array.
  static void separateStarts(func::FuncOp function) {
    SmallVector<Operation *> starts;
    function.walk([&](Operation *op) {
      if (isa<arith::ConstantOp, tensor::EmptyOp, tensor::SplatOp>(op) &&
          isa<RankedTensorType>(op->getResult(0).getType()))
        starts.push_back(op);
    });
    for (Operation *start : starts)
      for (OpOperand &use : llvm::make_early_inc_range(llvm::drop_begin(start->getUses())))
        use.set(OpBuilder(start).clone(*start)->getResult(0));
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration() && isTickForm(function))
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      separateStarts(function);
      FailureOr<StateFlow> flow = StateFlow::compute(function, aliasBytes);
      if (failed(flow) || failed(Emitter(function, std::move(*flow)).run()))
        return signalPassFailure();
    }
  }
};

} // namespace
