//===- Format.h - Canonical white space -------------------------*- C++ -*-===//
//
// Sets the white space of a text and nothing else. Tokens, comments and the author's line breaks
// stay, except that each declaration begins a line. Formatting is idempotent.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LANGUAGESERVER_FORMAT_H
#define LCI_LANGUAGESERVER_FORMAT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace lmpm {

/// The text with canonical white space; none if it cannot be parsed.
std::optional<std::string> formatText(llvm::StringRef text);

} // namespace lmpm

#endif // LCI_LANGUAGESERVER_FORMAT_H
