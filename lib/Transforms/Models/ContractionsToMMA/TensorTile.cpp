//===- TensorTile.cpp - Computation of a warp's tile of a network ---------===//
//
// The operations of one thread per layer: fragments of vectors are loaded or held from the layer
// before, multiplied by packed weights, elementwise operations run on the fragments, and results
// are stored.
//
//===----------------------------------------------------------------------===//

#include "TensorTile.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lci::tensor_cores;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

WarpTile::WarpTile(OpBuilder &builder, Location loc, ValueRange counters, TileShape shape,
                   int64_t numCells)
    : b(builder), loc(loc), shape(shape), lastBlocks(shape.outputBlocks), lastFirst(counters[0]) {
  auto divide = [&](Value a, int64_t c) -> Value {
    return arith::DivUIOp::create(b, loc, a, index(c));
  };
  auto rest = [&](Value a, int64_t c) -> Value {
    return arith::RemUIOp::create(b, loc, a, index(c));
  };
  Value thread = divide(counters[0], shape.countOutputs());
  tile = divide(thread, kMembers);
  member = rest(thread, kMembers);
  Value group = rest(divide(counters[1], shape.countCells()), kWarp / kMembers);
  lane = add(times(group, kMembers), member);
  firstCell = clamp(counters[1], /*isEnd=*/true, numCells - shape.countCells());
}

void WarpTile::enterLayer(int64_t numOutputs, int64_t outputBlocks) {
  shape.outputBlocks = outputBlocks;
  LayerState layer{
      numOutputs, outputBlocks, Value(), numOutputs % (outputBlocks * kOutputs) != 0, {}};
  layer.first = outputBlocks == lastBlocks // as others know it
                    ? lastFirst
                    : times(add(times(tile, kMembers), member), shape.countOutputs());
  layers.push_back(layer);
}

Value WarpTile::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

Value WarpTile::add(Value a, Value c) { return b.createOrFold<arith::AddIOp>(loc, a, c); }

Value WarpTile::times(Value a, int64_t c) {
  return b.createOrFold<arith::MulIOp>(loc, a, index(c));
}

Value WarpTile::clamp(Value place, bool isEnd, int64_t last) {
  return isEnd ? arith::MinUIOp::create(b, loc, place, index(last)) : place;
}

/// The parallel loops of an operation, bound to an output and a cell.
WarpTile::LoopIndices WarpTile::loopsAt(linalg::GenericOp op, Value output, Value cell) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  LoopIndices loops;
  loops[parallel[0]] = output;
  loops[parallel[1]] = cell;
  return loops;
}

static SmallVector<Value> placeIn(AffineMap map, const llvm::DenseMap<unsigned, Value> &loops) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr result) {
    return loops.lookup(cast<AffineDimExpr>(result).getPosition());
  });
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// An operand at the thread's cells; a broadcast, if it is uniform over the cells.
Value WarpTile::loadVector(linalg::GenericOp op, OpOperand &operand, Value output) {
  VectorType type = vectorOf(b.getF32Type());
  Value same = operand.get();
  if (isa<MemRefType>(operand.get().getType())) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<Value> place = placeIn(map, loopsAt(op, output, firstCell));
    if (map.isFunctionOfDim(op.getNumLoops() - 1))
      return vector::LoadOp::create(b, loc, type, operand.get(), place);
    same = memref::LoadOp::create(b, loc, operand.get(), place);
  }
  return vector::BroadcastOp::create(b, loc, type, same);
}

/// One vector for each output.
WarpTile::Vectors WarpTile::vectorsOf(linalg::GenericOp op, OpOperand &operand) {
  LayerState &layer = layers.back();
  if (auto *found = layer.known.find(operand.get()); found != layer.known.end())
    return found->second.vectors;
  Vectors vectors;
  for (int64_t next = 0; next < shape.countOutputs(); ++next)
    vectors.push_back(loadVector(
        op, operand, clamp(add(layer.first, next), layer.isOutputsEnd, layer.numOutputs - 1)));
  return vectors;
}

void WarpTile::apply(linalg::GenericOp op) {
  Block *body = op.getBody();
  SmallVector<IRMapping> mappings(shape.countOutputs());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty())
      for (auto [mapping, vector] : llvm::zip_equal(mappings, vectorsOf(op, operand)))
        mapping.map(argument, vector);
  }
  Vectors results;
  for (IRMapping &mapping : mappings) {
    auto lookup = [&](Value value) -> Value {
      if (Value found = mapping.lookupOrNull(value))
        return found;
      return vector::BroadcastOp::create(b, loc, vectorOf(value.getType()), value);
    };
    for (Operation &inner : body->without_terminator()) {
      SmallVector<Value> operands = llvm::map_to_vector(inner.getOperands(), lookup);
      SmallVector<Type> types = llvm::map_to_vector(
          inner.getResultTypes(), [&](Type type) -> Type { return vectorOf(type); });
      mapping.map(inner.getResults(), clone(b, &inner, types, operands)->getResults());
    }
    results.push_back(lookup(body->getTerminator()->getOperand(0)));
  }
  layers.back().known[op.getDpsInits()[0]] = {op, results};
}

