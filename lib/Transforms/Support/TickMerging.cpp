//===- TickMerging.cpp - Bodies of ticks that are put together ------------===//

#include "LCI/Transforms/Support/TickMerging.h"
#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Dialect/SettledCells.h"
#include "LCI/Dialect/TickWindows.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lci;

bool mlir::lci::onlyComputes(TickOp tick) {
  if (tick.hasTensorSemantics() || !tick.getBoxed().empty() || tick.getScores() ||
      tick.callsModel())
    return false;
  return llvm::all_of(tick.getBody().front().without_terminator(), [](Operation &op) {
    if (auto load = dyn_cast<LoadOp>(op))
      return getLoadedInput(load) && load.getWindow();
    return isPlain(&op) && !isDraw(&op) && op.getNumResults() == 1;
  });
}

Value mlir::lci::addInput(TickOp tick, Value input) {
  for (auto [known, argument] : llvm::zip_equal(tick.getInputs(), tick.getInputArguments()))
    if (known == input)
      return argument;
  tick.getInputsMutable().append(input);
  return tick.getBody().addArgument(input.getType(), tick.getLoc());
}

/// Loads what a cell of a target holds.
static Value loadOwn(OpBuilder &builder, TickOp tick, Value target) {
  return loadInside(builder, tick.getLoc(), addInput(tick, target),
                    builder.getMultiDimIdentityMap(tick.getRank()), tick.getIndexArguments());
}

void mlir::lci::installAlways(TickOp tick) {
  foldSettled(tick);
  InstallOp install = tick.getInstall();
  Value condition = install.getCondition();
  if (matchPattern(condition, m_One()))
    return;
  OpBuilder builder(install);
  for (auto [token, target] :
       llvm::zip_equal(install.getTokensMutable(), SmallVector<Value>(tick.getTargets())))
    token.set(arith::SelectOp::create(builder, tick.getLoc(), condition, token.get(),
                                      loadOwn(builder, tick, target)));
  install.getConditionMutable().set(
      arith::ConstantIntOp::create(builder, tick.getLoc(), 1, 1).getResult());
}

int64_t mlir::lci::countWindows(TickOp tick) {
  llvm::SetVector<std::pair<Value, AffineMap>> windows;
  for (auto load : tick.getBody().getOps<LoadOp>()) {
    bool isOwn =
        llvm::any_of(tick.getTargets(), [&](Value target) { return readsOwn(load, target); });
    if (!isOwn)
      windows.insert({getLoadedInput(load), load.getMap()});
  }
  return windows.size();
}
