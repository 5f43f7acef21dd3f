//===- BatchFunction.cpp - Batch a per-cell function ----------------------===//
//
// The batched form of each operation of a model: linalg operations get a further loop over the
// cells, innermost so that vectors hold the same element of many cells, elementwise ones on scalars
// become linalg operations, slices and reshapes a further axis. Others are left to EachCell.cpp.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Models/BatchFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

LogicalResult mlir::lci::generalizeNamed(ArrayRef<linalg::LinalgOp> named) {
  for (linalg::LinalgOp op : named) {
    IRRewriter rewriter(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return emitError(op.getLoc())
             << ErrorId::WrongModel << "expected an operation of models, but got '" << op->getName()
             << "'";
  }
  return success();
}

LogicalResult BatchFunction::generalize(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> named;
  linalg::LinalgOp onBuffers;
  function.walk([&](linalg::LinalgOp op) {
    if (!op.hasPureTensorSemantics())
      onBuffers = op;
    if (!isa<linalg::GenericOp, linalg::FillOp>(op))
      named.push_back(op);
  });
  if (onBuffers)
    return onBuffers.emitOpError("has no batched form, because it is not on tensors")
           << ErrorId::NotLowered;
  return generalizeNamed(named);
}

void BatchFunction::setArgument(BlockArgument argument, Value value, bool batched) {
  mapping.map(argument, value);
  if (batched)
    batchedValues.insert(argument);
}

void BatchFunction::set(Value value, Value batched) {
  mapping.map(value, batched);
  batchedValues.insert(value);
}

/// The type of a value with the dimension of the cells last; a scalar becomes a tensor of one axis.
RankedTensorType BatchFunction::batchedType(Type type) {
  SmallVector<int64_t> shape;
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    llvm::append_range(shape, shaped.getShape());
  shape.push_back(batch);
  return RankedTensorType::get(shape, getElementTypeOrSelf(type));
}

Value BatchFunction::getBatched(Value value) {
  Value mapped = mapping.lookup(value);
  if (isBatched(value))
    return mapped;
  RankedTensorType type = batchedType(value.getType());
  Location loc = value.getLoc();
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  if (!isa<RankedTensorType>(value.getType()))
    return linalg::FillOp::create(b, loc, mapped, empty).getResult(0);
  return linalg::BroadcastOp::create(b, loc, mapped, empty, ArrayRef<int64_t>{type.getRank() - 1})
      ->getResult(0);
}

Value BatchFunction::getInitial(Value value) {
  if (isBatched(value))
    return mapping.lookup(value);
  RankedTensorType type = batchedType(value.getType());
  Value empty = tensor::EmptyOp::create(b, value.getLoc(), type.getShape(), type.getElementType());
  if (value.getDefiningOp<tensor::EmptyOp>())
    return empty;
  auto fill = value.getDefiningOp<linalg::FillOp>();
  if (fill && !isBatched(fill.getInputs().front())) {
    Value scalar = mapping.lookup(fill.getInputs().front());
    return linalg::FillOp::create(b, value.getLoc(), scalar, empty).getResult(0);
  }
  return getBatched(value);
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

/// The parallel loop along which most operands are contiguous, if there is one.
static std::optional<unsigned> getContiguousLoop(linalg::GenericOp op) {
  std::optional<unsigned> best;
  unsigned most = 0;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    unsigned contiguous = llvm::count_if(op.getIndexingMapsArray(), [&, at = loop](AffineMap map) {
      auto last = map.getNumResults() ? dyn_cast<AffineDimExpr>(map.getResults().back()) : nullptr;
      return last && last.getPosition() == at;
    });
    if (kind == utils::IteratorType::parallel && contiguous >= most) {
      most = contiguous;
      best = loop;
    }
  }
  return best;
}

/// The order of the batched loops, of which the cells are number `op.getNumLoops()`: the parallel
/// ones, the reductions in their order, and innermost the cells, so that a vector holds the same
/// element of many of them; of a single cell, innermost the loop along which its elements are
/// contiguous.
static SmallVector<unsigned> getLoopOrder(linalg::GenericOp op, int64_t batch) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.push_back(utils::IteratorType::parallel);
  std::optional<unsigned> contiguous = getContiguousLoop(op);
  unsigned innermost = batch == 1 && contiguous ? *contiguous : op.getNumLoops();
  SmallVector<unsigned> order;
  for (auto kind : {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (unsigned loop = 0; loop < iterators.size(); ++loop)
      if (iterators[loop] == kind && loop != innermost)
        order.push_back(loop);
  order.push_back(innermost);
  return order;
}

void BatchFunction::emitGeneric(linalg::GenericOp op) {
  SmallVector<unsigned> order =
      getLoopOrder(op, batch);                  // new loop -> old loop; the cells are the last
  SmallVector<unsigned> position(order.size()); // old loop -> new loop
  for (auto [newLoop, oldLoop] : llvm::enumerate(order))
    position[oldLoop] = newLoop;
  SmallVector<AffineExpr> dims;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    dims.push_back(b.getAffineDimExpr(position[loop]));

  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isOutput = op.isDpsInit(&operand);
    AffineMap map =
        op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(dims, {}, order.size(), 0);
    if (isOutput || isBatched(operand.get()))
      map = map.insertResult(b.getAffineDimExpr(position.back()), map.getNumResults());
    maps.push_back(map);
    if (isOutput)
      outputs.push_back(getInitial(operand.get()));
    else
      inputs.push_back(mapping.lookup(operand.get()));
  }
  SmallVector<utils::IteratorType> iterators(order.size(), utils::IteratorType::parallel);
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    iterators[position[loop]] = kind;
  auto batched = linalg::GenericOp::create(b, op.getLoc(), ValueRange(outputs).getTypes(), inputs,
                                           outputs, maps, iterators);
  cloneBody(op, batched, position);
  for (auto [result, value] : llvm::zip(op.getResults(), batched.getResults()))
    set(result, value);
}

void BatchFunction::cloneBody(linalg::GenericOp op, linalg::GenericOp batched,
                              ArrayRef<unsigned> position) {
  OpBuilder::InsertionGuard guard(b);
  Block *from = op.getBlock();
  Block *to = b.createBlock(&batched.getRegion());
  IRMapping outside = mapping;
  bindCaptured(op, position.back());
  for (BlockArgument argument : from->getArguments())
    mapping.map(argument, to->addArgument(argument.getType(), argument.getLoc()));
  for (Operation &inner : *from) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(),
                  linalg::IndexOp::create(b, op.getLoc(), position[index.getDim()]));
      continue;
    }
    addCellIndices(inner, b.clone(inner, mapping), position.back());
  }
  mapping = std::move(outside);
}

