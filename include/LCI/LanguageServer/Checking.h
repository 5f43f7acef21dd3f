//===- Checking.h - Diagnostics of a text for an editor ---------*- C++ -*-===//
//
// Imports a text and, where bindings are known, binds and checks it as lmpm-run does before a run.
// Every message becomes an LSP diagnostic: with the range of its token, hints appended to the
// message, and notes at other locations as related information.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LANGUAGESERVER_CHECKING_H
#define LCI_LANGUAGESERVER_CHECKING_H

#include "LCI/LanguageServer/TextPositions.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringMap.h"

namespace lmpm {

/// Results of checking a program.
struct CheckResult {
  std::vector<llvm::lsp::Diagnostic> diagnostics;
  /// Of a bound program: its sizes, and the extents of each value's axes.
  llvm::StringMap<int64_t> sizes;
  llvm::StringMap<std::vector<int64_t>> extents;
};

/// The path of the bindings of a text: `wanted`, relative to the text's folder; else
/// `bindings.json` beside it, if there is one; else empty.
std::string findBindings(llvm::StringRef file, llvm::StringRef wanted);

/// Checks the text of a file; `bindings` is a path, or empty for the program form alone.
CheckResult checkText(const llvm::lsp::URIForFile &uri, llvm::StringRef text,
                      const std::string &bindings, const mlir::DialectRegistry &registry);

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_CHECKING_H
