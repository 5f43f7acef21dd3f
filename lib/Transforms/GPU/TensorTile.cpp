//===- TensorTile.cpp - What a warp computes of a product -----------------===//

#include "TensorTile.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lci::tensor_cores;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

WarpTile::WarpTile(OpBuilder &builder, Location loc, ArrayRef<int64_t> turns, ValueRange counters,
                   int64_t rowBlocks, bool fillsCells)
    : b(builder), loc(loc), turns(turns), others(counters.drop_back(2)),
      isRowsEnd(turns[turns.size() - 2] % (rowBlocks * kRows) != 0), isCellsEnd(!fillsCells) {
  Value thread = counters.back();
  Value lane = arith::RemUIOp::create(b, loc, thread, index(kLanes));
  Value group = arith::DivUIOp::create(b, loc, lane, index(kHeld));
  member = arith::RemUIOp::create(b, loc, lane, index(kHeld));
  Value rowTile = counters[counters.size() - 2];
  Value firstRow = arith::MulIOp::create(b, loc, rowTile, index(rowBlocks * kRows));
  for (int64_t block = 0; block < rowBlocks; ++block)
    rows.push_back(add(firstRow, add(group, block * kRows)));
  Value tile = arith::DivUIOp::create(b, loc, thread, index(kLanes));
  Value firstCell = arith::MulIOp::create(b, loc, tile, index(kCellBlocks * kColumns));
  Value pair = arith::MulIOp::create(b, loc, member, index(2));
  for (int64_t block = 0; block < kCellBlocks; ++block) {
    columns.push_back(add(firstCell, add(pair, block * kColumns)));
    cells.push_back(clampCell(add(firstCell, add(group, block * kColumns)), 1));
  }
}

Value WarpTile::index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

Value WarpTile::add(Value a, Value c) { return b.createOrFold<arith::AddIOp>(loc, a, c); }

/// What is computed beyond the last row or cell is not stored: it is the last one's.
Value WarpTile::clampRow(Value row) {
  return isRowsEnd ? arith::MinUIOp::create(b, loc, row, index(turns[turns.size() - 2] - 1)) : row;
}

Value WarpTile::clampCell(Value cell, int64_t many) {
  return isCellsEnd ? arith::MinUIOp::create(b, loc, cell, index(turns.back() - many)) : cell;
}

/// Of an operation's loops the parallel ones, at a row and a cell.
WarpTile::LoopIndices WarpTile::loopsAt(linalg::GenericOp op, Value row, Value cell) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  SmallVector<Value> counters(others);
  counters.append({row, cell});
  LoopIndices loops;
  for (auto [loop, counter] : llvm::zip_equal(parallel, counters))
    loops[loop] = counter;
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
Value WarpTile::loadBlock(linalg::GenericOp op, OpOperand &operand, int64_t rowBlock,
                          int64_t cellBlock) {
  auto type = VectorType::get(kHeld, b.getF32Type());
  if (!isa<MemRefType>(operand.get().getType()))
    return vector::BroadcastOp::create(b, loc, type, operand.get());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  bool hasCells = map.isFunctionOfDim(op.getNumLoops() - 1);
  SmallVector<Value> parts;
  for (int64_t row : {int64_t(0), kRows / 2}) {
    SmallVector<Value> place = placeIn(
        map, loopsAt(op, clampRow(add(rows[rowBlock], row)), clampCell(columns[cellBlock], 2)));
    if (hasCells)
      parts.push_back(
          vector::LoadOp::create(b, loc, VectorType::get(2, b.getF32Type()), operand.get(), place));
    else
      parts.push_back(memref::LoadOp::create(b, loc, operand.get(), place));
  }
  if (hasCells)
    return vector::ShuffleOp::create(b, loc, parts[0], parts[1], ArrayRef<int64_t>{0, 1, 2, 3});
  return vector::FromElementsOp::create(b, loc, type,
                                        ValueRange{parts[0], parts[0], parts[1], parts[1]});
}

WarpTile::Blocks WarpTile::blocksOf(linalg::GenericOp op, OpOperand &operand) {
  if (auto *found = known.find(operand.get()); found != known.end())
    return found->second.blocks;
  Blocks blocks;
  for (size_t row = 0; row < rows.size(); ++row)
    for (int64_t cell = 0; cell < kCellBlocks; ++cell)
      blocks.push_back(loadBlock(op, operand, row, cell));
  return blocks;
}

void WarpTile::apply(linalg::GenericOp op) {
  Block *body = op.getBody();
  SmallVector<IRMapping> mappings(rows.size() * kCellBlocks);
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
      for (int64_t half : {0, 1}) {
        Value row = add(rows[number / kCellBlocks], half * kRows / 2);
        storePair(written.op, vector::ExtractStridedSliceOp::create(b, loc, block, 2 * half, 2, 1),
                  row, columns[number % kCellBlocks]);
      }
}

