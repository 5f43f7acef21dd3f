//===- SettledCells.cpp - Skip the work of settled cells ------------------===//
//
// Finds inputs that settle all cells of a tick at once, by evaluating its condition under either
// value; and rewrites bodies whose cells settle individually: folded into the condition, or as a
// branch around the computation that only unsettled cells need.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/SettledCells.h"
#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Dialect/TickBuilders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;

bool mlir::lci::isHeavy(TickOp tick) {
  return llvm::any_of(tick.getBody().front(), [](Operation &op) {
    // Draws become branches.
    return op.getNumRegions() != 0 || isa<CallOpInterface>(op) || isDraw(&op);
  });
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

/// The constant to which a boolean folds if one argument of the body is `assumed`, if it does.
static std::optional<bool> decide(Value truth, Value argument, bool assumed) {
  if (truth == argument)
    return assumed;
  APInt constant;
  if (matchPattern(truth, m_ConstantInt(&constant)))
    return !constant.isZero();
  Operation *op = truth.getDefiningOp();
  if (!truth.getType().isInteger(1) ||
      !isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  std::optional<bool> left = decide(op->getOperand(0), argument, assumed);
  std::optional<bool> right = decide(op->getOperand(1), argument, assumed);
  if (isa<arith::XOrIOp>(op))
    return left && right ? std::optional(*left != *right) : std::nullopt;
  bool absorbing = isa<arith::OrIOp>(op);
  if (left == absorbing || right == absorbing)
    return absorbing;
  return left && right ? std::optional(!absorbing) : std::nullopt;
}

/// Whether nothing is installed or counted if an argument of the body is `assumed`.
static bool isSettled(InstallOp install, Value argument, bool assumed) {
  if (Value settled = install.getSettled(); settled && decide(settled, argument, assumed) == true)
    return true;
  return install.getBoxed().empty() && decide(install.getCondition(), argument, assumed) == false &&
         llvm::all_of(install.getTallies(),
                      [&](Value tally) { return decide(tally, argument, assumed) == false; });
}

std::optional<SettlingSwitch> mlir::lci::findSettlingSwitch(TickOp tick) {
  InstallOp install = tick.getInstall();
  for (auto [position, argument] : llvm::enumerate(tick.getInputArguments())) {
    if (!argument.getType().isInteger(1))
      continue;
    bool onTrue = isSettled(install, argument, true), onFalse = isSettled(install, argument, false);
    if (onTrue != onFalse) // else all cells are settled, or none, whatever it is
      return SettlingSwitch{static_cast<unsigned>(position), onTrue};
  }
  return std::nullopt;
}

bool mlir::lci::testsEachCell(TickOp tick) {
  Value settled = tick.getInstall().getSettled();
  return settled && llvm::none_of(tick.getInputArguments(), [&](BlockArgument argument) {
           return argument.getType().isInteger(1) && decide(settled, argument, true) &&
                  decide(settled, argument, false);
         });
}

void mlir::lci::assumeOpen(TickOp tick, SettlingSwitch by) {
  InstallOp install = tick.getInstall();
  Value argument = tick.getInputArguments()[by.input];
  if (install.getSettled() && decide(install.getSettled(), argument, !by.settles) == false)
    install.getSettledMutable().clear();
  OpBuilder builder = OpBuilder::atBlockBegin(&tick.getBody().front());
  Value open = arith::ConstantIntOp::create(builder, tick.getLoc(), !by.settles, 1);
  argument.replaceAllUsesWith(open);
}

//===----------------------------------------------------------------------===//
// Tests of each cell
//===----------------------------------------------------------------------===//

/// Removes and returns the operand `settled`; null if there is none or it is constant false.
static Value takeSettled(InstallOp install) {
  Value settled = install.getSettled();
  install.getSettledMutable().clear();
  return settled && !matchPattern(settled, m_Zero()) ? settled : Value();
}

void mlir::lci::foldSettled(TickOp tick) {
  InstallOp install = tick.getInstall();
  Value settled = takeSettled(install);
  if (!settled)
    return;
  OpBuilder builder(install);
  Location loc = install.getLoc();
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value open = builder.createOrFold<arith::XOrIOp>(loc, settled, yes);
  auto restrict = [&](OpOperand &truth) {
    truth.set(builder.createOrFold<arith::AndIOp>(loc, truth.get(), open));
  };
  restrict(install.getConditionMutable());
  for (OpOperand &tally : install.getTalliesMutable()) {
    if (tally.get().getType().isInteger(1)) {
      restrict(tally);
      continue;
    }
    Type type = tally.get().getType();
    Value none = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    tally.set(builder.createOrFold<arith::SelectOp>(loc, open, tally.get(), none));
  }
}

void mlir::lci::foldCells(TickOp tick) {
  std::optional<IntegerSet> cells = tick.getCells();
  if (!cells)
    return;
  InstallOp install = tick.getInstall();
  OpBuilder builder(install);
  Location loc = install.getLoc();
  Value isMember = buildMembership(builder, loc, *cells, tick.getIndexArguments(),
                                   getIndexRanges(tick), tick.getPhaseArgument());
  tick.removeCellsAttr();
  if (!isMember)
    return;
  Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isSettled = builder.createOrFold<arith::XOrIOp>(loc, isMember, yes);
  if (Value settled = takeSettled(install))
    isSettled = builder.createOrFold<arith::OrIOp>(loc, settled, isSettled);
  install.getSettledMutable().assign(isSettled);
}

/// The operations at the top of a body that `value` does not depend on, in their order.
static SmallVector<Operation *> getOthers(Block &body, Value value) {
  SmallPtrSet<Operation *, 16> needed{value.getDefiningOp()};
  SmallVector<Operation *> others;
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (!needed.contains(&op)) {
      others.push_back(&op);
      continue;
    }
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *source = operand.getDefiningOp())
          needed.insert(body.findAncestorOpInBlock(*source));
    });
  }
  std::reverse(others.begin(), others.end());
  return others;
}

void mlir::lci::branchOnSettled(TickOp tick) {
  InstallOp install = tick.getInstall();
  Value settled = takeSettled(install);
  if (!settled)
    return;
  SmallVector<Operation *> others = getOthers(tick.getBody().front(), settled);
  SmallVector<Value> needed(install->getOperands());
  OpBuilder builder(install);
  Location loc = install.getLoc();
  auto branch =
      scf::IfOp::create(builder, loc, ValueRange(needed).getTypes(), settled, /*withElse=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> nothing = llvm::map_to_vector(needed, [&](Value value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
  });
  scf::YieldOp::create(builder, loc, nothing);
  builder.setInsertionPointToStart(branch.elseBlock());
  auto yield = scf::YieldOp::create(builder, loc, needed);
  for (Operation *op : others)
    op->moveBefore(yield);
  install->setOperands(branch.getResults());
}
