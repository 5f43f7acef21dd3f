//===- TensorTile.cpp - What a warp computes of a network -----------------===//

#include "TensorTile.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lci::tensor_cores;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

WarpTile::WarpTile(OpBuilder &builder, Location loc, Value thread, int64_t numCells,
                   int64_t cellBlocks, bool fillsCells)
    : b(builder), loc(loc), numCells(numCells), isCellsEnd(!fillsCells) {
  lane = arith::RemUIOp::create(b, loc, thread, index(kLanes));
  group = arith::DivUIOp::create(b, loc, lane, index(kMembers));
  member = arith::RemUIOp::create(b, loc, lane, index(kMembers));
  Value warp = arith::DivUIOp::create(b, loc, thread, index(kLanes));
  Value first = arith::MulIOp::create(b, loc, warp, index(cellBlocks * kCells));
  for (int64_t block = 0; block < cellBlocks; ++block)
    cells.push_back(add(first, add(group, block * kCells)));
}

void WarpTile::enterLayer(int64_t outputs, int64_t blocks, Value outputTile) {
  before = std::move(known);
  known.clear();
  numOutputs = outputs;
  outputBlocks = blocks;
  isOutputsEnd = outputs % (blocks * kOutputs) != 0;
  firstBlock = arith::MulIOp::create(b, loc, outputTile, index(blocks));
}

Value WarpTile::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

Value WarpTile::add(Value a, Value c) { return b.createOrFold<arith::AddIOp>(loc, a, c); }

/// What is computed beyond the last output or cell is not stored: it is the last one's.
Value WarpTile::clamp(Value place, bool isEnd, int64_t extent) {
  return isEnd ? arith::MinUIOp::create(b, loc, place, index(extent - 1)) : place;
}

Value WarpTile::outputOf(int64_t block) {
  Value first = arith::MulIOp::create(b, loc, add(firstBlock, block), index(kOutputs));
  return add(first, arith::MulIOp::create(b, loc, member, index(2)));
}

/// Of an operation's loops the parallel ones, at an output and a cell.
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

/// The four numbers of an operand that belong to those of a block.
Value WarpTile::loadBlock(linalg::GenericOp op, OpOperand &operand, int64_t cellBlock,
                          int64_t outputBlock) {
  auto type = VectorType::get(kHeld, b.getF32Type());
  if (!isa<MemRefType>(operand.get().getType()))
    return vector::BroadcastOp::create(b, loc, type, operand.get());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  bool hasCells = map.isFunctionOfDim(op.getNumLoops() - 1);
  SmallVector<Value> numbers;
  for (int64_t half : {int64_t(0), kCells / 2})
    for (int64_t next : {0, 1}) {
      if (half > 0 && !hasCells) { // the same for all cells
        numbers.push_back(numbers[next]);
        continue;
      }
      Value output = clamp(add(outputOf(outputBlock), next), isOutputsEnd, numOutputs);
      Value cell = clamp(add(cells[cellBlock], half), isCellsEnd, numCells);
      numbers.push_back(
          memref::LoadOp::create(b, loc, operand.get(), placeIn(map, loopsAt(op, output, cell))));
    }
  return vector::FromElementsOp::create(b, loc, type, numbers);
}

WarpTile::Blocks WarpTile::blocksOf(linalg::GenericOp op, OpOperand &operand) {
  if (auto *found = known.find(operand.get()); found != known.end())
    return found->second.blocks;
  Blocks blocks;
  for (size_t cell = 0; cell < cells.size(); ++cell)
    for (int64_t output = 0; output < outputBlocks; ++output)
      blocks.push_back(loadBlock(op, operand, cell, output));
  return blocks;
}

void WarpTile::apply(linalg::GenericOp op) {
  Block *body = op.getBody();
  SmallVector<IRMapping> mappings(cells.size() * outputBlocks);
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (!argument.use_empty())
      for (auto [mapping, block] : llvm::zip_equal(mappings, blocksOf(op, operand)))
        mapping.map(argument, block);
  }
  Blocks results;
  for (IRMapping &mapping : mappings) {
    auto vectorOf = [&](Type type) { return VectorType::get(kHeld, type); };
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
  known[op.getDpsInits()[0]] = {op, results};
}