void WarpTile::store() {
  llvm::SmallDenseSet<Value> later; // arrays that are overwritten
  for (const LayerState &layer : llvm::reverse(layers)) {
    storeLayer(layer, later);
    later.insert_range(llvm::make_first_range(layer.known));
  }
}

/// Outputs that surely exist are written in the form that loop fusion matches: whole vectors, at
/// the top level.
void WarpTile::storeLayer(const LayerState &layer, const llvm::SmallDenseSet<Value> &without) {
  bool isEnd = layer.numOutputs % (layer.outputBlocks * kPair) != 0;
  for (const auto &[array, written] : layer.known) {
    if (without.contains(array))
      continue;
    for (auto [next, vector] : llvm::enumerate(written.vectors)) {
      OpBuilder::InsertionGuard guard(b);
      linalg::GenericOp op = written.op;
      Value output = add(layer.first, next);
      AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
      SmallVector<Value> place = placeIn(map, loopsAt(op, output, firstCell));
      if (!isEnd) {
        vector::TransferWriteOp::create(b, loc, vector, array, place, ArrayRef<bool>{true});
        continue;
      }
      Value isThere =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, output, index(layer.numOutputs));
      auto branch = scf::IfOp::create(b, loc, isThere, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
      vector::StoreOp::create(b, loc, vector, array, place);
    }
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void WarpTile::multiply(linalg::GenericOp op, const Product &product,
                        const PackedWeights &weights) {
  Vectors sums = toBlocks(vectorsOf(op, *op.getDpsInitOperand(0)));
  sums = weights.areHeld()
             ? multiplyHeld(weights, op.getDpsInputOperand(product.cells)->get(), sums)
             : reduce(op, product, weights, product.outer, loopsAt(op, Value(), firstCell), sums);
  layers.back().known[op.getDpsInits()[0]] = {op, fromBlocks(sums)};
}

/// Sums in the layout of `mma.sync`: for each block of cells and of outputs two cells of two
/// outputs.
WarpTile::Vectors WarpTile::toBlocks(const Vectors &vectors) {
  auto type = VectorType::get({kPair, kPair}, b.getF32Type());
  Vectors blocks;
  for (int64_t cell = 0; cell < shape.countCells(); cell += kPair)
    for (int64_t output = 0; output < shape.countOutputs(); output += kPair) {
      SmallVector<Value> numbers;
      for (int64_t half : {0, 1})
        for (int64_t next : {0, 1})
          numbers.push_back(vector::ExtractOp::create(b, loc, vectors[output + next], cell + half));
      blocks.push_back(vector::FromElementsOp::create(b, loc, type, numbers));
    }
  return blocks;
}

WarpTile::Vectors WarpTile::fromBlocks(const Vectors &blocks) {
  Vectors vectors;
  for (int64_t output = 0; output < shape.countOutputs(); ++output) {
    SmallVector<Value> numbers;
    for (int64_t cell = 0; cell < shape.countCells(); ++cell) {
      Value block = blocks[cell / kPair * shape.outputBlocks + output / kPair];
      numbers.push_back(vector::ExtractOp::create(b, loc, block,
                                                  ArrayRef<int64_t>{cell % kPair, output % kPair}));
    }
    vectors.push_back(vector::FromElementsOp::create(b, loc, vectorOf(b.getF32Type()), numbers));
  }
  return vectors;
}

/// A loop that carries sums.
WarpTile::Vectors WarpTile::emitLoop(int64_t end, const Vectors &sums,
                                     llvm::function_ref<Vectors(Value, const Vectors &)> body) {
  auto loop = scf::ForOp::create(b, loc, index(0), index(end), index(1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Vectors next = body(loop.getInductionVar(), llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

WarpTile::Vectors WarpTile::reduce(linalg::GenericOp op, const Product &product,
                                   const PackedWeights &weights, ArrayRef<unsigned> outer,
                                   const LoopIndices &loops, const Vectors &sums) {
  if (outer.empty())
    return goDeep(op, product, weights, loops, sums);
  return emitLoop(op.getStaticLoopRanges()[outer.front()], sums,
                  [&](Value counter, const Vectors &carried) {
                    LoopIndices inner = loops;
                    inner[outer.front()] = counter;
                    return reduce(op, product, weights, outer.drop_front(), inner, carried);
                  });
}

/// Eight steps of the innermost reduction per iteration, and the remainder of it.
WarpTile::Vectors WarpTile::goDeep(linalg::GenericOp op, const Product &product,
                                   const PackedWeights &weights, const LoopIndices &loops,
                                   Vectors sums) {
  int64_t extent = op.getStaticLoopRanges()[product.depth], whole = extent / kDepth;
  SmallVector<Value> outer =
      llvm::map_to_vector(product.outer, [&](unsigned loop) { return loops.lookup(loop); });
  auto step = [&](Value block, const Vectors &carried, bool isEnd) {
    Value first = add(times(block, kDepth), times(member, kPair));
    SmallVector<Value> steps;
    for (int64_t next = 0; next < kPair; ++next)
      steps.push_back(loadStep(op, product, loops, add(first, next), isEnd));
    return addProducts(weights, outer, block, steps, carried);
  };
  if (whole > 0)
    sums = emitLoop(whole, sums, [&](Value block, const Vectors &carried) {
      return step(block, carried, /*isEnd=*/false);
    });
  return whole * kDepth < extent ? step(index(whole), sums, /*isEnd=*/true) : sums;
}

/// The vectors' numbers of one step; zeros beyond the end of the reduction.
Value WarpTile::loadStep(linalg::GenericOp op, const Product &product, const LoopIndices &loops,
                         Value depth, bool isEnd) {
  int64_t extent = op.getStaticLoopRanges()[product.depth];
  OpOperand *operand = op.getDpsInputOperand(product.cells);
  LoopIndices at = loops;
  at[product.depth] = clamp(depth, isEnd, extent - 1);
  Value vector = vector::LoadOp::create(b, loc, vectorOf(b.getF32Type()), operand->get(),
                                        placeIn(op.getMatchingIndexingMap(operand), at));
  return isEnd ? zeroUnless(depth, extent, vector) : vector;
}

Value WarpTile::zeroUnless(Value place, int64_t extent, Value vector) {
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, index(extent));
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(vector.getType()));
  return arith::SelectOp::create(b, loc, isThere, vector, zeros);
}

/// The outputs of the layer before are the vectors of this one.
WarpTile::Vectors WarpTile::multiplyHeld(const PackedWeights &weights, Value array, Vectors sums) {
  const LayerState &from = layers[layers.size() - 2];
  const Vectors &vectors = from.known.find(array)->second.vectors;
  for (int64_t block = 0; block < from.outputBlocks; ++block) {
    SmallVector<Value> steps;
    for (int64_t next = block * kPair; next < (block + 1) * kPair; ++next)
      steps.push_back(from.isOutputsEnd
                          ? zeroUnless(add(from.first, next), from.numOutputs, vectors[next])
                          : vectors[next]);
    sums = addProducts(weights, ValueRange(), index(block), steps, sums);
  }
  return sums;
}

/// Adds the products of two steps per thread.
WarpTile::Vectors WarpTile::addProducts(const PackedWeights &weights, ValueRange outer,
                                        Value depthBlock, ArrayRef<Value> steps,
                                        const Vectors &sums) {
  auto given = VectorType::get({kPair * kPair, 1}, b.getF32Type());
  auto taken = VectorType::get({kPair, 1}, b.getF32Type());
  Vectors cells, outputs, results;
  for (int64_t cell = 0; cell < shape.countCells(); cell += kPair) {
    SmallVector<Value> numbers;
    for (Value step : steps)
      for (int64_t half : {0, 1})
        numbers.push_back(
            roundToTF32(b, loc, vector::ExtractOp::create(b, loc, step, cell + half)));
    cells.push_back(vector::FromElementsOp::create(b, loc, given, numbers));
  }
  Value first = times(tile, shape.outputBlocks);
  for (int64_t output = 0; output < shape.outputBlocks; ++output) {
    Value pair = weights.load(b, loc, outer, add(first, output), depthBlock, lane);
    outputs.push_back(vector::ShapeCastOp::create(b, loc, taken, pair));
  }
  for (auto [number, sum] : llvm::enumerate(sums))
    results.push_back(nvgpu::MmaSyncOp::create(
        b, loc, cells[number / shape.outputBlocks], outputs[number % shape.outputBlocks], sum,
        ArrayRef<int64_t>{kCells, kOutputs, kDepth}, /*tf32Enabled=*/true));
  return results;
}
