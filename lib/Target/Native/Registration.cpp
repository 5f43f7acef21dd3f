//===- Registration.cpp - Flags of lmpm-translate -------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Target/Native/Native.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::lci;

/// Everything that a hand-written level may use, and what lowering it takes.
static void registerLadder(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<LCIDialect>();
}

static LogicalResult writeObject(ModuleOp module, int64_t threads, llvm::raw_ostream &output) {
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (failed(exportObject(module, threads, stream)))
    return failure();
  output << stream.str();
  return success();
}

void mlir::lci::registerNativeTranslations() {
  // libLLVM.so brings a flag `threads` along, which is for link-time optimisation.
  if (llvm::cl::Option *other = llvm::cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument();
  static llvm::cl::opt<int64_t> threads(
      "threads", llvm::cl::init(1),
      llvm::cl::desc("Threads that share a tick, for --lci-to-llvmir and --lci-to-object"));
  static llvm::cl::opt<std::string> chip("chip", llvm::cl::init("sm_80"),
                                         llvm::cl::desc("Architecture for --lci-to-ptx"));
  static llvm::cl::opt<std::string> features("features", llvm::cl::init("+ptx80"),
                                             llvm::cl::desc("PTX version for --lci-to-ptx"));
  static TranslateFromMLIRRegistration llvmIR(
      "lci-to-llvmir", "Lower ticks to LLVM IR for this machine",
      [](ModuleOp module, llvm::raw_ostream &output) {
        return exportLLVMIR(module, threads, output);
      },
      registerLadder);
  static TranslateFromMLIRRegistration object(
      "lci-to-object", "Lower ticks to an object file for this machine",
      [](ModuleOp module, llvm::raw_ostream &output) {
        return writeObject(module, threads, output);
      },
      registerLadder);
  static TranslateFromMLIRRegistration ptx(
      "lci-to-ptx", "Lower ticks to PTX",
      [](ModuleOp module, llvm::raw_ostream &output) {
        PTXPipelineOptions options;
        options.chip = chip;
        options.features = features;
        return exportPTX(module, options, output);
      },
      registerLadder);
}
