//===- Diagnostics.h - Located messages of the language ----------*- C++ -*===//
//
// One way to report: a place, what is wrong, and a hint. Who shows the message (a terminal, MLIR's
// diagnostic engine, a test) is the business of the handler, so that the front end itself needs no
// MLIR. Errors at one place are reported once; after a fixed number the rest is counted, not shown.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_TARGET_LMPM_DIAGNOSTICS_H
#define LCI_TARGET_LMPM_DIAGNOSTICS_H

#include "LCI/Errors/ErrorId.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SMLoc.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lmpm {

/// A note under an error. Without a place of its own it stands at the error's.
struct Note {
  llvm::SMLoc loc;
  std::string message;
};

/// One error, or warning: its kind, a place, the message, and notes (hints, other places).
struct Diagnostic {
  ErrorId id;
  llvm::SMLoc loc;
  std::string message;
  std::vector<Note> notes;
  bool isWarning = false;
};

/// Collects what is wrong with a text and passes it on.
class Diagnostics {
public:
  using Handler = std::function<void(const Diagnostic &)>;

  /// No text deserves more messages than this at once.
  static constexpr unsigned errorLimit = 20;

  explicit Diagnostics(Handler handler) : handler(std::move(handler)) {}

  /// Reports an error with an optional hint.
  void error(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message, const llvm::Twine &hint = "");

  /// Reports what is no error, but surely not what was meant.
  void warning(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message, const llvm::Twine &hint);

  /// Reports an error with a note at another place, such as an earlier declaration.
  void errorWithNote(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message, llvm::SMLoc noteLoc,
                     const llvm::Twine &note);

  /// From now on nothing is reported, or everything is again: what is skipped after an error is not
  /// looked at.
  void setMuted(bool value) { isMuted = value; }

  /// The number of errors so far, those past the limit included.
  unsigned getErrorCount() const { return errorCount; }

private:
  void report(Diagnostic diagnostic);

  Handler handler;
  unsigned errorCount = 0;
  bool isMuted = false;
  llvm::DenseSet<const char *> reported;
};

/// The candidate that `name` was most likely meant to be, if one is close enough.
std::optional<llvm::StringRef> nearestName(llvm::StringRef name,
                                           llvm::ArrayRef<llvm::StringRef> candidates);

/// "did you mean 'x'?" for the nearest candidate, else `otherwise`.
std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates,
                       const llvm::Twine &otherwise = "");

} // namespace lmpm

#endif // LCI_TARGET_LMPM_DIAGNOSTICS_H
