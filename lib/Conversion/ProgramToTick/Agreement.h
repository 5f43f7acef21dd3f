//===- Agreement.h - The agreement of a cell on a candidate -----*- C++ -*-===//
//
// Builds PROPOSE, CHECK, AGREE and the cell's part of COMMIT for the rules on one value, after
// semantics.md section 2: hard constraints filter, soft ones rank, the policy chooses among equals.
//
// Candidates are either a list (the rules' proposals, and keep), which is straight-line code,
// or, if some rule proposes any token, all tokens of the vocabulary, which is a loop. Policies are
// written for both at once. A single rule needs less than either: nothing to merge, and nothing to
// compare but its proposal and keep.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_CONVERSION_PROGRAMTOTICK_AGREEMENT_H
#define LCI_LIB_CONVERSION_PROGRAMTOTICK_AGREEMENT_H

#include "LCI/Conversion/ProgramToTick/Passes.h"
#include "LCI/Dialect/CandidateOrder.h"
#include "LCI/Dialect/IndexRange.h"
#include "Records.h"
#include "TickBody.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::lci {

/// Counters of a function, by name, in the order of their slots.
class Counters {
public:
  explicit Counters(Counting counting) : counting(counting) {}
  Counting getCounting() const { return counting; }
  /// The slot of a counter, new or known.
  int64_t slot(const Twine &name);
  ArrayRef<std::string> getNames() const { return names; }

private:
  Counting counting;
  SmallVector<std::string> names;
};

/// Whether a rule may propose something that its value cannot hold (S-INVALID).
bool mayReject(RuleOp rule);

/// Builds the end of a tick's body for the rules on one value.
class Agreement {
public:
  /// With `scores`, the winner's score is installed beside it, and changes are counted by the
  /// operation that then selects among the cells. `part` is the part of a commit to install.
  Agreement(TickBody &body, ArrayRef<RuleOp> rules, CommitOp commit, Counters &counters,
            bool scores, CommitPart part = {});
  /// Emits everything up to and including `lci.install`.
  LogicalResult build();
  /// Counts the cells whose contents violate these constraints, and changes nothing
  /// (Violations.cpp).
  LogicalResult buildViolations(ArrayRef<ConstraintOp> breakable);

private:
  /// The outcome of one rule for the cell; a null boolean is true.
  struct Voice {
    RuleOp rule;
    EmitOp emit;
    Value applies;
    Value proposal; ///< null for `any`
    Value invalid;  ///< out of the vocabulary; null if it surely is not
    Value scores;   ///< of every token, by a model that was called once for all; else null
    Value stamp;    ///< the latest stamp among its reads, where stamps are recorded
    bool mayReject; ///< whether its proposal may be invalid, as far as ranges tell
  };
  /// A candidate, its score, and whether it may win.
  struct Candidate {
    Value token, admissible, score;
    SmallVector<Value> levels;
    Value weight;           ///< with weighted constraints, the sum to add to the score
    Value proposed, isKeep; ///< null if it surely is
    /// Of several rules: the one that gave the score (larger is earlier), the number that propose
    /// it.
    Value precedence, votes;
  };
  struct Winner {
    Value token, exists;
    Value score = {}; ///< where it was requested
  };
  /// The ranking of candidates that constraints leave equal.
  enum class Order { Satisfy, Accept, Quorum };
  /// Processes a visited candidate; maps the carried values to the next ones.
  using Visit = llvm::function_ref<SmallVector<Value>(const Candidate &, ValueRange state)>;

  // Rules and counters (Agreement.cpp).
  /// Lowers everything up to the candidates.
  LogicalResult lowerRules();
  Value isUp();
  LogicalResult lowerRule(Voice &voice);
  void guardProposal(Voice &voice);
  void countRejected();
  /// Where the agreement need not be computed at all; null if everywhere it must.
  Value settle();
  LogicalResult tally(const Winner &winner, Value changes);
  void count(const Twine &name, Value condition);

  // Models that score each candidate (ScoreModels.cpp).
  /// Calls a rule's score model once for all tokens, where any may be a candidate.
  LogicalResult scoreAllTokens(Voice &voice);
  LogicalResult widenArguments(EvaluateOp evaluate, func::FuncOp model);

  // CHECK (Checks.cpp).
  /// Whether a constraint applies to the cell; null if it surely does.
  Value speaks(ConstraintOp constraint);
  /// Whether the constraint holds for the token at the cell, and where it applies.
  FailureOr<Maybe> check(ConstraintOp constraint, Value token);
  /// The outcome for a token of a constraint that may be disabled.
  struct Verdict {
    Value enabled, applies; ///< it is on; and applies to the cell
    Value holds;
  };
  FailureOr<Verdict> judge(ConstraintOp constraint, Value token);
  /// Constraints, levels and weight of a candidate, leaving out `without`.
  LogicalResult rank(Candidate &candidate, ConstraintOp without);
  /// S-WEIGHTED: the score and, as one addition, the weight.
  Value weigh(const Candidate &candidate);

