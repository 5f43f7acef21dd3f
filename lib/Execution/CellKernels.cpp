//===- CellKernels.cpp - Compile kernels that move cells ------------------===//

#include "CellKernels.h"
#include "CellLoops.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Target/Plan/MakePlan.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Failure;
using ::lci::LoadedPlan;
using ::lci::Result;

namespace {
class CompiledCellKernels final : public ::lci::CellKernels {
public:
  CompiledCellKernels(MLIRContext *context, ::lci::Device &device, KernelLoader load)
      : context(context), device(device), load(std::move(load)) {}

  Result<LoadedPlan *> write(const ::lci::SlotForm &form) override {
    return find(makeWriteLoop(context, form));
  }
  Result<LoadedPlan *> read(const ::lci::SlotForm &form) override {
    return find(makeReadLoop(context, form));
  }
  Result<LoadedPlan *> convert(::lci::DType from, const ::lci::CanonicalForm &to) override {
    return find(makeConvertLoop(context, from, to));
  }

private:
  /// Loops of equal text are compiled once.
  Result<LoadedPlan *> find(OwningOpRef<ModuleOp> loop) {
    std::string text;
    llvm::raw_string_ostream(text) << *loop;
    std::unique_ptr<LoadedPlan> &plan = plans[text];
    if (plan)
      return plan.get();
    // Kernels are named after their function; a device has those of all loops.
    auto function = *loop->getOps<func::FuncOp>().begin();
    function.setName("cells" + std::to_string(plans.size()));
    Result<std::unique_ptr<LoadedPlan>> compiled = compile(*loop);
    if (!compiled)
      return compiled.failure();
    plan = std::move(*compiled);
    return plan.get();
  }

  Result<std::unique_ptr<LoadedPlan>> compile(ModuleOp module) {
    std::string reasons;
    ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
      reasons += (reasons.empty() ? "" : "; ") + diagnostic.str();
    });
    CompilerPasses passes(context);
    buildLaunchPipeline(passes);
    if (failed(passes.run(module)))
      return Failure{ErrorId::CannotCompile, reasons};
    auto function = *module.getOps<func::FuncOp>().begin();
    FailureOr<::lci::Plan> plan = makePlan(function);
    function.erase();
    if (failed(plan) || failed(load(module)))
      return Failure{ErrorId::CannotCompile, reasons};
    return LoadedPlan::load(std::move(*plan), device);
  }

  MLIRContext *context;
  ::lci::Device &device;
  KernelLoader load;
  llvm::StringMap<std::unique_ptr<LoadedPlan>> plans; ///< by the text of their loops
};
} // namespace

std::unique_ptr<::lci::CellKernels>
mlir::lci::makeCellKernels(MLIRContext *context, ::lci::Device &device, KernelLoader load) {
  return std::make_unique<CompiledCellKernels>(context, device, std::move(load));
}
