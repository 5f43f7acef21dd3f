//===- lmpm-opt.cpp - Runs passes over any level of the ladder ------------===//
//
// mlir-opt with this project's dialect, passes and pipelines beside upstream's; with --view it
// draws the resulting IR.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/DebugFlag.h"
#include "LCI/Driver/Explain.h"
#include "LCI/Driver/Optimizing.h"
#include "LCI/Driver/Patterns.h"
#include "LCI/Driver/Schedules.h"
#include "LCI/Driver/Views.h"
#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Oracle/Flags.h"
#include "LCI/Tools/KeptOutput.h"
#include "LCI/Tools/LimitFlags.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

static const char overview[] =
    "lmpm-opt - runs passes over any level of the ladder, as mlir-opt does\n\n"
    "  lmpm-translate --import-lmpm P.lmpm -o 1.mlir                          the program\n"
    "  lmpm-opt --lci-bind='sizes=W=9,H=9' --lci-check-pipeline 1.mlir -o 2.mlir  bound, and "
    "proved\n"
    "  lmpm-opt --lci-lower-rules 2.mlir -o 3.mlir                            ticks on tensors\n"
    "  lmpm-opt --lci-to-linalg-pipeline 3.mlir -o 4.mlir                     linalg on buffers\n"
    "  lmpm-opt --lci-to-llvm-pipeline 3.mlir -o 6.mlir                       the llvm dialect\n"
    "  lmpm-opt --lci-to-kernels-pipeline 3.mlir -o 5.mlir                    kernels of a GPU\n\n"
    "  lmpm-opt --view=visibility 2.mlir -o reads.svg                         draws who reads "
    "whom\n"
    "  lmpm-opt --explain=ID                                                  what a message "
    "means\n\n"
    "Passes of this project begin with --lci-.\n";

int main(int argc, char **argv) {
  mlir::lci::initTool("lmpm-opt");
  if (!mlir::lci::checkArguments("lmpm-opt", argc, argv))
    return 1;
  mlir::lci::hideLibraryOptions();
  mlir::lci::LimitFlags limits("lmpm-opt", llvm::cl::getGeneralCategory());
  mlir::lci::addExplainFlag();
  mlir::lci::addDebugFlag();
  mlir::lci::addScheduleFlags();
  mlir::lci::addPatternFlag();
  mlir::lci::addOracleFlags();
  mlir::registerAllPasses();
  mlir::lci::registerAllPasses();

  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::lci::registerAllDialects(registry);
  mlir::lci::showErrorIds(registry);

  mlir::lci::registerViewOptions();
  mlir::lci::KeptOutput kept(argc, argv);
  auto [input, output] =
      mlir::registerAndParseCLIOptions(kept.argc(), kept.argv(), overview, registry);
  auto extend = [](mlir::PassManager &manager) {
    return mlir::success(mlir::succeeded(mlir::lci::addSchedule(manager)) &&
                         mlir::succeeded(mlir::lci::addPatterns(manager)) &&
                         mlir::succeeded(mlir::lci::addOracle(manager)));
  };
  mlir::LogicalResult done =
      mlir::lci::isScheduleSelected() ? mlir::lci::printSelectedSchedule(input, output)
      : mlir::lci::isViewSelected()
          ? mlir::lci::viewFile(input, output, registry)
          : mlir::lci::optimizeFile(kept.argc(), kept.argv(), input, output, registry, extend);
  return mlir::succeeded(done) && kept.keep("lmpm-opt") ? 0 : 1;
}
