//===- Violations.cpp - Count violated hard constraints -------------------===//
//
// S-BROKEN: a function that counts, for each hard constraint, the cells whose contents violate it.
// It consists of a tick for each value that changes no cell, also for values that no rule writes.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/LockDominance.h"
#include "LCI/Dialect/DeclarationIndex.h"
#include "ProgramLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::lci;

/// Whether cells may violate the constraint: a lock is never broken, nor one that was found to hold
/// always.
static bool canBreak(ConstraintOp constraint) {
  Value truth = cast<YieldOp>(constraint.getBody().front().getTerminator()).getValue();
  return constraint.cannotBeOutvoted() && !isLock(constraint) && !matchPattern(truth, m_Constant());
}

SmallVector<ConstraintOp> ProgramLowering::getBreakable(ValueOp value) {
  auto all = getDeclarationsOn<ConstraintOp>(program, value.getSymName());
  llvm::erase_if(all, [](ConstraintOp constraint) { return !canBreak(constraint); });
  return all;
}

LogicalResult Agreement::buildViolations(ArrayRef<ConstraintOp> breakable) {
  keep = body.self();
  for (ConstraintOp constraint : breakable) {
    FailureOr<Verdict> verdict = judge(constraint, keep.value);
    if (failed(verdict))
      return failure();
    Value speaks = body.both(verdict->applies, keep.present);
    count(constraint.getSymName() + ".broken", body.both(speaks, body.negate(verdict->holds)));
  }
  InstallOp::create(b, body.loc(), keep.value, body.truthValue(false), Value(), Value(), tallies,
                    b.getDenseI64ArrayAttr(slots));
  return success();
}

/// Counts at all cells of a value; returns the updated counts.
FailureOr<Value> ProgramLowering::buildViolations(ValueOp value, Counters &counters, Value epoch,
                                                  Value counts) {
  SmallVector<ConstraintOp> breakable = getBreakable(value);
  Location loc = breakable.front().getLoc();
  TickBody body(program, value, bindings, loc);
  Agreement agreement(body, getDeclarationsOn<RuleOp>(program, value.getSymName()),
                      findDeclarationOn<CommitOp>(program, value.getSymName()), counters,
                      /*scores=*/false);
  if (failed(agreement.buildViolations(breakable)))
    return failure();
  Value zero = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  RankedTensorType type = getStateType(value);
  Value nowhere = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  TickOp tick = body.finish(b, epoch, zero, zero, {nowhere, counts, Value()}, IntegerSetAttr(), 1);
  return tick.getCountsAfter();
}

LogicalResult ProgramLowering::buildViolations() {
  SmallVector<ValueOp> looked;
  llvm::StringSet<> read;
  for (ValueOp value : llvm::concat<ValueOp>(ruled, inputs)) {
    SmallVector<ConstraintOp> breakable = getBreakable(value);
    if (breakable.empty())
      continue;
    looked.push_back(value);
    read.insert(value.getSymName());
    for (ConstraintOp constraint : breakable)
      constraint.walk([&](ReadOp op) { read.insert(op.getValue()); });
  }
  if (looked.empty())
    return success();
  Interface interface(program, given);
  interface.addValues(ruled, inputs, read);
  interface.addParameters();
  interface.addSetsWeightsAndEnables();
  interface.add(Role::Epoch, "", b.getI64Type());
  auto countsType = RankedTensorType::get({0}, b.getI64Type()); // their number is known after
  interface.add(Role::Counts, "", countsType);
  func::FuncOp function =
      interface.makeFunction(b, program.getSymName() + ".breaches", TypeRange(countsType));
  bindings = interface.bind(function);
  Value epoch = function.getArguments().drop_back().back();
  if (failed(evaluateEpochly(epoch)))
    return failure();
  Counters broken(Counting::Full);
  Value counts = function.getArguments().back();
  for (ValueOp value : looked) {
    FailureOr<Value> after = buildViolations(value, broken, epoch, counts);
    if (failed(after))
      return failure();
    counts = *after;
  }
  func::ReturnOp::create(b, program.getLoc(), counts);
  setCounters(function, broken);
  return success();
}
