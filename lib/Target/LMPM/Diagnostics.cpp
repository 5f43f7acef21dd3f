//===- Diagnostics.cpp - Located messages of the language -----------------===//
//
// The limit on errors, the suppression of repeats, and the search for similar names.
//
//===----------------------------------------------------------------------===//

#include "LCI/Target/LMPM/Diagnostics.h"
#include <algorithm>

using namespace lmpm;

void Diagnostics::error(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message,
                        const llvm::Twine &hint) {
  Diagnostic diagnostic{id, loc, message.str(), {}, /*isWarning=*/false};
  std::string hintText = hint.str();
  if (!hintText.empty())
    diagnostic.notes.push_back({loc, std::move(hintText)});
  report(std::move(diagnostic));
}

void Diagnostics::warning(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message,
                          const llvm::Twine &hint) {
  handler({id, loc, message.str(), {{loc, hint.str()}}, /*isWarning=*/true});
}

void Diagnostics::errorWithNote(ErrorId id, llvm::SMLoc loc, const llvm::Twine &message,
                                llvm::SMLoc noteLoc, const llvm::Twine &note) {
  report({id, loc, message.str(), {{noteLoc, note.str()}}, /*isWarning=*/false});
}

void Diagnostics::report(Diagnostic diagnostic) {
  // A second message at the same character is nearly always a consequence of the first.
  if (isMuted || !reported.insert(diagnostic.loc.getPointer()).second)
    return;
  ++errorCount;
  if (errorCount < errorLimit)
    return handler(diagnostic);
  if (errorCount == errorLimit) {
    diagnostic.notes.push_back({diagnostic.loc, "too many errors, the rest is not shown"});
    handler(diagnostic);
  }
}

std::optional<llvm::StringRef> lmpm::nearestName(llvm::StringRef name,
                                                 llvm::ArrayRef<llvm::StringRef> candidates) {
  // A longer name is no typo; the comparison takes time proportional to the product of the lengths.
  constexpr size_t longest = 100;
  if (name.size() > longest)
    return std::nullopt;
  // A third of the letters may be wrong; a single letter is never "close" to another one.
  unsigned limit = std::max<size_t>(1, (name.size() + 2) / 3);
  std::optional<llvm::StringRef> nearest;
  for (llvm::StringRef candidate : candidates) {
    if (name.size() < 2 || candidate == name || candidate.size() > longest)
      continue;
    unsigned distance =
        name.equals_insensitive(candidate) ? 0 : name.edit_distance_insensitive(candidate);
    if (distance > limit || distance >= candidate.size())
      continue;
    if (nearest && distance == limit)
      continue;
    nearest = candidate;
    limit = distance;
  }
  return nearest;
}

std::string lmpm::didYouMean(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates,
                             const llvm::Twine &otherwise) {
  if (std::optional<llvm::StringRef> nearest = nearestName(name, candidates))
    return ("did you mean '" + *nearest + "'?").str();
  return otherwise.str();
}
