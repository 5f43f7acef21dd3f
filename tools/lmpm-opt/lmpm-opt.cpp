//===- lmpm-opt.cpp - Runs passes over any level of the ladder ------------===//
//
// mlir-opt with this project's dialect, passes and pipelines beside upstream's; with --view it
// draws what the passes leave.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Explain.h"
#include "LCI/Driver/Views.h"
#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Tools/LimitFlags.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::lci::initTool();
  mlir::lci::LimitFlags limits("lmpm-opt", llvm::cl::getGeneralCategory());
  mlir::lci::addExplainFlag();
  mlir::registerAllPasses();
  mlir::lci::registerAllPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllGPUToLLVMIRTranslations(registry); // what `lci-to-ptx-pipeline` ends in
  mlir::lci::registerAllDialects(registry);
  mlir::lci::showErrorIds(registry);

  mlir::lci::registerViewOptions();
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "LMPM optimizer and lowering driver\n", registry);
  return mlir::asMainReturnCode(mlir::lci::isViewAsked()
                                    ? mlir::lci::viewFile(input, output, registry)
                                    : mlir::MlirOptMain(argc, argv, input, output, registry));
}
