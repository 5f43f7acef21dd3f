//===- LanewiseFunctions.h - Helpers with target-specific bodies -*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_LANEWISEFUNCTIONS_H
#define LCI_TRANSFORMS_SUPPORT_LANEWISEFUNCTIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci::vectorize {

/// Prefix of the names of functions that compute lane by lane: each lane of the result depends on
/// the same lane of the arguments. The first of several arguments may be a table.
inline constexpr StringRef kByLanes = "lci.lanes.";

/// Whether a call computes lane by lane.
inline bool isByLanes(Operation *op) {
  auto call = dyn_cast_or_null<func::CallOp>(op);
  return call && call.getCallee().starts_with(kByLanes);
}

/// The function of that name; created if absent and always inlined by LLVM. Code generation may
/// replace its body by a better one (LCI/Codegen).
inline func::FuncOp
getInlineFunction(ModuleOp module, StringRef name, TypeRange inputs, Type result,
                  llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  if (auto known = module.lookupSymbol<func::FuncOp>(name))
    return known;
  auto b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = b.getUnknownLoc();
  auto function = func::FuncOp::create(b, loc, name, b.getFunctionType(inputs, result));
  function.setPrivate();
  function->setAttr("passthrough", b.getStrArrayAttr({"alwaysinline"}));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToStart(entry);
  func::ReturnOp::create(b, loc, body(b, loc, entry->getArguments()));
  return function;
}

} // namespace mlir::lci::vectorize

#endif // LCI_TRANSFORMS_SUPPORT_LANEWISEFUNCTIONS_H
