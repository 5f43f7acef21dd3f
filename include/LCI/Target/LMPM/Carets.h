//===- Carets.h - Carets under any text -------------------------*- C++ -*-===//
//
// LLVM shows no caret under a line that has other characters than ASCII. Here it is placed under
// its character, whatever precedes that.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_LMPM_CARETS_H
#define LCI_TARGET_LMPM_CARETS_H

#include "llvm/Support/SourceMgr.h"

namespace lmpm {

/// Prints the messages of `sources` to `os`, each with its line and a caret. Both must outlive it.
void showCarets(llvm::SourceMgr &sources, llvm::raw_ostream &os);

} // namespace lmpm

#endif // LCI_TARGET_LMPM_CARETS_H
