//===- Golly.h - Cellular automata of Golly as programs -----------*- C++ -*-===//
//
// `lmpm-translate --import-golly`: a rule string (`B3/S23`, with `V` for four neighbours,
// `B2/S345/C4`) or a file with a `@TABLE` becomes the text of a program on a torus, which is then
// read as any other.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_TARGET_GOLLY_GOLLY_H
#define LCI_TARGET_GOLLY_GOLLY_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lci {

/// The text of a program, or an error that names the line.
llvm::Expected<std::string> convertGolly(StringRef rule);

/// Registers the translation.
void registerGollyTranslation();

} // namespace mlir::lci

#endif // LCI_TARGET_GOLLY_GOLLY_H
