//===- TickExchange.cpp - What a tile's cells give a model, and take from it -===//
//
// In a tile's buffers the cells lie side by side, element after element: a model's operations run
// over them. What a cell has whole in a register, a vector, is staged cell by cell and transposed,
// and so is what it wants whole; threads, whose neighbours are neighbouring cells, write and read
// its elements where they lie. What one model answers another one is given where it stands.
//
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

/// The buffer of a vector holds whole blocks of so many of its elements, for transposes by blocks.
static constexpr int64_t kBlock = 16;

/// The vector that an operand, a tensor of one axis, is made of; null if it is none.
static Value getVector(Value operand) {
  auto write = operand.getDefiningOp<vector::TransferWriteOp>();
  return write ? write.getVector() : Value();
}

/// Whether a result is wanted whole, in a register.
static bool isWantedWhole(Value result) {
  return llvm::any_of(result.getUsers(), llvm::IsaPred<vector::TransferReadOp>);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Whether an operand is the same for all cells: an input of the tick as a whole.
bool TickBatcher::isWeight(Value operand) {
  auto whole = operand.getDefiningOp<bufferization::ToTensorOp>();
  auto argument = whole ? dyn_cast<BlockArgument>(whole.getBuffer()) : nullptr;
  return argument && argument.getOwner() == &tick.getBody().front();
}

/// The buffer of what another model of the tick answers; null if the operand is no such answer.
Value TickBatcher::answerOf(Value operand) {
  for (Ask &ask : asks)
    if (operand.getDefiningOp() == ask.call)
      return ask.buffers.answered[cast<OpResult>(operand).getResultNumber()].elements;
  return nullptr;
}

/// Whether each cell has to give an operand, which the model looks at.
bool TickBatcher::isMade(Ask &ask, unsigned number) {
  Value operand = ask.call.getOperand(number);
  return !ask.model.getArgument(number).use_empty() && !isWeight(operand) && !answerOf(operand);
}

/// Buffers live as long as the function: there is no allocation inside of a tick. The last tile may
/// be partly empty; what stands there is evaluated too and must be some token.
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

/// The buffers of what each cell of the tile gives or takes: a scalar, a tensor, or a vector.
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

/// Makes the buffers that no tick before has made.
void TickBatcher::makeBuffers(Ask &ask) {
  auto require = [&](TileBuffer &buffer, Type type, bool isVector) {
    isVector &= !threads;
    if (!buffer.elements || (isVector && !buffer.cells))
      buffer = makeTileBuffer(type, isVector);
  };
  ask.buffers.given.resize(ask.call.getNumOperands());
  ask.buffers.answered.resize(ask.call.getNumResults());
  for (auto [number, operand] : llvm::enumerate(ask.call.getOperands()))
    if (isMade(ask, number))
      require(ask.buffers.given[number], operand.getType(), getVector(operand) != nullptr);
  for (auto [result, buffer] : llvm::zip(ask.call.getResults(), ask.buffers.answered))
    require(buffer, result.getType(), isWantedWhole(result));
}

//===----------------------------------------------------------------------===//
// What the model is given
//===----------------------------------------------------------------------===//

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

/// Stores a tensor that the body makes as a whole, by loops over its elements.
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

void TickBatcher::gather(Ask &ask, Value row) {
  for (auto [number, operand] : llvm::enumerate(ask.call.getOperands())) {
    if (!isMade(ask, number))
      continue;
    TileBuffer &buffer = ask.buffers.given[number];
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
// The model, and what it answers
//===----------------------------------------------------------------------===//

static void emitTranspose(OpBuilder &b, Location loc, Value source, Value target) {
  linalg::TransposeOp::create(b, loc, source, target, ArrayRef<int64_t>{1, 0});
}

/// What the model's argument is: a buffer of the tile, or a weight, which all cells share.
Value TickBatcher::sourceOf(Value operand, const TileBuffer &given) {
  if (Value answer = answerOf(operand))
    return answer;
  if (!isWeight(operand))
    return given.elements;
  Value whole = operand.getDefiningOp<bufferization::ToTensorOp>().getBuffer();
  return tick.getInputs()[cast<BlockArgument>(whole).getArgNumber() - tick.getRank() - 3];
}

/// Whether a place of the tile has a cell: it is one of `count` or, if threads do not know how many
/// there are, one that was picked.
Value TickBatcher::isThere(Value first, Value count, Value row) {
  if (!count)
    return hasPicked(arith::AddIOp::create(b, loc, first, row));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, row, count);
}

LogicalResult TickBatcher::evaluate(Ask &ask, Value first, Value count) {
  BatchFunction batched(b, tile, threads, [&](Value row) { return isThere(first, count, row); });
  for (auto [number, argument] : llvm::enumerate(ask.model.getArguments())) {
    if (argument.use_empty())
      continue;
    Value operand = ask.call.getOperand(number);
    TileBuffer &given = ask.buffers.given[number];
    if (isMade(ask, number) && given.cells)
      emitTranspose(b, loc, given.cells, given.padded);
    Value source = sourceOf(operand, given);
    auto type = cast<MemRefType>(source.getType());
    auto tensorType = RankedTensorType::get(type.getShape(), type.getElementType());
    auto tensor = bufferization::ToTensorOp::create(b, loc, tensorType, source, b.getUnitAttr());
    batched.setArgument(argument, tensor, !isWeight(operand));
  }
  if (failed(batched.emit(ask.model)))
    return failure();
  Operation *terminator = ask.model.getBody().front().getTerminator();
  for (auto [result, answer, buffer] :
       llvm::zip(ask.call.getResults(), terminator->getOperands(), ask.buffers.answered)) {
    auto copy = bufferization::MaterializeInDestinationOp::create(
        b, loc, batched.getBatched(answer), buffer.elements);
    copy.setWritable(true);
    copy.setRestrict(true);
    if (isWantedWhole(result) && buffer.cells)
      emitTranspose(b, loc, buffer.padded, buffer.cells);
  }
  return success();
}

/// Elements of an answer become those of its place in the tile.
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
    SmallVector<Value> indices(extract.getIndices());
    indices.push_back(row);
    Value buffer = ask.buffers.answered[number].elements;
    extract.replaceAllUsesWith(
        memref::LoadOp::create(at, extract.getLoc(), buffer, indices).getResult());
    extract.erase();
  }
}

