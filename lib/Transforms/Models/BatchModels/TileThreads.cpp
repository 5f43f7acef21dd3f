//===- TileThreads.cpp - The cells of a tile as threads -------------------===//
//
// Kernels process the cells of a tile in parallel. Where not all cells need the model, kernels find
// those that do as well, and the host never knows their count: it launches threads for the upper
// bound, and those beyond the count end at once. The order in which cells are found is
// nondeterministic; no cell's result depends on another one's index.
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

/// A parallel loop from zero, with its body. It has at least a warp's iterations, which run
/// together whatever there is to do: a loop of one iteration would be folded.
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

/// Whether at least `number` + 1 cells were picked.
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

/// Allocates space for the numbers of all cells.
void TickBatcher::makePicked() {
  if (picked.cells)
    return;
  int64_t cells = cast<MemRefType>(tick.getTarget().getType()).getNumElements();
  picked.cells = makeBuffer({cells}, b.getIndexType());
  picked.number = makeBuffer({1}, b.getI64Type());
}

/// Stores the numbers of the cells that need the model, and their count.
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

/// Tiles of the cells that need the model: as many as all cells would fill.
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

/// Evaluates a model for a tile, unless it is empty. Agreements of the tile on the last model's
/// result come right behind it.
LogicalResult TickBatcher::evaluateByThreads(ModelCall &modelCall,
                                             ArrayRef<SharedAgreement> sharedAgreements,
                                             Value first, Value count) {
  OpBuilder::InsertionGuard guard(b);
  if (!count) {
    auto branch = scf::IfOp::create(b, loc, hasPicked(first), /*withElseRegion=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
  }
  if (failed(evaluate(modelCall, first, count)))
    return failure();
  for (const SharedAgreement &some : sharedAgreements) {
    if (some.isLate)
      gatherCellValues(some.cellValues, first, count);
    agreeByParts(some.agree, some.cellValues);
  }
  return success();
}

void TickBatcher::countAtomically(Value flag, int64_t slot) {
  auto branch = scf::IfOp::create(b, loc, flag, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Type type = cast<MemRefType>(tick.getCounts().getType()).getElementType();
  Value one = arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, 1));
  Value index = arith::ConstantIndexOp::create(b, loc, slot);
  memref::AtomicRMWOp::create(b, loc, type, arith::AtomicRMWKind::addi, one, tick.getCounts(),
                              index);
}
