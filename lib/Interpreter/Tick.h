//===- Tick.h - One phase of one value --------------------------*- C++ -*-===//
//
// The steps of one value's phase in the reference interpreter: propose, check, agree, commit.
// Interpreter runs one Tick for each value with rules and then installs all commits.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_INTERPRETER_TICK_H
#define LCI_LIB_INTERPRETER_TICK_H

#include "Agreement.h"
#include "Bodies.h"
#include "LCI/Interpreter/Interpreter.h"
#include "LCI/Interpreter/Phases.h"

namespace mlir::lci {

/// The declarations on one value with rules.
struct RuledValue {
  ValueOp value;
  Phases phases;
  CommitOp commit;
  SmallVector<RuleOp> rules;
  SmallVector<ConstraintOp> constraints;

  /// The constraints that are locks and cannot be outvoted by any candidate other than keep.
  SmallVector<ConstraintOp> locks;

  /// The ballot of all cells, without votes.
  Ballot makeBallot() const;
};

/// The commit of a cell, to be installed after all cells of the phase are computed.
struct Install {
  ValueState *state;
  int64_t number;
  Datum token;
  int64_t stamp;
  SmallVector<int64_t> levels;
  float score;

  /// S-RECORD: stores the commit record of the cell.
  void record(uint64_t replica) const;
};

/// Computes the commits of one value's cells in one tick, from the snapshot.
class Tick {
public:
  Tick(RuledValue &value, ValueState &state, Bodies &bodies,
       const std::map<std::string, bool> &enables, std::map<std::string, int64_t> &counters,
       bool countConstraints);

  /// Computes all cells of the phase; appends their changes.
  void run(int64_t epoch, int64_t phase, std::vector<Install> &installs);
  /// Counts the cells that break each hard constraint.
  void findViolated(int64_t epoch, std::map<std::string, int64_t> &violated);
  /// Whether the cell is scheduled in the phase, given its present content.
  bool isScheduled(ArrayRef<int64_t> cell, int64_t number, int64_t epoch, int64_t phase) const;
  /// Computes one cell; changes nothing.
  Explanation explain(ArrayRef<int64_t> cell, int64_t epoch, int64_t phase);

  /// The first proposal that was rejected and counted, if one was.
  std::optional<Rejection> firstRejection;

private:
  /// The state of the steps for one cell in one tick.
  struct Meeting {
    SmallVector<int64_t> cell;
    int64_t number = 0;
    Datum keep;
    bool hasKeep = false;
    bool isActive = false;
    Candidates candidates;
    /// By rule: the latest stamp among its present reads.
    SmallVector<int64_t> ruleStamps;
    /// The constraints on the cell, in the order of Ballot::votes.
    SmallVector<ConstraintOp> speaking;
    Ballot ballot;
    std::optional<size_t> winner;
  };

  bool isEnabled(StringRef name) const;
  Meeting meet(ArrayRef<int64_t> cell, int64_t number, int64_t epoch, int64_t phase);
  void propose(Meeting &meeting, unsigned rule);
  void addAny(Meeting &meeting, unsigned rule, EmitOp emit);
  void addProposal(Meeting &meeting, unsigned rule, EmitOp emit);
  void reject(const Meeting &meeting, unsigned rule, const Datum &token);
  void addKeep(Meeting &meeting, unsigned rule, EmitOp emit);
  float getScore(EmitOp emit, const Datum &token, bool isKeep);
  void check(Meeting &meeting);
  bool speaksOf(ConstraintOp constraint, ArrayRef<int64_t> cell);
  bool holds(ConstraintOp constraint, ArrayRef<int64_t> cell, const Datum &token);
  void prepareBallot(Meeting &meeting);
  bool changes(const Meeting &meeting) const;
  int64_t getNewStamp(const Meeting &meeting) const;
  Install makeInstall(const Meeting &meeting) const;
  void count(const Meeting &meeting);
  /// `changed` are the cells that change unless others are surer.
  void commit(std::vector<Install> changed, std::vector<Install> &installs);
  std::string getText(const Datum &token) const;

  RuledValue &ruled;
  ValueState &state;
  Bodies &bodies;
  const std::map<std::string, bool> &enables;
  std::map<std::string, int64_t> &counters;
  bool countConstraints;
};

} // namespace mlir::lci

#endif // LCI_LIB_INTERPRETER_TICK_H