/// Elements that a body, also in nested branches and loops, reads of a batched tensor are read at
/// the index of the cell.
void BatchFunction::addCellIndices(Operation &op, Operation *clone, unsigned cells) {
  SmallVector<tensor::ExtractOp> reads, copies;
  op.walk([&](tensor::ExtractOp read) { reads.push_back(read); });
  clone->walk([&](tensor::ExtractOp copy) { copies.push_back(copy); });
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(clone);
  for (auto [read, copy] : llvm::zip_equal(reads, copies))
    if (isBatched(read.getTensor()))
      copy.getIndicesMutable().append(linalg::IndexOp::create(b, op.getLoc(), cells).getResult());
}

/// Scalars of the model that the body captures are read at the index of the cell.
void BatchFunction::bindCaptured(linalg::GenericOp op, unsigned cells) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegion(), captured);
  for (Value value : captured) {
    if (!isBatched(value) || isa<RankedTensorType>(value.getType()))
      continue;
    Value cell = linalg::IndexOp::create(b, op.getLoc(), cells);
    mapping.map(value,
                tensor::ExtractOp::create(b, op.getLoc(), mapping.lookup(value), cell).getResult());
  }
}

//===----------------------------------------------------------------------===//
// Other operations with a batched form
//===----------------------------------------------------------------------===//

