//===- Translate.cpp - The translations lmpm-translate knows --------------===//
//
// Registers `--import-lmpm` and `--export-lmpm`.
//
//===----------------------------------------------------------------------===//
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::lci;

void mlir::lci::registerLMPMTranslations() {
  static TranslateToMLIRRegistration import("import-lmpm",
                                            "read a program's text into the program form",
                                            [](const std::shared_ptr<llvm::SourceMgr> &sources,
                                               MLIRContext *context) -> OwningOpRef<Operation *> {
                                              return importLMPM(*sources, context);
                                            });
}
