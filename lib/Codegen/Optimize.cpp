//===- Optimize.cpp - LLVM's optimizations, and what they lack ------------===//

#include "LCI/Codegen/Optimize.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "llvm/IR/Module.h"

std::function<llvm::Error(llvm::Module *)> lci::makeOptimizer(unsigned level,
                                                              llvm::TargetMachine &machine) {
  auto optimize = mlir::makeOptimizingTransformer(level, /*sizeLevel=*/0, &machine);
  return [optimize, level, &machine](llvm::Module *module) -> llvm::Error {
    if (llvm::Error error = optimize(module))
      return error;
    if (level > 0)
      for (llvm::Function &function : *module)
        fuseTernaryLogic(function, machine);
    return llvm::Error::success();
  };
}
