//===- Native.cpp - LLVM IR, object code and PTX out ----------------------===//

#include "LCI/Target/Native/Native.h"
#include "LCI/Codegen/Machine.h"
#include "LCI/Codegen/Optimize.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A module lowered and optimised for this machine.
class HostCode {
public:
  LogicalResult build(ModuleOp module, int64_t threads) {
    // The machine that this program itself was built for and runs on.
    machine = llvm::cantFail(::lci::makeHostMachine(llvm::CodeGenOptLevel::Aggressive));
    OwningOpRef<ModuleOp> lowered = module.clone();
    PassManager manager(module.getContext());
    LinalgPipelineOptions toLinalg;
    LLVMPipelineOptions toLLVM;
    toLinalg.threads = toLLVM.threads = threads;
    auto [bits, registers] = ::lci::vectorUnitOf(*machine);
    toLinalg.vectorBits = toLLVM.vectorBits = bits;
    toLLVM.vectorRegisters = registers;
    buildLinalgPipeline(manager, toLinalg);
    buildLLVMPipeline(manager, toLLVM);
    if (failed(manager.run(*lowered)))
      return failure();
    code = translateModuleToLLVMIR(*lowered, context);
    if (!code)
      return lowered->emitError("cannot be translated to LLVM IR");
    code->setTargetTriple(machine->getTargetTriple());
    code->setDataLayout(machine->createDataLayout());
    auto optimize = ::lci::makeOptimizer(/*level=*/3, *machine);
    llvm::cantFail(optimize(code.get()));
    return success();
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace

LogicalResult mlir::lci::exportLLVMIR(ModuleOp module, int64_t threads, llvm::raw_ostream &output) {
  HostCode host;
  if (failed(host.build(module, threads)))
    return failure();
  host.code->print(output, nullptr);
  return success();
}

LogicalResult mlir::lci::exportObject(ModuleOp module, int64_t threads,
                                      llvm::raw_pwrite_stream &output) {
  HostCode host;
  if (failed(host.build(module, threads)))
    return failure();
  llvm::legacy::PassManager manager;
  if (host.machine->addPassesToEmitFile(manager, output, nullptr,
                                        llvm::CodeGenFileType::ObjectFile))
    llvm::report_fatal_error("the machine that made this program has object files");
  manager.run(*host.code);
  return success();
}

std::string mlir::lci::findPTX(ModuleOp lowered) {
  std::string text;
  lowered.walk([&](gpu::BinaryOp binary) {
    // An object ends in the zero that C strings end in.
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
      text += object.getObject().getValue().rtrim('\0');
  });
  return text;
}

LogicalResult mlir::lci::exportPTX(ModuleOp module, const PTXPipelineOptions &options,
                                   llvm::raw_ostream &output) {
  if (ptxVersionFor(options.chip).empty())
    return module.emitError("expected a chip from sm_75 on, such as sm_90, but got '")
           << options.chip << "'";
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager manager(module.getContext());
  buildPTXPipeline(manager, options);
  if (failed(manager.run(*lowered)))
    return failure();
  std::string text = findPTX(*lowered);
  output << text;
  return failure(text.empty() && failed(module.emitError("has no tick to make a kernel of")));
}
