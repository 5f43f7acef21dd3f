//===- lmpm-translate.cpp - Text in, text and machine code out ------------===//
//
// Moves programs between the levels of the ladder that are not MLIR: the language's text above,
// LLVM IR and object code below.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Explain.h"
#include "LCI/InitAllTranslations.h"
#include "LCI/Tools/LimitFlags.h"
#include "LCI/Tools/ToolInit.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::lci::initTool();
  mlir::lci::LimitFlags limits("lmpm-translate", llvm::cl::getGeneralCategory());
  mlir::lci::addExplainFlag();
  mlir::lci::registerAllTranslations();
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "LMPM translation driver"));
}