void WarpTile::store() {
  for (auto &[array, written] : known)
    for (auto [number, block] : llvm::enumerate(written.blocks))
      for (int64_t held = 0; held < kHeld; ++held) {
        Value output = add(outputOf(number % outputBlocks), held % 2);
        Value cell = add(cells[number / outputBlocks], held / 2 * kCells / 2);
        storeNumber(written.op, vector::ExtractOp::create(b, loc, block, held), output, cell);
      }
}

/// Writes a number, if there is such an output and cell.
void WarpTile::storeNumber(linalg::GenericOp op, Value number, Value output, Value cell) {
  OpBuilder::InsertionGuard guard(b);
  auto enter = [&](Value place, int64_t extent) {
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, index(extent));
    auto branch = scf::IfOp::create(b, loc, isThere, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  };
  if (isOutputsEnd)
    enter(output, numOutputs);
  if (isCellsEnd)
    enter(cell, numCells);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  memref::StoreOp::create(b, loc, number, op.getDpsInits()[0],
                          placeIn(map, loopsAt(op, output, cell)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void WarpTile::multiply(linalg::GenericOp op, const Product &product,
                        const PackedWeights &weights) {
  auto cast = [&](ArrayRef<Value> blocks, ArrayRef<int64_t> shape) {
    auto type = VectorType::get(shape, b.getF32Type());
    return llvm::map_to_vector(blocks, [&](Value block) -> Value {
      return vector::ShapeCastOp::create(b, loc, type, block);
    });
  };
  Blocks sums = cast(blocksOf(op, *op.getDpsInitOperand(0)), {2, 2});
  auto *held = before.find(op.getDpsInputOperand(product.cells)->get());
  sums = held != before.end()
             ? multiplyHeld(product, weights, held->second, sums)
             : reduce(op, product, weights, product.outer, loopsAt(op, Value(), Value()), sums);
  known[op.getDpsInits()[0]] = {op, cast(sums, {kHeld})};
}

/// A loop that carries sums.
WarpTile::Blocks WarpTile::emitLoop(int64_t end, const Blocks &sums,
                                    llvm::function_ref<Blocks(Value, const Blocks &)> body) {
  auto loop = scf::ForOp::create(b, loc, index(0), index(end), index(1), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Blocks next = body(loop.getInductionVar(), llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  scf::YieldOp::create(b, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

WarpTile::Blocks WarpTile::reduce(linalg::GenericOp op, const Product &product,
                                  const PackedWeights &weights, ArrayRef<unsigned> outer,
                                  const LoopIndices &loops, const Blocks &sums) {
  if (outer.empty())
    return goDeep(op, product, weights, loops, sums);
  return emitLoop(op.getStaticLoopRanges()[outer.front()], sums,
                  [&](Value counter, const Blocks &carried) {
                    LoopIndices inner = loops;
                    inner[outer.front()] = counter;
                    return reduce(op, product, weights, outer.drop_front(), inner, carried);
                  });
}

/// Eight steps of the innermost reduction at a time, and what is left of it.
WarpTile::Blocks WarpTile::goDeep(linalg::GenericOp op, const Product &product,
                                  const PackedWeights &weights, const LoopIndices &loops,
                                  Blocks sums) {
  int64_t extent = op.getStaticLoopRanges()[product.depth], whole = extent / kDepth;
  SmallVector<Value> outer =
      llvm::map_to_vector(product.outer, [&](unsigned loop) { return loops.lookup(loop); });
  auto step = [&](Value block, const Blocks &carried, bool isEnd) {
    SmallVector<Value> vectors = llvm::map_to_vector(
        cells, [&](Value cell) { return loadVectors(op, product, loops, block, cell, isEnd); });
    return addProducts(weights, outer, block, vectors, carried);
  };
  if (whole > 0)
    sums = emitLoop(whole, sums, [&](Value block, const Blocks &carried) {
      return step(block, carried, /*isEnd=*/false);
    });
  return whole * kDepth < extent ? step(index(whole), sums, /*isEnd=*/true) : sums;
}

/// The outputs of the layer before are the vectors of this one.
WarpTile::Blocks WarpTile::multiplyHeld(const Product &product, const PackedWeights &weights,
                                        const Written &held, Blocks sums) {
  int64_t depthBlocks = held.blocks.size() / cells.size();
  linalg::GenericOp writer = held.op;
  SmallVector<unsigned> parallel;
  writer.getParallelDims(parallel);
  int64_t extent = writer.getStaticLoopRanges()[parallel[0]];
  for (int64_t depth = 0; depth < depthBlocks; ++depth) {
    Value first = add(index(depth * kDepth), arith::MulIOp::create(b, loc, member, index(2)));
    SmallVector<Value> vectors;
    for (size_t cell = 0; cell < cells.size(); ++cell)
      vectors.push_back(takeVectors(held.blocks[cell * depthBlocks + depth], first,
                                    (depth + 1) * kDepth > extent ? extent : 0));
    sums = addProducts(weights, ValueRange(), index(depth), vectors, sums);
  }
  return sums;
}

WarpTile::Blocks WarpTile::addProducts(const PackedWeights &weights, ValueRange outer,
                                       Value depthBlock, ArrayRef<Value> vectors,
                                       const Blocks &sums) {
  auto type = VectorType::get({2, 1}, b.getF32Type());
  Blocks loaded, results;
  for (int64_t output = 0; output < outputBlocks; ++output) {
    Value pair = weights.load(b, loc, outer, add(firstBlock, output), depthBlock, lane);
    loaded.push_back(vector::ShapeCastOp::create(b, loc, type, pair));
  }
  for (auto [number, sum] : llvm::enumerate(sums))
    results.push_back(nvgpu::MmaSyncOp::create(
        b, loc, vectors[number / outputBlocks], loaded[number % outputBlocks], sum,
        ArrayRef<int64_t>{kCells, kOutputs, kDepth}, /*tf32Enabled=*/true));
  return results;
}

/// What a thread gives of the vectors: of two cells the first of its two steps, then the second.
Value WarpTile::vectorsOf(ValueRange numbers) {
  SmallVector<Value> rounded =
      llvm::map_to_vector(numbers, [&](Value number) { return roundToTF32(b, loc, number); });
  return vector::FromElementsOp::create(b, loc, VectorType::get({kHeld, 1}, b.getF32Type()),
                                        rounded);
}

/// Loads them; beyond the end of the reduction there are zeros.
Value WarpTile::loadVectors(linalg::GenericOp op, const Product &product, const LoopIndices &loops,
                            Value depthBlock, Value cell, bool isEnd) {
  OpOperand *operand = op.getDpsInputOperand(product.cells);
  AffineMap map = op.getMatchingIndexingMap(operand);
  int64_t extent = op.getStaticLoopRanges()[product.depth];
  Value first = add(arith::MulIOp::create(b, loc, depthBlock, index(kDepth)),
                    arith::MulIOp::create(b, loc, member, index(2)));
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  SmallVector<Value> numbers;
  for (int64_t next : {0, 1})
    for (int64_t half : {int64_t(0), kCells / 2}) {
      LoopIndices at = loops;
      Value depth = add(first, next);
      at[product.depth] = clamp(depth, isEnd, extent);
      at[op.getNumLoops() - 1] = clamp(add(cell, half), isCellsEnd, numCells);
      Value number = memref::LoadOp::create(b, loc, operand->get(), placeIn(map, at));
      if (isEnd) {
        Value isThere =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, depth, index(extent));
        number = arith::SelectOp::create(b, loc, isThere, number, zero);
      }
      numbers.push_back(number);
    }
  return vectorsOf(numbers);
}

/// Takes them from a block of outputs; those beyond `extent`, if it is not zero, are zeros.
Value WarpTile::takeVectors(Value block, Value output, int64_t extent) {
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  SmallVector<Value> numbers;
  for (int64_t next : {0, 1})
    for (int64_t half : {0, 1}) {
      Value number = vector::ExtractOp::create(b, loc, block, 2 * half + next);
      if (extent > 0) {
        Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, add(output, next),
                                              index(extent));
        number = arith::SelectOp::create(b, loc, isThere, number, zero);
      }
      numbers.push_back(number);
    }
  return vectorsOf(numbers);
}
