//===- Translate.cpp - Registration of text translations ------------------===//
//
// Registers `--import-lmpm` and `--export-lmpm`.
//
//===----------------------------------------------------------------------===//
#include "LCI/Target/LMPM/Carets.h"
#include "LCI/Target/LMPM/LMPM.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::lci;

/// Exports the program of a module; a text holds only one.
static LogicalResult exportModule(ModuleOp module, llvm::raw_ostream &os) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() != 1)
    return emitError(module.getLoc(), "expected one program to export, but got ")
           << ErrorId::WrongProgram << programs.size();
  return exportLMPM(programs.front(), os);
}

void mlir::lci::registerLMPMTranslations() {
  static TranslateToMLIRRegistration import("import-lmpm",
                                            "read a program's text into the program form",
                                            [](const std::shared_ptr<llvm::SourceMgr> &sources,
                                               MLIRContext *context) -> OwningOpRef<Operation *> {
                                              lmpm::showCarets(*sources, llvm::errs());
                                              showErrorIds(context);
                                              return importLMPM(*sources, context);
                                            });
  static TranslateFromMLIRRegistration exporter(
      "export-lmpm", "write a program form as canonical text",
      [](ModuleOp module, llvm::raw_ostream &os) { return exportModule(module, os); },
      [](DialectRegistry &registry) {
        registry.insert<LCIDialect, math::MathDialect>();
        showErrorIds(registry);
      });
}