/// The operation on scalars inside of a loop over the tile and the elements: on whole tensors it
/// would not bufferize.
void BatchFunction::emitElementwise(Operation &op) {
  Location loc = op.getLoc();
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  RankedTensorType type = batchedType(op.getResult(0).getType());
  AffineMap all = b.getMultiDimIdentityMap(type.getRank());
  AffineMap elements = all.dropResult(type.getRank() - 1), cells = all.getMinorSubMap(1);
  auto isLooped = [&](Value v) { return isBatched(v) || isa<RankedTensorType>(v.getType()); };
  for (Value operand : op.getOperands())
    if (isLooped(operand)) {
      bool isTensor = isa<RankedTensorType>(operand.getType());
      inputs.push_back(mapping.lookup(operand));
      maps.push_back(!isBatched(operand) ? elements : isTensor ? all : cells);
    }
  for (Type result : op.getResultTypes()) {
    RankedTensorType each = batchedType(result);
    outputs.push_back(tensor::EmptyOp::create(b, loc, each.getShape(), each.getElementType()));
    maps.push_back(all);
  }
  auto build = [&](OpBuilder &inner, Location, ValueRange given) {
    OperationState state(loc, op.getName());
    for (Value operand : op.getOperands()) {
      state.addOperands(isLooped(operand) ? given.front() : mapping.lookup(operand));
      given = isLooped(operand) ? given.drop_front() : given;
    }
    for (Type result : op.getResultTypes())
      state.addTypes(getElementTypeOrSelf(result));
    state.addAttributes(op.getAttrs());
    linalg::YieldOp::create(inner, loc, inner.create(state)->getResults());
  };
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto batched = linalg::GenericOp::create(b, loc, ValueRange(outputs).getTypes(), inputs, outputs,
                                           maps, loops, build);
  for (auto [result, value] : llvm::zip(op.getResults(), batched.getResults()))
    set(result, value);
}

void BatchFunction::emitReshape(Operation &op) {
  // The cells are a separate axis or, of one element, the only one that is left.
  auto withBatch = [&](SmallVector<ReassociationIndices> groups) {
    int64_t rank = std::max(cast<RankedTensorType>(op.getOperand(0).getType()).getRank(),
                            cast<RankedTensorType>(op.getResult(0).getType()).getRank());
    if (groups.empty())
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank + 1)));
    else
      groups.push_back({rank});
    return groups;
  };
  Value source = mapping.lookup(op.getOperand(0));
  RankedTensorType type = batchedType(op.getResult(0).getType());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    set(op.getResult(0),
        tensor::CollapseShapeOp::create(b, op.getLoc(), type, source,
                                        withBatch(collapse.getReassociationIndices())));
  else
    set(op.getResult(0), tensor::ExpandShapeOp::create(
                             b, op.getLoc(), type, source,
                             withBatch(cast<tensor::ExpandShapeOp>(op).getReassociationIndices())));
}

/// Offsets are the same for all cells.
void BatchFunction::emitSlice(Operation &op) {
  auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
  auto append = [&](SmallVector<OpFoldResult> each, int64_t last) {
    for (OpFoldResult &number : each)
      if (auto value = dyn_cast<Value>(number))
        number = mapping.lookup(value);
    each.push_back(b.getIndexAttr(last));
    return each;
  };
  SmallVector<OpFoldResult> offsets = append(slice.getMixedOffsets(), 0);
  SmallVector<OpFoldResult> sizes = append(slice.getMixedSizes(), batch);
  SmallVector<OpFoldResult> strides = append(slice.getMixedStrides(), 1);
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    set(op.getResult(0),
        tensor::ExtractSliceOp::create(b, op.getLoc(), batchedType(extract.getType()),
                                       getBatched(extract.getSource()), offsets, sizes, strides));
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    set(op.getResult(0),
        tensor::InsertSliceOp::create(b, op.getLoc(), getBatched(insert.getSource()),
                                      getInitial(insert.getDest()), offsets, sizes, strides));
}

/// Inserts a scalar per cell at one index: a slice of one element.
void BatchFunction::emitInsert(tensor::InsertOp op) {
  SmallVector<OpFoldResult> offsets, sizes(op.getIndices().size(), b.getIndexAttr(1));
  for (Value index : op.getIndices())
    offsets.push_back(mapping.lookup(index));
  offsets.push_back(b.getIndexAttr(0));
  sizes.push_back(b.getIndexAttr(batch));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  set(op.getResult(),
      tensor::InsertSliceOp::create(b, op.getLoc(), getBatched(op.getScalar()),
                                    getInitial(op.getDest()), offsets, sizes, strides));
}

void BatchFunction::emitConcat(Operation &op) {
  auto concat = cast<tensor::ConcatOp>(op);
  SmallVector<Value> parts =
      llvm::map_to_vector(concat.getInputs(), [&](Value v) { return getBatched(v); });
  set(concat.getResult(), tensor::ConcatOp::create(b, op.getLoc(), concat.getDim(), parts));
}

/// Fills the tensor of each cell with a scalar per cell.
void BatchFunction::emitFill(linalg::FillOp op) {
  if (!isBatched(op.getInputs().front()))
    return set(op.getResult(0), getInitial(op.getResult(0)));
  RankedTensorType type = batchedType(op.getResult(0).getType());
  Value empty = tensor::EmptyOp::create(b, op.getLoc(), type.getShape(), type.getElementType());
  SmallVector<int64_t> elements = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1));
  set(op.getResult(0),
      linalg::BroadcastOp::create(b, op.getLoc(), getBatched(op.getInputs()[0]), empty, elements)
          ->getResult(0));
}

