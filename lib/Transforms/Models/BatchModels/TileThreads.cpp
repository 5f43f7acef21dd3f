//===- TileThreads.cpp - The cells of a tile are threads ------------------===//
//
// Kernels take the cells of a tile side by side. Which cells a model is asked about, where it is
// not all, the kernels find out as well, and the host never knows how many there are: it launches
// threads for all that there may be, and those beyond the last one do nothing. In which order cells
// are found is left to chance; no cell's answer depends on another one's place.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/LoopHints.h"
#include "TickBatcher.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::lci;

/// A parallel loop from zero, with its body. It has a warp's turns at least, which run together
/// whatever there is to do: a loop of one turn would be taken for none.
void TickBatcher::emitThreads(Value count, llvm::function_ref<void(Value)> body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value warp = arith::ConstantIndexOp::create(b, loc, kWarp);
  Value upper = b.createOrFold<arith::MaxUIOp>(loc, count, warp);
  auto loop = scf::ParallelOp::create(b, loc, zero, upper, one);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVars().front();
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, count);
  auto branch = scf::IfOp::create(b, loc, isThere, /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  body(number);
}

/// Whether so many cells were picked that there is one of this number.
Value TickBatcher::hasPicked(Value number) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value many = memref::LoadOp::create(b, loc, picked.number, zero);
  many = arith::IndexCastOp::create(b, loc, b.getIndexType(), many);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, many);
}

/// Visits the cells of a tile: `count` of them from `first` on or, if no count is known, those
/// whose numbers were picked.
void TickBatcher::emitCellThreads(Value first, Value count,
                                  llvm::function_ref<void(Value row)> step) {
  Value all = count ? count : Value(arith::ConstantIndexOp::create(b, loc, tile));
  emitThreads(all, [&](Value row) {
    Value number = arith::AddIOp::create(b, loc, first, row);
    if (!count) {
      auto branch = scf::IfOp::create(b, loc, hasPicked(number), /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
      number = memref::LoadOp::create(b, loc, picked.cells, number);
    }
    enterCell(indicesOf(number, tick.getRank()));
    step(row);
  });
}

/// Makes room for the numbers of all cells there may be.
void TickBatcher::makePicked() {
  if (picked.cells)
    return;
  int64_t cells = cast<MemRefType>(tick.getTarget().getType()).getNumElements();
  picked.cells = makeBuffer({cells}, b.getIndexType());
  picked.number = makeBuffer({1}, b.getI64Type());
}

/// Writes down the numbers of the cells that are needed, and how many they are.
void TickBatcher::pickByThreads() {
  Value none = arith::ConstantIntOp::create(b, loc, 0, 64);
  linalg::FillOp::create(b, loc, none, picked.number);
  emitThreads(countCells(), [&](Value flat) {
    if (Value skipped = isSkipped(flat)) {
      Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
      Value needed = arith::XOrIOp::create(b, loc, skipped, yes);
      auto branch = scf::IfOp::create(b, loc, needed, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value place = memref::AtomicRMWOp::create(b, loc, b.getI64Type(), arith::AtomicRMWKind::addi,
                                              one, picked.number, zero);
    place = arith::IndexCastOp::create(b, loc, b.getIndexType(), place);
    memref::StoreOp::create(b, loc, flat, picked.cells, place);
  });
}

/// Tiles of the cells that are needed: as many as all cells would fill.
LogicalResult TickBatcher::emitPickedByThreads() {
  makePicked();
  pickByThreads();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, tile);
  auto tiles = scf::ForOp::create(b, loc, zero, countCells(), step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(tiles.getBody());
  return emitTile(tiles.getInductionVar(), nullptr);
}

/// Asks a model about a tile, unless it is empty. What follows from the last one's answer for the
/// tile as a whole stands right behind it.
LogicalResult TickBatcher::evaluateByThreads(Ask &ask, ArrayRef<Brought> brought, Value first,
                                             Value count) {
  OpBuilder::InsertionGuard guard(b);
  if (!count) {
    auto branch = scf::IfOp::create(b, loc, hasPicked(first), /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  if (failed(evaluate(ask, first, count)))
    return failure();
  for (const Brought &some : brought) {
    if (some.isLate)
      gatherOwn(some.own, first, count);
    agreeByParts(some.agree, some.own);
  }
  return success();
}

void TickBatcher::countAtomically(Value truth, int64_t slot) {
  auto branch = scf::IfOp::create(b, loc, truth, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Type type = cast<MemRefType>(tick.getCounts().getType()).getElementType();
  Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, 1));
  Value index = arith::ConstantIndexOp::create(b, loc, slot);
  memref::AtomicRMWOp::create(b, loc, type, arith::AtomicRMWKind::addi, one, tick.getCounts(),
                              index);
}
