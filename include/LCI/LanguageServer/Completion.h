//===- Completion.h - Completion at a position ------------------*- C++ -*-===//
//
// Names and words that may follow in a text that is being typed. Works on tokens, since an
// unfinished text cannot be parsed.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LANGUAGESERVER_COMPLETION_H
#define LCI_LANGUAGESERVER_COMPLETION_H

#include "LCI/LanguageServer/Document.h"

namespace lmpm {

/// Types behind `value V :`, shapes behind `shape`, policies behind `using`; elsewhere names, words
/// and functions. Nothing in comments and strings.
llvm::lsp::CompletionList completeAt(const Document &document, llvm::lsp::Position position);

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_COMPLETION_H