/// One element of a tensor for each cell: at the index of the cell, if the tensor depends on it.
void BatchFunction::emitExtract(tensor::ExtractOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = batchedType(op.getType());
  SmallVector<Value> inputs;
  for (Value index : op.getIndices())
    if (isBatched(index))
      inputs.push_back(mapping.lookup(index));
  Value empty = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  SmallVector<AffineMap> maps(inputs.size() + 1, b.getMultiDimIdentityMap(1));
  Value source = mapping.lookup(op.getTensor());
  auto build = [&](OpBuilder &inner, Location, ValueRange given) {
    SmallVector<Value> indices;
    for (Value index : op.getIndices()) {
      indices.push_back(isBatched(index) ? given.front() : mapping.lookup(index));
      given = isBatched(index) ? given.drop_front() : given;
    }
    if (isBatched(op.getTensor()))
      indices.push_back(linalg::IndexOp::create(inner, loc, 0));
    Value element = tensor::ExtractOp::create(inner, loc, source, indices);
    linalg::YieldOp::create(inner, loc, element);
  };
  auto batched = linalg::GenericOp::create(b, loc, TypeRange(type), inputs, empty, maps,
                                           {utils::IteratorType::parallel}, build);
  set(op.getResult(), batched.getResult(0));
}

/// Whether a body computes numbers, reads elements of tensors and terminates for all operands: an
/// index of the tile without a cell may hold anything.
static bool isPlain(linalg::GenericOp op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  WalkResult found = op.getRegion().walk([&](Operation *inner) {
    auto loop = dyn_cast<scf::ForOp>(inner);
    bool isEndless = isa<scf::WhileOp>(inner) || (loop && !loop.getStaticTripCount());
    bool makesTensors =
        llvm::any_of(inner->getResultTypes(), isTensor) ||
        (llvm::any_of(inner->getOperandTypes(), isTensor) && !isa<tensor::ExtractOp>(inner));
    return isEndless || makesTensors ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !found.wasInterrupted();
}

/// Whether an operation that is uniform over the cells can be executed by a launch, or sunk into
/// kernels. It reads no memory; each cell executes the others.
static bool isForLaunches(Operation &op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return isPlain(generic);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return isa<BlockArgument>(extract.getTensor()) ||
           extract.getTensor().getDefiningOp<arith::ConstantOp>();
  return isa<linalg::FillOp>(op) ||
         (op.getNumRegions() == 0 &&
          !isa<tensor::FromElementsOp, tensor::InsertOp, tensor::SplatOp>(op));
}

void BatchFunction::emitOp(Operation &op) {
  if (!dependsOnCell(op) && (!threads || isForLaunches(op))) {
    b.clone(op, mapping);
    return;
  }
  auto areShared = [&](OperandRange values) {
    return llvm::none_of(values, [&](Value value) { return isBatched(value); });
  };
  TypeSwitch<Operation *>(&op)
      .Case([&](linalg::GenericOp generic) {
        isPlain(generic) ? emitGeneric(generic) : emitEachCell(op);
      })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([&](auto) { emitReshape(op); })
      .Case([&](tensor::ExtractSliceOp slice) {
        areShared(slice.getOffsets()) ? emitSlice(op) : emitEachCell(op);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        areShared(slice.getOffsets()) ? emitSlice(op) : emitEachCell(op);
      })
      .Case([&](tensor::ExtractOp extract) { emitExtract(extract); })
      .Case([&](tensor::InsertOp insert) {
        areShared(insert.getIndices()) ? emitInsert(insert) : emitEachCell(op);
      })
      .Case([&](tensor::ConcatOp) { emitConcat(op); })
      .Case([&](linalg::FillOp fill) { emitFill(fill); })
      .Case([&](scf::ForOp loop) { isShared(loop) ? emitFor(loop) : emitEachCell(op); })
      .Default([&](Operation *other) {
        other->hasTrait<OpTrait::Elementwise>() ? emitElementwise(op) : emitEachCell(op);
      });
}

void BatchFunction::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    emitOp(op);
}

LogicalResult BatchFunction::emit(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a model of one block, but got ")
           << ErrorId::NotLowered << function.getBody().getBlocks().size();
  emitBlock(function.getBody().front());
  return success();
}
