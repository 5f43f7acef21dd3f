//===- Engine.cpp - Machine code in memory --------------------------------===//

#include "Engine.h"
#include "Description.h"
#include "LCI/Codegen/Optimize.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::lci;

FailureOr<std::shared_ptr<ExecutionEngine>>
mlir::lci::makeEngine(ModuleOp lowered, unsigned optLevel,
                      std::unique_ptr<llvm::TargetMachine> machine, const ::lci::StopFlag *stop,
                      bool isListed) {
  // The engine's level is that of the given machine, whatever `jitCodeGenOptLevel` says.
  ExecutionEngineOptions options;
  auto listener = [&](StringRef name) {
    remark::passed(lowered.getLoc(), remark::RemarkOpts::name(name).category(kChangeCategory))
        << "changed";
  };
  auto optimizer = ::lci::makeOptimizer(optLevel, *machine, stop, listener);
  options.transformer = optimizer;
  options.enableGDBNotificationListener = isListed;
  options.enablePerfNotificationListener = isListed;
  auto created = ExecutionEngine::create(lowered, options, std::move(machine));
  if (!created)
    return notCompiled(lowered, created.takeError());
  return std::shared_ptr<ExecutionEngine>(std::move(*created));
}
