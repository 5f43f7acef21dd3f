//===- Parser.h - From text to declarations ---------------------*- C++ -*-===//
//
// Parses a whole text. After an error the parser continues at the next declaration head, so that
// one run reports several errors; the declarations that could be read are returned all the same.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_LMPM_PARSER_H
#define LCI_TARGET_LMPM_PARSER_H

#include "LCI/Target/LMPM/AST.h"
#include "LCI/Target/LMPM/Diagnostics.h"

namespace lmpm {

/// Parses `text`. It is a correct program if `diagnostics` counts no error afterwards.
Program parseProgram(llvm::StringRef text, Diagnostics &diagnostics);

} // namespace lmpm

#endif // LCI_TARGET_LMPM_PARSER_H
