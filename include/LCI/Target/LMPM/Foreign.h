//===- Foreign.h - What other languages write otherwise ----------*- C++ -*===//
//
// Hints for what somebody wrote who knows another language: a sign, a word or a function that means
// nothing here. Each gives the hint, or an empty text for what is not in the table (Foreign.def).
//
//===----------------------------------------------------------------------===//
#ifndef LCI_TARGET_LMPM_FOREIGN_H
#define LCI_TARGET_LMPM_FOREIGN_H

#include "llvm/ADT/StringRef.h"
#include <utility>

namespace lmpm {

/// The foreign sign that a text begins with, such as `&&`, and its hint; both empty if none does.
std::pair<llvm::StringRef, llvm::StringRef> findForeignSign(llvm::StringRef text);

llvm::StringRef hintForCharacter(llvm::StringRef character);
/// A word where the text should go on otherwise, such as `elif` or `return`.
llvm::StringRef hintForWord(llvm::StringRef word);
/// A name that an expression cannot have, such as `true`.
llvm::StringRef hintForName(llvm::StringRef name);
/// A function that is not there, such as `poisson`.
llvm::StringRef hintForFunction(llvm::StringRef name);
/// A border that is called otherwise, such as `periodic`.
llvm::StringRef hintForBoundary(llvm::StringRef word);
/// A function that is there, and was called with too few or too many arguments.
llvm::StringRef hintForArity(llvm::StringRef function);

} // namespace lmpm

#endif // LCI_TARGET_LMPM_FOREIGN_H
