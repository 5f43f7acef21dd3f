//===- ViolationState.h - Evaluate a state's commits ------------*- C++ -*-===//
//
// Contents of cells, and the rules and contents of commits, are variables with a range each. Over
// these is evaluated whether the commits are made, and break the constraint at one of its cells.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_VIOLATIONSTATE_H
#define LCI_LIB_ANALYSIS_VIOLATIONSTATE_H

#include "LCI/Analysis/Independence.h"
#include "LCI/Analysis/Violations.h"
#include "ProposalBounds.h"

namespace mlir::lci {

/// A cell of some value.
struct Cell {
  ValueOp value;
  std::vector<int64_t> at;

  Cell(ValueOp value, ArrayRef<int64_t> at) : value(value), at(at.vec()) {}
  std::pair<StringRef, const std::vector<int64_t> &> getKey() const {
    return {ValueOp(value).getName(), at};
  }
  bool operator<(const Cell &other) const { return getKey() < other.getKey(); }
  bool operator==(const Cell &other) const { return getKey() == other.getKey(); }
};

/// The phases of cells; colourings are computed once.
class PhaseTable {
public:
  int64_t get(const Cell &cell);
  bool mayMeet(const Cell &left, const Cell &right) { return get(left) == get(right); }

private:
  std::map<Operation *, CellPhases> phases; // by value
};

/// Ranges of variables by their meaning.
class Variables {
public:
  enum Kind { Chosen, Next, Held, Number };
  using Key = std::tuple<int, const void *, std::vector<int64_t>>;

  unsigned get(Kind kind, const void *what, ArrayRef<int64_t> at, IndexRange range) {
    auto [entry, isNew] = numbers.try_emplace({kind, what, at.vec()}, ranges.size());
    if (isNew) {
      keys.push_back(entry->first);
      initial.push_back(range);
      ranges.push_back(range);
    }
    return entry->second;
  }

  std::vector<IndexRange> ranges, initial;
  std::vector<Key> keys;

private:
  std::map<Key, unsigned> numbers;
};

/// The kind of violation to search for.
struct ViolationQuery {
  Violation::Kind kind = Violation::Together;
  bool isClean = false; ///< the constraint held at its own cell before
  /// If set, the constraint's cell is not scheduled: cells of this one's phase change, or only it.
  std::optional<Cell> mover;
  bool isSingle = false;
  bool isLater = false; ///< the constraint's cell is scheduled after the mover
};

/// A constraint at one of its cells, and all cells that its reads tie to it.
class ViolationState {
public:
  ViolationState(ConstraintOp constraint, ArrayRef<int64_t> reader, FamilyMembers &families,
                 ViolationQuery query, PhaseTable &phases);

  /// Whether the constraint applies to its cell, and a rule may decide it.
  bool isDecided() {
    return isAbout(constraint.getWhere(), reader) && !getRules(value, reader).empty();
  }

protected:
  /// The contents a body reads: the snapshot, with its cell's commit, with all commits, after them.
  enum class Mode { Snapshot, Own, All, After };
  class View;
  struct Changeable {
    SmallVector<RuleOp> rules; ///< by which it changes in the phase
    ReadOp read;               ///< by which it is tied
  };

  /// Whether the commits are made and break the constraint.
  Certainty evaluate();

  SmallVector<RuleOp> getRules(ValueOp of, ArrayRef<int64_t> cell) const;
  bool isOwn(ValueOp of, ArrayRef<int64_t> cell) const {
    return of == value && cell == ArrayRef(reader);
  }
  /// The rule that commits in a cell, counted from 1; 0 if none does.
  IndexRange getChoice(ValueOp of, ArrayRef<int64_t> cell);
  unsigned getChoiceNumber(const Cell &cell);
  IndexRange getRange(Variables::Kind kind, ValueOp of, ArrayRef<int64_t> cell);

  ConstraintOp constraint;
  ProgramOp program;
  ValueOp value;
  SmallVector<int64_t> reader;
  ViolationQuery query;
  PhaseTable &phases;
  IndexRange ownChoice = {0, 0};
  Variables variables;
  std::map<Cell, Changeable> changeable; ///< the cells that the constraint was seen to read
  bool isUndecided = false;

private:
  bool mayChange(ValueOp of, ArrayRef<int64_t> cell);
  Changeable &find(ValueOp of, ArrayRef<int64_t> cell, ReadOp read);
  Change getContent(ValueOp of, ArrayRef<int64_t> cell, IndexRange choice);
  unsigned judgeConstraint(Mode mode);
  Certainty judgeOwn();
  Certainty judgeHeld();
  Certainty judgeKeep(ValueOp of, ArrayRef<int64_t> cell, Mode mode = Mode::Snapshot);
  Certainty judgeUp(ValueOp of, ArrayRef<int64_t> cell);
  Certainty judgeAbsent(ValueOp of, ArrayRef<int64_t> cell);
  bool prefersProposals(ValueOp of, ArrayRef<int64_t> cell);
  Certainty judgeCommit(ValueOp of, ArrayRef<int64_t> cell);
  Certainty judgeProposal(ValueOp of, ArrayRef<int64_t> cell, RuleOp rule, View &view);
  Certainty judgeHard(ValueOp of, ArrayRef<int64_t> cell, IndexRange next, View &view);

  FamilyMembers &families;
};

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_VIOLATIONSTATE_H
