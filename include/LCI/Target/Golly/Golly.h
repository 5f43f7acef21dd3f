//===- Golly.h - Cellular automata of Golly as programs -----------*- C++ -*-===//
//
// `lmpm-translate --import-golly`: a rule string (`B3/S23` and its kin) or a file with a `@TABLE`
// or a
// `@TREE` becomes the text of a program, which is then read as any other.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_TARGET_GOLLY_GOLLY_H
#define LCI_TARGET_GOLLY_GOLLY_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::lci {

/// What is wrong with a rule, and in which line of its text.
class GollyError : public llvm::ErrorInfo<GollyError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): ErrorInfo wants it so

  GollyError(unsigned line, std::string message) : line(line), message(std::move(message)) {}

  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  unsigned getLine() const { return line; }
  StringRef getMessage() const { return message; }

private:
  unsigned line;
  std::string message;
};

/// The text of a program, or a GollyError.
llvm::Expected<std::string> convertGolly(StringRef rule);

/// Registers the translation.
void registerGollyTranslation();

} // namespace mlir::lci

#endif // LCI_TARGET_GOLLY_GOLLY_H
