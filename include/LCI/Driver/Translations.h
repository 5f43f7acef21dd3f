//===- Translations.h - Translate programs to machine code ------*- C++ -*-===//

#ifndef LCI_DRIVER_TRANSLATIONS_H
#define LCI_DRIVER_TRANSLATIONS_H

namespace mlir::lci {

/// Registers `--lci-to-llvmir`, `--lci-to-object` and `--lci-to-ptx` with their options. They take
/// a program, as text or as IR, with its bindings, or functions of ticks.
void registerNativeTranslations();

} // namespace mlir::lci

#endif // LCI_DRIVER_TRANSLATIONS_H