/// A scalar answer is known at once, and so is a vector; elements of a tensor are loaded where they
/// are looked at.
void TickBatcher::enterAnswer(Value result, const TileBuffer &buffer, Value row) {
  cell.map(result, result);
  if (!isa<RankedTensorType>(result.getType()))
    cell.map(result, memref::LoadOp::create(b, loc, buffer.elements, row));
  for (Operation *user : result.getUsers())
    if (auto read = dyn_cast<vector::TransferReadOp>(user))
      cell.map(read.getVector(), loadVector(read.getVectorType(), buffer, row));
}

/// A step for one cell that knows the answers of the models that were asked so far.
void TickBatcher::takeAnswers(ArrayRef<Ask> known, Value row, llvm::function_ref<void()> step) {
  for (const Ask &ask : known)
    for (auto [result, buffer] :
         llvm::zip(func::CallOp(ask.call).getResults(), ask.buffers.answered))
      enterAnswer(result, buffer, row);
  step();
  for (const Ask &ask : known)
    takeElements(ask, row, b.getInsertionBlock());
}

/// An answer is looked at by element, read into one vector, or what another model is given.
LogicalResult TickBatcher::checkAnswers() {
  for (Ask &ask : asks)
    for (Operation *user : ask.call->getUsers())
      if (!isa<tensor::ExtractOp, vector::TransferReadOp, func::CallOp>(user) &&
          isa<RankedTensorType>(user->getOperand(0).getType()))
        return user->emitOpError("uses a model's answer as a whole, which is never stored")
               << ErrorId::NotLowered;
  return success();
}
