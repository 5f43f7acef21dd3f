//===- PrivatizeCounters.cpp - Counters of short rows, one per column -----===//
//
// A counter of a vectorized row is a vector that is reduced where the row ends. In a row of one or
// two vectors that takes as long as much of the remaining work. Here each column of a row has a
// private counter, and these are summed once after all rows. Upstream splits reductions by the
// reduced loop (`linalg::splitReduction`), on tensors only.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/CPU/Passes.h"
#include "LCI/Transforms/Support/OperationQueries.h"
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

/// Whether no loop around an operation runs in parallel.
static bool runsInOneThread(Operation *op) {
  Operation *parent = op->getParentOp();
  while (isa<scf::ForOp, scf::IfOp, scf::ExecuteRegionOp>(parent))
    parent = parent->getParentOp();
  return isa<func::FuncOp>(parent);
}

/// The length of a row, if it is short and there may be several rows.
static std::optional<int64_t> findColumns(linalg::GenericOp op, int64_t maxRowWords) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (ranges.size() < 2 || ShapedType::isDynamic(ranges.back()) || ranges.back() > maxRowWords)
    return std::nullopt;
  bool isOneRow = llvm::all_of(ArrayRef(ranges).drop_back(), [](int64_t n) { return n == 1; });
  return isOneRow ? std::nullopt : std::optional(ranges.back());
}

/// Outputs without axes to which the body adds, without another use.
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

/// Sums the counters of all columns.
static void sumColumns(OpBuilder &builder, Location loc, Value columns, Value counter) {
  MLIRContext *context = builder.getContext();
  AffineMap each = AffineMap::getMultiDimIdentityMap(1, context),
            all = AffineMap::get(1, 0, context);
  linalg::GenericOp::create(
      builder, loc, TypeRange(), columns, counter, ArrayRef{each, all},
      utils::IteratorType::reduction, [](OpBuilder &inner, Location where, ValueRange arguments) {
        Value sum = arith::AddIOp::create(inner, where, arguments[1], arguments[0]);
        linalg::YieldOp::create(inner, where, sum);
      });
}

/// Gives each column a private counter.
static void countByColumns(linalg::GenericOp op, OpOperand &init, int64_t numColumns) {
  Location loc = op.getLoc();
  Value counter = init.get();
  Type element = getElementTypeOrSelf(counter.getType());
  Block &entry = op->getParentOfType<func::FuncOp>().getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Value columns = memref::AllocaOp::create(builder, loc, MemRefType::get(numColumns, element));
  builder.setInsertionPoint(op);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  linalg::FillOp::create(builder, loc, zero, columns);
  init.set(columns);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned rank = op.getNumLoops();
  maps[init.getOperandNumber()] =
      AffineMap::get(rank, 0, builder.getAffineDimExpr(rank - 1), builder.getContext());
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  builder.setInsertionPointAfter(op);
  sumColumns(builder, loc, columns, counter);
}

namespace {
struct PrivatizeCounters : mlir::lci::impl::PrivatizeCountersPassBase<PrivatizeCounters> {
  using PrivatizeCountersPassBase::PrivatizeCountersPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"max-row-words", maxRowWords, 0}});
  }

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      if (!op.hasPureBufferSemantics() || !runsInOneThread(op))
        continue;
      std::optional<int64_t> numColumns = findColumns(op, maxRowWords);
      if (!numColumns)
        continue;
      for (OpOperand *counter : findCounters(op)) {
        if (!hasWideCells(op, getElementTypeOrSelf(counter->get().getType())))
          continue;
        countByColumns(op, *counter, *numColumns);
        ++numCounters;
      }
    }
  }
};
} // namespace
