//===- Agreement.h - Agreement on the candidates of a cell ------*- C++ -*-===//
//
// The middle part of a tick on plain data: a set of candidates with the results of checks, and the
// total order that selects one. Independent of programs and bodies.
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
  /// For each constraint on the cell, whether it holds.
  SmallVector<bool> holds;
};

/// A constraint on the cell, as agreement needs it.
struct Vote {
  int64_t priority = 0;
  bool isHard = false;
};

/// The candidates of one cell: a set of tokens (S-CANDIDATES).
struct Candidates {
  /// Adds a proposal of a rule or its score of keep; equal tokens merge.
  void add(const Candidate &candidate);
  std::vector<Candidate> all;
};

/// The rules of agreement for a value.
struct Ballot {
  Kind kind = Kind::Token;
  Policy policy = Policy::Accept;
  bool weighted = false;
  int64_t quorum = 0;
  /// Of all the value's soft constraints, including those that do not apply to the cell.
  SmallVector<int64_t> priorities;
  float temperature = 1;
  /// One for each entry of Candidate::holds.
  SmallVector<Vote> votes;
  /// The single draw of `sample` and `metropolis`, made only where it is needed.
  std::function<uint32_t()> draw;

  /// S-AGREE: the position of the winner; nothing if none is left. One constraint may be excluded.
  std::optional<size_t> decide(ArrayRef<Candidate> candidates,
                               std::optional<size_t> without = std::nullopt) const;
  /// The sums of soft constraints for a candidate, highest priority first (S-RANK).
  SmallVector<int64_t> getLevels(const Candidate &candidate, std::optional<size_t> without) const;
  /// The number of these sums.
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
