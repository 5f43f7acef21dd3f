//===- Foreign.cpp - Hints for constructs of other languages --------------===//
#include "LCI/Target/LMPM/Foreign.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;
using llvm::StringSwitch;

std::pair<StringRef, StringRef> lmpm::findForeignSign(StringRef text) {
#define LMPM_FOREIGN_SIGN(SPELLING, HINT)                                                          \
  if (text.starts_with(SPELLING))                                                                  \
    return {text.take_front(sizeof(SPELLING) - 1), HINT};
#include "LCI/Target/LMPM/Foreign.def"
  return {};
}

StringRef lmpm::hintForCharacter(StringRef character) {
  return StringSwitch<StringRef>(character)
#define LMPM_FOREIGN_CHARACTER(SPELLING, HINT) .Case(SPELLING, HINT)
#include "LCI/Target/LMPM/Foreign.def"
      .Default("");
}

StringRef lmpm::hintForWord(StringRef word) {
  return StringSwitch<StringRef>(word)
#define LMPM_FOREIGN_WORD(SPELLING, HINT) .Case(SPELLING, HINT)
#include "LCI/Target/LMPM/Foreign.def"
      .Default("");
}

StringRef lmpm::hintForName(StringRef name) {
  return StringSwitch<StringRef>(name)
#define LMPM_FOREIGN_NAME(SPELLING, HINT) .Case(SPELLING, HINT)
#include "LCI/Target/LMPM/Foreign.def"
      .Default("");
}

StringRef lmpm::hintForFunction(StringRef name) {
  return StringSwitch<StringRef>(name)
#define LMPM_FOREIGN_FUNCTION(SPELLING, HINT) .Case(SPELLING, HINT)
#include "LCI/Target/LMPM/Foreign.def"
      .Default("");
}

StringRef lmpm::hintForArity(StringRef function) {
  return StringSwitch<StringRef>(function)
#define LMPM_ARITY(FUNCTION, HINT) .Case(FUNCTION, HINT)
#include "LCI/Target/LMPM/Foreign.def"
      .Default("");
}

StringRef lmpm::hintForBoundary(StringRef word) {
  return StringSwitch<StringRef>(word)
#define LMPM_FOREIGN_BOUNDARY(SPELLING, HINT) .Case(SPELLING, HINT)
#include "LCI/Target/LMPM/Foreign.def"
      .Default("");
}
