//===- TickExchange.cpp - Operands and results of models ------------------===//
//
// In a tile's buffers the cells are contiguous for each element: a model's operations are batched
// over them. A cell's vector, which is one value in a register, is staged cell by cell and
// transposed, and so is a result that is read as a vector; threads, whose neighbours are
// neighbouring cells, write and read elements directly. Results of one model are operands of
// another one in place.
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Models/BatchFunction.h"
#include "TickBatcher.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

/// The buffer of a vector is padded to whole blocks of so many elements, for transposes by blocks.
static constexpr int64_t kBlock = 16;

/// The vector that is written to an operand, a tensor of one axis; null if there is none.
static Value getVector(Value operand) {
  auto write = operand.getDefiningOp<vector::TransferWriteOp>();
  return write ? write.getVector() : Value();
}

/// Whether a result is read as a vector.
static bool isWantedWhole(Value result) {
  return llvm::any_of(result.getUsers(), llvm::IsaPred<vector::TransferReadOp>);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Whether an operand is uniform over the cells: an input of the tick as a whole.
bool TickBatcher::isWeight(Value operand) {
  auto whole = operand.getDefiningOp<bufferization::ToTensorOp>();
  auto argument = whole ? dyn_cast<BlockArgument>(whole.getBuffer()) : nullptr;
  return argument && argument.getOwner() == &tick.getBody().front();
}

/// The buffer of the result of another model of the tick; null if the operand is no such result.
Value TickBatcher::answerOf(Value operand) {
  for (ModelCall &modelCall : modelCalls)
    if (operand.getDefiningOp() == modelCall.call)
      return modelCall.buffers.answered[cast<OpResult>(operand).getResultNumber()].elements;
  return nullptr;
}

/// Whether an operand must be gathered: the model uses it, and it is neither a weight nor a result.
bool TickBatcher::isMade(ModelCall &modelCall, unsigned number) {
  Value operand = modelCall.call.getOperand(number);
  return !modelCall.model.getArgument(number).use_empty() && !isWeight(operand) &&
         !answerOf(operand);
}

/// Buffers live as long as the function: there is no allocation inside of a tick. The last tile may
/// be partly empty; its other elements are evaluated too and must be valid tokens.
Value TickBatcher::makeBuffer(ArrayRef<int64_t> shape, Type element) {
  auto function = tick->getParentOfType<func::FuncOp>();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  auto memref = MemRefType::get(shape, element);
  Value buffer = memref::AllocOp::create(b, loc, memref, b.getI64IntegerAttr(64));
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  linalg::FillOp::create(b, loc, zero, buffer);
  b.setInsertionPoint(function.getBody().front().getTerminator());
  memref::DeallocOp::create(b, loc, buffer);
  return buffer;
}

/// The buffers of an operand or result of the cells of the tile: a scalar, a tensor, or a vector.
TileBuffer TickBatcher::makeTileBuffer(Type type, bool isVector) {
  SmallVector<int64_t> shape;
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    llvm::append_range(shape, shaped.getShape());
  shape.push_back(tile);
  Type element = getElementTypeOrSelf(type);
  if (!isVector)
    return {makeBuffer(shape, element), nullptr, nullptr};
  int64_t padded = llvm::alignTo(shape[0], kBlock);
  TileBuffer buffer;
  buffer.elements = buffer.padded = makeBuffer({padded, tile}, element);
  buffer.cells = makeBuffer({tile, padded}, element);
  if (padded == shape[0])
    return buffer;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(buffer.padded);
  SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0)), ones(2, b.getIndexAttr(1));
  buffer.elements = memref::SubViewOp::create(b, loc, buffer.padded, zeros,
                                              getAsIndexOpFoldResult(b.getContext(), shape), ones);
  return buffer;
}

/// Creates the buffers that no earlier tick has created.
void TickBatcher::makeBuffers(ModelCall &modelCall) {
  auto require = [&](TileBuffer &buffer, Type type, bool isVector) {
    isVector &= !threads;
    if (!buffer.elements || (isVector && !buffer.cells))
      buffer = makeTileBuffer(type, isVector);
  };
  modelCall.buffers.given.resize(modelCall.call.getNumOperands());
  modelCall.buffers.answered.resize(modelCall.call.getNumResults());
  for (auto [number, operand] : llvm::enumerate(modelCall.call.getOperands()))
    if (isMade(modelCall, number))
      require(modelCall.buffers.given[number], operand.getType(), getVector(operand) != nullptr);
  for (auto [result, buffer] : llvm::zip(modelCall.call.getResults(), modelCall.buffers.answered))
    require(buffer, result.getType(), isWantedWhole(result));
}

