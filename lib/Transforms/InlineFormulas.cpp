//===- InlineFormulas.cpp - A formula's body in place of its name -----------===//

#include "BindSteps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::lci;

/// A place in a formula, with those of its uses from the inside out.
static Location addUse(Location place, Location use) {
  if (auto inner = dyn_cast<CallSiteLoc>(place))
    return CallSiteLoc::get(inner.getCallee(), addUse(inner.getCaller(), use));
  return CallSiteLoc::get(place, use);
}

/// Replaces one application by the body of the formula, which holds no application any more.
static void inlineApply(ApplyOp apply, DefOp formula) {
  OpBuilder builder(apply);
  IRMapping mapping;
  Block &body = formula.getBody().front();
  mapping.map(body.getArguments(), apply.getIndices());
  // What is said of the body is said of this use of it.
  auto setPlace = [&](Operation *op) { op->setLoc(addUse(op->getLoc(), apply.getLoc())); };
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping)->walk(setPlace);
  auto yield = cast<YieldOp>(body.getTerminator());
  Value present = yield.getPresent()
                      ? mapping.lookupOrDefault(yield.getPresent())
                      : arith::ConstantIntOp::create(builder, apply.getLoc(), 1, 1).getResult();
  apply.replaceAllUsesWith(ValueRange{mapping.lookupOrDefault(yield.getValue()), present});
  apply.erase();
}

namespace {
/// Inlines formulas depth first, so that each body is final before it is copied.
class Inliner {
public:
  explicit Inliner(ProgramOp program) : program(program) {}

  LogicalResult run(Operation *declaration) {
    SmallVector<ApplyOp> applications;
    declaration->walk([&](ApplyOp apply) { applications.push_back(apply); });
    for (ApplyOp apply : applications) {
      auto formula = program.lookupSymbol<DefOp>(apply.getFormula());
      if (llvm::is_contained(open, formula))
        return emitError(apply.getLoc(), "formula '")
               << ErrorId::SelfReference << apply.getFormula() << "' is defined by itself";
      if (!done.contains(formula)) {
        open.push_back(formula);
        if (failed(run(formula)))
          return failure();
        open.pop_back();
        done.insert(formula);
      }
      inlineApply(apply, formula);
    }
    return success();
  }

private:
  ProgramOp program;
  SmallVector<DefOp> open;
  DenseSet<Operation *> done;
};
} // namespace

LogicalResult lci::inlineFormulas(ProgramOp program) {
  Inliner inliner(program);
  for (Operation &declaration : program.getBody().front())
    if (!isa<DefOp>(declaration) && failed(inliner.run(&declaration)))
      return failure();
  for (auto formula : program.getOps<DefOp>()) // those that nothing uses
    if (failed(inliner.run(formula)))
      return failure();
  return success();
}
