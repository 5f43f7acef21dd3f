//===- Parameters.cpp - The order of parameters ---------------------------===//
//
// Declarations have no order, so a formula may use a parameter that is declared later.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Parameters.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// A depth-first walk from each parameter and formula to those that it uses.
class Walk {
public:
  explicit Walk(ProgramOp program) : program(program) {}

  LogicalResult visit(Operation *declaration);
  SmallVector<ParamOp> order;

private:
  LogicalResult reportCycle(Operation *declaration);

  ProgramOp program;
  SetVector<Operation *> open;
  DenseSet<Operation *> done;
};
} // namespace

static StringRef nameOf(Operation *declaration) {
  return cast<SymbolOpInterface>(declaration).getName();
}

/// `a`, from `b`, …, from `a` again, each with its location.
LogicalResult Walk::reportCycle(Operation *declaration) {
  const auto *first = llvm::find(open, declaration);
  InFlightDiagnostic error = emitError(declaration->getLoc())
                             << ErrorId::SelfReference
                             << (isa<ParamOp>(declaration) ? "parameter '" : "formula '")
                             << nameOf(declaration) << "' is computed from itself";
  for (const auto *step = first; step != open.end(); ++step) {
    Operation *next = std::next(step) == open.end() ? declaration : *std::next(step);
    error.attachNote((*step)->getLoc())
        << "'" << nameOf(*step) << "' is computed from '" << nameOf(next) << "'";
  }
  return error;
}

LogicalResult Walk::visit(Operation *declaration) {
  if (done.contains(declaration))
    return success();
  if (!open.insert(declaration))
    return reportCycle(declaration);
  WalkResult result = declaration->walk([&](Operation *op) {
    Operation *next = nullptr;
    if (auto param = dyn_cast<ParamValueOp>(op))
      next = program.lookupSymbol(param.getParam());
    else if (auto apply = dyn_cast<ApplyOp>(op))
      next = program.lookupSymbol(apply.getFormula());
    return next && failed(visit(next)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  open.remove(declaration);
  done.insert(declaration);
  if (auto param = dyn_cast<ParamOp>(declaration))
    order.push_back(param);
  return success();
}

FailureOr<SmallVector<ParamOp>> mlir::lci::orderParameters(ProgramOp program) {
  Walk walk(program);
  for (auto param : program.getOps<ParamOp>())
    if (failed(walk.visit(param)))
      return failure();
  return walk.order;
}
