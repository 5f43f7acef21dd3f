//===- Foreign.h - Hints for constructs of other languages ------*- C++ -*-===//
//
// Hints for users who write a sign, a word or a function of another language that means nothing
// here. Each function returns the hint, or an empty text for what is not in the table
// (Foreign.def).
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
/// A word where the grammar expects something else, such as `elif` or `return`.
llvm::StringRef hintForWord(llvm::StringRef word);
/// A name that no expression can have, such as `true`.
llvm::StringRef hintForName(llvm::StringRef name);
/// A function that does not exist, such as `poisson`.
llvm::StringRef hintForFunction(llvm::StringRef name);
/// A boundary condition under another name, such as `periodic`.
llvm::StringRef hintForBoundary(llvm::StringRef word);
/// A function that exists, called with too few or too many arguments.
llvm::StringRef hintForArity(llvm::StringRef function);

} // namespace lmpm

#endif // LCI_TARGET_LMPM_FOREIGN_H