/// Writes two cells of a row, if they are there.
void WarpTile::storePair(linalg::GenericOp op, Value pair, Value row, Value cell) {
  OpBuilder::InsertionGuard guard(b);
  auto enter = [&](Value place, int64_t extent) {
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, index(extent));
    auto branch = scf::IfOp::create(b, loc, isThere, /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  };
  if (isRowsEnd)
    enter(row, turns[turns.size() - 2]);
  if (isCellsEnd)
    enter(cell, turns.back());
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  vector::StoreOp::create(b, loc, pair, op.getDpsInits()[0], placeIn(map, loopsAt(op, row, cell)));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void WarpTile::multiply(linalg::GenericOp op, const Product &product) {
  auto cast = [&](ArrayRef<Value> blocks, ArrayRef<int64_t> shape) {
    auto type = VectorType::get(shape, b.getF32Type());
    return llvm::map_to_vector(blocks, [&](Value block) -> Value {
      return vector::ShapeCastOp::create(b, loc, type, block);
    });
  };
  Blocks sums = cast(blocksOf(op, *op.getDpsInitOperand(0)), {2, 2});
  sums = reduce(op, product, product.outer, loopsAt(op, Value(), Value()), sums);
  known[op.getDpsInits()[0]] = {op, cast(sums, {kHeld})};
}

/// A loop that carries sums.
WarpTile::Blocks WarpTile::emitLoop(int64_t end, int64_t step, const Blocks &sums,
                                    llvm::function_ref<Blocks(Value, const Blocks &)> body) {
  auto loop = scf::ForOp::create(b, loc, index(0), index(end), index(step), sums);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(
      b, loc, body(loop.getInductionVar(), llvm::to_vector_of<Value>(loop.getRegionIterArgs())));
  return llvm::to_vector_of<Value>(loop.getResults());
}

WarpTile::Blocks WarpTile::reduce(linalg::GenericOp op, const Product &product,
                                  ArrayRef<unsigned> outer, const LoopIndices &loops,
                                  const Blocks &sums) {
  if (outer.empty())
    return goDeep(op, product, loops, sums);
  return emitLoop(op.getStaticLoopRanges()[outer.front()], 1, sums,
                  [&](Value counter, const Blocks &carried) {
                    LoopIndices inner = loops;
                    inner[outer.front()] = counter;
                    return reduce(op, product, outer.drop_front(), inner, carried);
                  });
}

/// Eight steps of the innermost reduction at a time, and what is left of it.
WarpTile::Blocks WarpTile::goDeep(linalg::GenericOp op, const Product &product,
                                  const LoopIndices &loops, Blocks sums) {
  int64_t extent = op.getStaticLoopRanges()[product.depth], whole = extent / kDepth * kDepth;
  if (whole > 0)
    sums = emitLoop(whole, kDepth, sums, [&](Value first, const Blocks &carried) {
      return multiplyBlocks(op, product, loops, first, /*isEnd=*/false, carried);
    });
  if (whole < extent)
    sums = multiplyBlocks(op, product, loops, index(whole), /*isEnd=*/true, sums);
  return sums;
}

WarpTile::Blocks WarpTile::multiplyBlocks(linalg::GenericOp op, const Product &product,
                                          const LoopIndices &loops, Value first, bool isEnd,
                                          const Blocks &sums) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  unsigned rowLoop = parallel[parallel.size() - 2], cellLoop = parallel.back();
  SmallVector<Value> depths{add(first, member), add(first, add(member, kDepth / 2))};
  int64_t end = isEnd ? op.getStaticLoopRanges()[product.depth] : 0;
  auto part = [&](unsigned input, unsigned loop, ArrayRef<Value> places) -> Value {
    SmallVector<Value> numbers;
    for (Value depth : depths)
      for (Value place : places) {
        LoopIndices at = loops;
        at[loop] = place;
        numbers.push_back(loadRounded(op, input, at, product.depth, depth, end));
      }
    auto type = VectorType::get({static_cast<int64_t>(numbers.size()), 1}, b.getF32Type());
    return vector::FromElementsOp::create(b, loc, type, numbers);
  };
  Blocks weights, vectors, results;
  for (Value row : rows)
    weights.push_back(
        part(product.weights, rowLoop, {clampRow(row), clampRow(add(row, kRows / 2))}));
  for (Value cell : cells)
    vectors.push_back(part(product.cells, cellLoop, cell));
  for (auto [number, sum] : llvm::enumerate(sums))
    results.push_back(nvgpu::MmaSyncOp::create(
        b, loc, weights[number / kCellBlocks], vectors[number % kCellBlocks], sum,
        ArrayRef<int64_t>{kRows, kColumns, kDepth}, /*tf32Enabled=*/true));
  return results;
}

/// One number of an input as TF32, which has eleven bits: the nearest, of two the larger one.
/// Beyond the end of the reduction there are zeros.
Value WarpTile::loadRounded(linalg::GenericOp op, unsigned input, LoopIndices loops, unsigned depth,
                            Value at, int64_t end) {
  Value isThere;
  if (end > 0) {
    isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at, index(end));
    at = arith::MinUIOp::create(b, loc, at, index(end - 1));
  }
  loops[depth] = at;
  OpOperand *operand = op.getDpsInputOperand(input);
  Value number = memref::LoadOp::create(b, loc, operand->get(),
                                        placeIn(op.getMatchingIndexingMap(operand), loops));
  auto rounded =
      NVVM::ConvertFloatToTF32Op::create(b, loc, b.getI32Type(), number, NVVM::FPRoundingMode::RNA);
  number = arith::BitcastOp::create(b, loc, b.getF32Type(), rounded);
  if (!isThere)
    return number;
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  return arith::SelectOp::create(b, loc, isThere, number, zero);
}
