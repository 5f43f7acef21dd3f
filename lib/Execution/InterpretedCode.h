//===- InterpretedCode.h - Ticks on tensors as code -------------*- C++ -*-===//
//
// Functions of ticks on tensors run like compiled ones, by the interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_EXECUTION_INTERPRETEDCODE_H
#define LCI_LIB_EXECUTION_INTERPRETEDCODE_H

#include "LCI/Execution/Backend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::lci {

/// A function whose slots are its arguments, and after them its results that have a role. Other
/// results are the new contents of the states, and the counters.
class InterpretedCode final : public Code {
public:
  /// `module` holds the function.
  InterpretedCode(std::shared_ptr<OwningOpRef<ModuleOp>> module, func::FuncOp function)
      : module(std::move(module)), function(function) {}

  ::lci::Status run(std::vector<Slot> &slots) override;
  ::lci::Result<std::unique_ptr<Code>> another(::lci::Device *) const override {
    return std::unique_ptr<Code>(new InterpretedCode(module, function));
  }

private:
  std::shared_ptr<OwningOpRef<ModuleOp>> module;
  func::FuncOp function;
};

} // namespace mlir::lci

#endif // LCI_LIB_EXECUTION_INTERPRETEDCODE_H
