//===- InlineHelpers.cpp - Inline calls within models ---------------------===//
//
// A model may consist of several functions. Batching needs one, so calls are
// inlined.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::lci;

static func::CallOp findCall(func::FuncOp model) {
  func::CallOp found;
  model.walk([&](func::CallOp call) {
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

/// Inlines the body of the function at the call.
static void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  Block &body = callee.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, returned] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookup(returned));
  call.erase();
}

/// Whether a function calls another one, directly or not.
static bool reaches(func::FuncOp from, func::FuncOp to, ModuleOp module,
                    llvm::SmallPtrSetImpl<Operation *> &seen) {
  bool found = false;
  from.walk([&](func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || found || !seen.insert(callee).second)
      return;
    found = callee == to || reaches(callee, to, module, seen);
  });
  return found || seen.contains(to);
}

LogicalResult mlir::lci::inlineHelpers(func::FuncOp model) {
  auto module = model->getParentOfType<ModuleOp>();
  while (func::CallOp call = findCall(model)) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || !llvm::hasSingleElement(callee.getBody()))
      return emitError(call.getLoc()) << ErrorId::WrongModel
                                      << "expected a function of one block to call in a model, but "
                                         "'"
                                      << call.getCallee() << "' is none";
    llvm::SmallPtrSet<Operation *, 4> seen;
    if (reaches(callee, callee, module, seen))
      return emitError(call.getLoc()) << ErrorId::WrongModel << "'" << call.getCallee()
                                      << "' calls itself, which a model must not";
    inlineCall(call, callee);
  }
  return success();
}