//===----------------------------------------------------------------------===//
// Operands of the model
//===----------------------------------------------------------------------===//

/// One element of a tensor that the body computes, without building the tensor if possible.
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

/// Stores a tensor that the body computes as a whole, by loops over its elements.
void TickBatcher::storeWhole(Value tensor, Value buffer, Value row) {
  Value whole = compute(tensor);
  SmallVector<Value> indices;
  std::function<void(ArrayRef<int64_t>)> visit = [&](ArrayRef<int64_t> shape) {
    if (shape.empty()) {
      Value element = tensor::ExtractOp::create(b, loc, whole, indices);
      SmallVector<Value> place(indices);
      place.push_back(row);
      memref::StoreOp::create(b, loc, element, buffer, place);
      return;
    }
    emitLoop(arith::ConstantIndexOp::create(b, loc, shape.front()), [&](Value index) {
      indices.push_back(index);
      visit(shape.drop_front());
      indices.pop_back();
    });
  };
  visit(cast<RankedTensorType>(tensor.getType()).getShape());
}

/// Stores the elements of a vector one by one.
void TickBatcher::storeElements(Value vector, Value buffer, Value row) {
  for (int64_t i = 0; i < cast<VectorType>(vector.getType()).getNumElements(); ++i) {
    Value element = vector::ExtractOp::create(b, loc, vector, i);
    Value index = arith::ConstantIndexOp::create(b, loc, i);
    memref::StoreOp::create(b, loc, element, buffer, ValueRange{index, row});
  }
}

/// Loads a vector: as it was staged, or element by element.
Value TickBatcher::loadVector(VectorType type, const TileBuffer &buffer, Value row) {
  if (buffer.cells)
    return vector::LoadOp::create(b, loc, type, buffer.cells, ValueRange{row, index(0)});
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(memref::LoadOp::create(b, loc, buffer.elements, ValueRange{index(i), row}));
  return vector::FromElementsOp::create(b, loc, type, elements);
}

void TickBatcher::gather(ModelCall &modelCall, Value row) {
  for (auto [number, operand] : llvm::enumerate(modelCall.call.getOperands())) {
    if (!isMade(modelCall, number))
      continue;
    TileBuffer &buffer = modelCall.buffers.given[number];
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type) {
      memref::StoreOp::create(b, loc, compute(operand), buffer.elements, row);
    } else if (Value vector = getVector(operand)) {
      if (buffer.cells)
        vector::StoreOp::create(b, loc, compute(vector), buffer.cells, ValueRange{row, index(0)});
      else
        storeElements(compute(vector), buffer.elements, row);
    } else if (type.getRank() > 1) {
      storeWhole(operand, buffer.elements, row);
    } else {
      for (int64_t i = 0; i < type.getNumElements(); ++i)
        memref::StoreOp::create(b, loc, element(operand, i), buffer.elements,
                                ValueRange{index(i), row});
    }
  }
}

//===----------------------------------------------------------------------===//
// The model and its results
//===----------------------------------------------------------------------===//

static void emitTranspose(OpBuilder &b, Location loc, Value source, Value target) {
  linalg::TransposeOp::create(b, loc, source, target, ArrayRef<int64_t>{1, 0});
}

/// The buffer of a model's argument: one of the tile, or a weight, which all cells share.
Value TickBatcher::sourceOf(Value operand, const TileBuffer &given) {
  if (Value answer = answerOf(operand))
    return answer;
  if (!isWeight(operand))
    return given.elements;
  Value whole = operand.getDefiningOp<bufferization::ToTensorOp>().getBuffer();
  return tick.getInputs()[cast<BlockArgument>(whole).getArgNumber() - tick.getRank() - 3];
}

/// Whether an index of the tile has a cell: it is below `count` or, if threads do not know the
/// count, was picked.
Value TickBatcher::isThere(Value first, Value count, Value row) {
  if (!count)
    return hasPicked(arith::AddIOp::create(b, loc, first, row));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row, count);
}

