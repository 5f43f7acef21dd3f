//===- SpecializeArguments.cpp - Replace arguments by known constants -----===//
//
// A compilation for one run knows its parameters, palettes and switches, and
// marks them on the arguments. As constants they make tables constant, give
// boxes static offsets, and remove the tests of rules that are enabled. The
// argument remains, since callers pass it as before.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SPECIALIZEARGUMENTSPASS
#include "LCI/Transforms/Tick/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct SpecializeArguments : mlir::lci::impl::SpecializeArgumentsPassBase<SpecializeArguments> {
  using SpecializeArgumentsPassBase::SpecializeArgumentsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    for (BlockArgument argument : function.getArguments())
      if (failed(fix(function, argument)))
        return signalPassFailure();
  }

private:
  LogicalResult fix(func::FuncOp function, BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    auto value = function.getArgAttrOfType<TypedAttr>(number, kFixed);
    if (!value)
      return success();
    if (value.getType() != argument.getType())
      return function.emitOpError("expected '")
             << ErrorId::InvalidAttribute << kFixed << "' of argument " << number
             << " to have the argument's type " << argument.getType() << ", but got " << value;
    function.removeArgAttr(number, kFixed);
    OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
    Value constant = arith::ConstantOp::create(builder, argument.getLoc(), value);
    argument.replaceAllUsesWith(constant);
    ++numFixed;
    return success();
  }
};
} // namespace
