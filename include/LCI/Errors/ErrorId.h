//===- ErrorId.h - The kind of mistake of a message -------------*- C++ -*-===//
//
// Every error and warning carries an identifier, from where it is emitted to where it is printed,
// so that a page (docs/errors) can explain it independently of its text. The list is ErrorIds.def.
// No MLIR and no LLVM: the runtime's errors have identifiers too.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_ERRORS_ERRORID_H
#define LCI_ERRORS_ERRORID_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lmpm {

/// A kind of mistake.
enum class ErrorId {
#define LCI_ERROR(NAME, TEXT) NAME,
#include "LCI/Errors/ErrorIds.def"
};

/// The identifier as people read and type it, such as `not-visible`.
std::string_view textOf(ErrorId id);

/// The identifier of that text.
std::optional<ErrorId> findErrorId(std::string_view text);

/// Every identifier's text, in the order of ErrorIds.def.
const std::vector<std::string_view> &errorIdTexts();

/// A message with its identifier behind it, as the tools show it: `message [not-visible]`.
std::string withErrorId(const std::string &message, ErrorId id);

/// The page that explains an identifier, in Markdown.
std::string_view explanationOf(ErrorId id);

} // namespace lmpm

#endif // LCI_ERRORS_ERRORID_H
