//===- Format.h - Canonical white space -------------------------*- C++ -*-===//
//
// Sets the white space of a text and nothing else: tokens and comments stay, and so do the lines a
// writer has made, but each declaration begins one. What is formatted once stays as it is.
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
