//===- InitAllTranslations.h - Registers every translation ------*- C++ -*-===//
//
// The only entry point that registers the input and output formats of lmpm-translate: this
// project's translations, and upstream's to LLVM IR, which every level ends in.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INITALLTRANSLATIONS_H
#define LCI_INITALLTRANSLATIONS_H

#include "LCI/Driver/Translations.h"
#include "LCI/Target/Golly/Golly.h"
#include "LCI/Target/LMPM/LMPM.h"

namespace mlir {
void registerToLLVMIRTranslation();
} // namespace mlir

namespace mlir::lci {

/// Registers the translations of this project and upstream's to LLVM IR.
inline void registerAllTranslations() {
  registerLMPMTranslations();
  registerGollyTranslation();
  registerNativeTranslations();
  registerToLLVMIRTranslation();
}

} // namespace mlir::lci

#endif // LCI_INITALLTRANSLATIONS_H
