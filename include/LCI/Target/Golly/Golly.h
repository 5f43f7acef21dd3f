//===- Golly.h - Cellular automata of Golly as programs ---------*- C++ -*-===//
//
// `lmpm-translate --import-golly`: a rule string (`B3/S23` and its kin) or a file with a `@TABLE`
// or a `@TREE` becomes the text of a program, which is then read as any other.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TARGET_GOLLY_GOLLY_H
#define LCI_TARGET_GOLLY_GOLLY_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lci {

/// An error in a rule, with the part of its text that it is about.
class GollyError : public llvm::ErrorInfo<GollyError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): ErrorInfo wants it so

  /// `place` is a part of the text that is read.
  GollyError(StringRef place, const Twine &message, const Twine &hint = "")
      : place(place), message(message.str()), hint(hint.str()) {}

  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  StringRef getPlace() const { return place; }
  StringRef getMessage() const { return message; }
  StringRef getHint() const { return hint; } ///< how to fix it, or nothing

private:
  StringRef place;
  std::string message, hint;
};

/// The text of a program, or a GollyError, whose place lies in `rule`.
llvm::Expected<std::string> convertGolly(StringRef rule);

/// Registers the translation.
void registerGollyTranslation();

} // namespace mlir::lci

#endif // LCI_TARGET_GOLLY_GOLLY_H
