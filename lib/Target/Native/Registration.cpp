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

static LogicalResult writeObject(ModuleOp module, llvm::raw_ostream &output) {
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (failed(exportObject(module, stream)))
    return failure();
  output << stream.str();
  return success();
}

void mlir::lci::registerNativeTranslations() {
  static llvm::cl::opt<std::string> chip("chip", llvm::cl::init("sm_80"),
                                         llvm::cl::desc("Architecture for --lci-to-ptx"));
  static llvm::cl::opt<std::string> features("features", llvm::cl::init("+ptx80"),
                                             llvm::cl::desc("PTX version for --lci-to-ptx"));
  static TranslateFromMLIRRegistration llvmIR(
      "lci-to-llvmir", "Lower ticks to LLVM IR for this machine",
      [](ModuleOp module, llvm::raw_ostream &output) { return exportLLVMIR(module, output); },
      registerLadder);
  static TranslateFromMLIRRegistration object("lci-to-object",
                                              "Lower ticks to an object file for this machine",
                                              writeObject, registerLadder);
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
