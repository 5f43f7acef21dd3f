//===- Diagnostics.h - Located messages of the language ---------*- C++ -*-===//
//
// The front end's diagnostics: a location, a message, and a hint. The handler decides where they
// are shown (a terminal, MLIR's diagnostic engine, a test), so that the front end itself needs no
// MLIR. Only the first error at a location is reported; beyond a fixed number errors are counted,
// not shown.
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

/// A note under an error; without a location it is shown at the error's.
struct Note {
  llvm::SMLoc loc;
  std::string message;
};

/// One error, or warning: its kind, a location, the message, and notes (hints, other locations).
struct Diagnostic {
  ErrorId id;
  llvm::SMLoc loc;
  std::string message;
  std::vector<Note> notes;
  bool isWarning = false;
};

/// Collects the errors of a text and forwards them to the handler.
class Diagnostics {
public:
  using Handler = std::function<void(const Diagnostic &)>;

  /// The most messages shown for one text.
  static constexpr unsigned errorLimit = 20;

  explicit Diagnostics(Handler handler) : handler(std::move(handler)) {}

  /// Reports an error with an optional hint.
  void error(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message, const llvm::Twine &hint = "");

  /// Reports something legal that is surely not what was meant.
  void warning(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message, const llvm::Twine &hint);

  /// Reports an error with a note at another location, such as an earlier declaration.
  void errorWithNote(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message, llvm::SMLoc noteLoc,
                     const llvm::Twine &note);

  /// Mutes or unmutes all reports: text skipped after an error is not diagnosed.
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

/// The candidate that `name` most likely misspells, if one is close enough.
std::optional<llvm::StringRef> nearestName(llvm::StringRef name,
                                           llvm::ArrayRef<llvm::StringRef> candidates);

/// "did you mean 'x'?" for the nearest candidate, else `otherwise`.
std::string didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates,
                       const llvm::Twine &otherwise = "");

} // namespace lmpm

#endif // LCI_TARGET_LMPM_DIAGNOSTICS_H
