//===- Agreement.h - Candidates of one cell, and which one wins -*- C++ -*-===//
//
// The middle of a tick as plain data: a set of candidates with what the checks said, and the total
// order that picks one. Knows nothing of programs or bodies.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_INTERPRETER_AGREEMENT_H
#define LCI_LIB_INTERPRETER_AGREEMENT_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Datum.h"

namespace mlir::lci {

/// A token that a cell may commit.
struct Candidate {
  Datum token;
  bool isKeep = false;
  bool isProposed = false;
  float score = 0;
  /// The rule with the best score, then the first, by its number among the value's rules.
  unsigned rule = 0;
  /// How many rules propose it.
  int64_t votes = 0;
  /// For each constraint that speaks of the cell, whether it holds.
  SmallVector<bool> holds;
};

/// A constraint that speaks of the cell, as agreement sees it.
struct Vote {
  int64_t priority = 0;
  bool isHard = false;
};

/// The candidates of one cell: a set of tokens (S-CANDIDATES).
struct Candidates {
  /// Adds what a rule proposes or how it scores keep; equal tokens merge.
  void add(const Candidate &candidate);
  std::vector<Candidate> all;
};

/// How a value's candidates are agreed upon.
struct Ballot {
  Kind kind = Kind::Token;
  Policy policy = Policy::Accept;
  bool weighted = false;
  int64_t quorum = 0;
  /// Of the value's soft constraints, whether or not they speak of the cell.
  SmallVector<int64_t> priorities;
  float temperature = 1;
  /// One for each entry of Candidate::holds.
  SmallVector<Vote> votes;
  /// The one draw of `sample` and `metropolis`, where it is asked for.
  std::function<uint32_t()> draw;

  /// S-AGREE: the position of the winner; nothing if none is left. A constraint may be left out.
  std::optional<size_t> decide(ArrayRef<Candidate> candidates,
                               std::optional<size_t> without = std::nullopt) const;
  /// What the soft constraints count for a candidate, highest priority first (S-RANK).
  SmallVector<int64_t> getLevels(const Candidate &candidate, std::optional<size_t> without) const;
  /// How many counts that are.
  int64_t getNumLevels() const { return static_cast<int64_t>(getLevels({}, std::nullopt).size()); }
  /// Whether every hard constraint holds (S-HARD).
  bool isAdmissible(const Candidate &candidate, std::optional<size_t> without) const;
  /// The score, with the soft constraints' priorities where they are weights (S-WEIGHTED).
  float getScore(const Candidate &candidate, std::optional<size_t> without) const;
};

/// S-NAN-SCORE: -1, 0 or 1; a NaN is worse than every number and as good as another NaN.
int compareScores(float left, float right);
/// S-TIES: whether a token comes before another; numbers by value, -0 before +0 and NaN last.
bool isLower(Kind kind, const Datum &left, const Datum &right);

} // namespace mlir::lci

#endif // LCI_LIB_INTERPRETER_AGREEMENT_H