  // Candidates (Candidates.cpp).
  bool isList() const;
  bool isSingle() const { return voices.size() == 1; }
  /// Whether one proposal is compared with keep, and nothing is merged.
  bool isOneProposal();
  bool needsList() { return isList() && !isOneProposal(); }
  Value sameToken(Value lhs, Value rhs);
  FailureOr<Value> scoreOf(Voice &voice, Value token);
  FailureOr<Value> scoreOfKeep(Voice &voice, Value token);
  Value getPrecedence(const Voice &voice);
  Candidate makeCandidate(Value token);
  void mergeScore(Candidate &candidate, Value truth, Value score, Value precedence);
  void addVote(Candidate &candidate, Value truth);
  void countVotes(Candidate &candidate);
  Value isValid(const Voice &voice);
  /// Merges the rules' proposals and keep.
  LogicalResult listCandidates();
  FailureOr<Candidate> mergeKeep();
  void mergeListed(Candidate &candidate, const Candidate &keptAs, ArrayRef<Value> own);
  FailureOr<SmallVector<Candidate>> getList(ConstraintOp without);
  /// The tokens that a loop iterates over: those that may be proposed, if these are few, else the
  /// vocabulary. Keep may be another one, and is then compared separately.
  IndexRange getVisitedTokens() const;
  bool visitsAllTokens() const;
  Value proposes(const Voice &voice, Value token);
  FailureOr<Candidate> getCandidate(Value token, ConstraintOp without);
  FailureOr<Candidate> getKeep(ConstraintOp without);
  CandidateRank getRank(const Candidate &candidate, Order order);
  Candidate choose(Value condition, const Candidate &yes, const Candidate &no);
  FailureOr<Winner> findBestAny(Order order, ConstraintOp without, bool tellsScore = false);
  Candidate better(const Candidate &next, const Candidate &best, Order order);
  FailureOr<Candidate> findBestInLoop(Order order, ConstraintOp without);
  FailureOr<Candidate> findBest(Order order, ConstraintOp without);
  /// The candidate of a token.
  FailureOr<Candidate> findCandidate(Value token);
  FailureOr<SmallVector<Value>> visit(ValueRange initial, ConstraintOp without, Visit visit);

  // The installed part of a commit (Records.cpp).
  FailureOr<Value> getNewStamp(const Winner &winner);
  /// The part where the cell's new contents are known: nothing is agreed on again.
  LogicalResult buildRecord(Value replacement);
  FailureOr<Value> getPart(const Winner &winner);

  // AGREE (Policies.cpp).
  Policy getPolicy();
  FailureOr<Winner> agree(ConstraintOp without);
  FailureOr<Winner> agreeOnOne(ConstraintOp without);
  FailureOr<Winner> agreeOnQuorum(ConstraintOp without);
  FailureOr<Winner> sample(ConstraintOp without);
  FailureOr<Value> drawFromList(const Candidate &best, ConstraintOp without);
  FailureOr<Value> drawFromAll(const Candidate &best, ConstraintOp without);
  Value getSampleWeight(const Candidate &candidate, const Candidate &best);
  FailureOr<Winner> walk(ConstraintOp without);
  Value isEqualProposal(const Candidate &candidate, const Candidate &best);
  Value prefersProposal(const Candidate &proposal, const Candidate &keep);
  Value acceptsMetropolis(const Candidate &proposal, const Candidate &keep);
  Value drawsBelow(Value probability);
  LogicalResult lowerTemperature();
  Value temperature();

  TickBody &body;
  OpBuilder &b;
  CommitOp commit;
  Counters &counters;
  bool scores;
  CommitPart part;
  SmallVector<Voice> voices;
  SmallVector<ConstraintOp> constraints; // on the rules' value, in the program's order
  SmallVector<ConstraintOp> dominating;  // locks that no vote outvotes
  SmallVector<ConstraintOp> locks;       // of these, those decided before all others
  SmallVector<int64_t> priorities;       // of the soft ones, highest first, each once
  Value active;                          // some rule applies
  Value isSettled;                       // see `settle`
  Value lowered;                         // the temperature, where it is computed in the tick
  Maybe keep;
  SmallVector<Candidate> listed; // proposals in the order of the rules, then keep: as they score
  SmallVector<Value> tallies;
  SmallVector<int64_t> slots;
};

} // namespace mlir::lci

#endif // LCI_LIB_CONVERSION_PROGRAMTOTICK_AGREEMENT_H
