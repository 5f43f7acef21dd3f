//===- PrivatizeCounters.cpp - Counters of short rows, one for each place -===//
//
// A counter of a vectorised row is a vector whose elements are summed up where the row ends. Of a
// row of one vector or two that takes as long as much of the rest. Here each place of a row has a
// counter of its own, and these are summed up once, behind all rows. Upstream splits reductions by
// the loop that is reduced (`linalg::splitReduction`), on tensors only.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PRIVATIZECOUNTERSPASS
#include "LCI/Transforms/CPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Whether nothing around an operation shares the function's memory among threads.
static bool runsInOneThread(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa<scf::ForOp, scf::IfOp, scf::ExecuteRegionOp>(parent))
    parent = parent->getParentOp();
  return isa<func::FuncOp>(parent);
}

/// The places of a row, if these are few and there may be several rows.
static std::optional<int64_t> findPlaces(linalg::GenericOp op, int64_t maxPlaces) {
  SmallVector<int64_t> turns = op.getStaticLoopRanges();
  if (turns.size() < 2 || ShapedType::isDynamic(turns.back()) || turns.back() > maxPlaces)
    return std::nullopt;
  bool isOneRow = llvm::all_of(ArrayRef(turns).drop_back(), [](int64_t n) { return n == 1; });
  return isOneRow ? std::nullopt : std::optional(turns.back());
}

/// Outputs without axes that are added to, and read for nothing else.
static SmallVector<OpOperand *> findCounters(linalg::GenericOp op) {
  SmallVector<OpOperand *> counters;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init).getNumResults() == 0 &&
        getAdditions(op.getMatchingBlockArgument(&init), op.getMatchingYieldValue(&init)->get()))
      counters.push_back(&init);
  return counters;
}

/// Whether cells are as wide as their counters, so that a vector has as many of each.
static bool hasWideCells(linalg::GenericOp op, Type counter) {
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).getNumResults() != 0 &&
           getElementTypeOrSelf(init.get().getType()) == counter;
  });
}

/// Adds up the counters of all places.
static void addUp(OpBuilder &builder, Location loc, Value places, Value counter) {
  MLIRContext *context = builder.getContext();
  AffineMap each = AffineMap::getMultiDimIdentityMap(1, context),
            all = AffineMap::get(1, 0, context);
  linalg::GenericOp::create(
      builder, loc, TypeRange(), places, counter, ArrayRef{each, all},
      utils::IteratorType::reduction, [](OpBuilder &inner, Location where, ValueRange arguments) {
        Value sum = arith::AddIOp::create(inner, where, arguments[1], arguments[0]);
        linalg::YieldOp::create(inner, where, sum);
      });
}

/// Gives each place a counter of its own.
static void countByPlaces(linalg::GenericOp op, OpOperand &init, int64_t numPlaces) {
  Location loc = op.getLoc();
  Value counter = init.get();
  Type element = getElementTypeOrSelf(counter.getType());
  Block &entry = op->getParentOfType<func::FuncOp>().getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Value places = memref::AllocaOp::create(builder, loc, MemRefType::get(numPlaces, element));
  builder.setInsertionPoint(op);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  linalg::FillOp::create(builder, loc, zero, places);
  init.set(places);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned rank = op.getNumLoops();
  maps[init.getOperandNumber()] =
      AffineMap::get(rank, 0, builder.getAffineDimExpr(rank - 1), builder.getContext());
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  builder.setInsertionPointAfter(op);
  addUp(builder, loc, places, counter);
}

namespace {
struct PrivatizeCounters : lci::impl::PrivatizeCountersPassBase<PrivatizeCounters> {
  using PrivatizeCountersPassBase::PrivatizeCountersPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"max-places", maxPlaces, 0}});
  }

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      if (!op.hasPureBufferSemantics() || !runsInOneThread(op))
        continue;
      std::optional<int64_t> numPlaces = findPlaces(op, maxPlaces);
      if (!numPlaces)
        continue;
      for (OpOperand *counter : findCounters(op)) {
        if (!hasWideCells(op, getElementTypeOrSelf(counter->get().getType())))
          continue;
        countByPlaces(op, *counter, *numPlaces);
        ++numCounters;
      }
    }
  }
};
} // namespace