LogicalResult TickBatcher::evaluate(ModelCall &modelCall, Value first, Value count) {
  BatchFunction batched(b, tile, threads, [&](Value row) { return isThere(first, count, row); });
  for (auto [number, argument] : llvm::enumerate(modelCall.model.getArguments())) {
    if (argument.use_empty())
      continue;
    Value operand = modelCall.call.getOperand(number);
    TileBuffer &given = modelCall.buffers.given[number];
    if (isMade(modelCall, number) && given.cells)
      emitTranspose(b, loc, given.cells, given.padded);
    Value source = sourceOf(operand, given);
    auto type = cast<MemRefType>(source.getType());
    auto tensorType = RankedTensorType::get(type.getShape(), type.getElementType());
    auto tensor = bufferization::ToTensorOp::create(b, loc, tensorType, source, b.getUnitAttr());
    batched.setArgument(argument, tensor, !isWeight(operand));
  }
  if (failed(batched.emit(modelCall.model)))
    return failure();
  Operation *terminator = modelCall.model.getBody().front().getTerminator();
  for (auto [result, answer, buffer] : llvm::zip(
           modelCall.call.getResults(), terminator->getOperands(), modelCall.buffers.answered)) {
    auto copy = bufferization::MaterializeInDestinationOp::create(
        b, loc, batched.getBatched(answer), buffer.elements);
    copy.setWritable(true);
    copy.setRestrict(true);
    if (isWantedWhole(result) && buffer.cells)
      emitTranspose(b, loc, buffer.padded, buffer.cells);
  }
  return success();
}

/// Replaces extracted elements of a result by loads at the cell's index in the tile.
void TickBatcher::takeElements(const ModelCall &modelCall, Value row, Block *block) {
  func::CallOp call = modelCall.call;
  SmallVector<tensor::ExtractOp> extracts;
  block->walk([&](tensor::ExtractOp extract) {
    if (llvm::is_contained(call.getResults(), extract.getTensor()))
      extracts.push_back(extract);
  });
  for (tensor::ExtractOp extract : extracts) {
    unsigned number = cast<OpResult>(extract.getTensor()).getResultNumber();
    OpBuilder at(extract);
    SmallVector<Value> indices(extract.getIndices());
    indices.push_back(row);
    Value buffer = modelCall.buffers.answered[number].elements;
    extract.replaceAllUsesWith(
        memref::LoadOp::create(at, extract.getLoc(), buffer, indices).getResult());
    extract.erase();
  }
}

/// A scalar or a vector result is loaded at once; elements of a tensor are loaded at their uses.
void TickBatcher::enterAnswer(Value result, const TileBuffer &buffer, Value row) {
  cell.map(result, result);
  if (!isa<RankedTensorType>(result.getType()))
    cell.map(result, memref::LoadOp::create(b, loc, buffer.elements, row));
  for (Operation *user : result.getUsers())
    if (auto read = dyn_cast<vector::TransferReadOp>(user))
      cell.map(read.getVector(), loadVector(read.getVectorType(), buffer, row));
}

/// A step for one cell with the results of the models evaluated so far.
void TickBatcher::takeAnswers(ArrayRef<ModelCall> known, Value row,
                              llvm::function_ref<void()> step) {
  for (const ModelCall &modelCall : known)
    for (auto [result, buffer] :
         llvm::zip(func::CallOp(modelCall.call).getResults(), modelCall.buffers.answered))
      enterAnswer(result, buffer, row);
  step();
  for (const ModelCall &modelCall : known)
    takeElements(modelCall, row, b.getInsertionBlock());
}

/// Results may be used by element, read into one vector, or passed to another model.
LogicalResult TickBatcher::checkAnswers() {
  for (ModelCall &modelCall : modelCalls)
    for (Operation *user : modelCall.call->getUsers())
      if (!isa<tensor::ExtractOp, vector::TransferReadOp, func::CallOp>(user) &&
          isa<RankedTensorType>(user->getOperand(0).getType()))
        return user->emitOpError("uses a model's answer as a whole, which is never stored")
               << ErrorId::NotLowered;
  return success();
}
