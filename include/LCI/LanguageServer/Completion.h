//===- Completion.h - What may stand at a place -----------------*- C++ -*-===//
//
// Names and words for a text that is being typed: by tokens, since what is typed cannot be parsed.
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
