//===- Agreement.h - Which candidate a cell agrees on -----------*- C++ -*-===//
//
// Builds CHECK, AGREE and the cell's part of COMMIT for one rule on one value, after semantics.md
// section 2: hard constraints filter, soft ones rank, the policy chooses among equals.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LOWERRULES_AGREEMENT_H
#define LCI_LIB_TRANSFORMS_LOWERRULES_AGREEMENT_H

#include "LCI/Transforms/Passes.h"
#include "TickBody.h"

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

/// Builds the body's end for one rule.
class Agreement {
public:
  Agreement(TickBody &body, RuleOp rule, CommitOp commit, Counters &counters);
  /// Emits everything up to and including `lci.install`.
  LogicalResult build();

private:
  /// A candidate, what it scores, and whether it may win.
  struct Candidate {
    Value token, admissible, score;
    SmallVector<Value> levels;
  };
  struct Winner {
    Value token, exists;
  };

  LogicalResult checkSupported();
  /// Where the rule applies. Lowers the rule's body on the way.
  LogicalResult lowerRule();
  /// Where nothing of the agreement needs to be computed; null where all of it does.
  Value settle();
  /// Whether a constraint speaks of the own cell; null if it surely does.
  Value speaks(ConstraintOp constraint);
  /// Whether the constraint holds for the token at the own cell, and where it speaks.
  FailureOr<Maybe> check(ConstraintOp constraint, Value token);
  /// Constraints and levels of a candidate, leaving out `without`.
  LogicalResult rank(Candidate &candidate, ConstraintOp without);
  FailureOr<Value> scoreOf(Value token);
  FailureOr<Winner> agree(ConstraintOp without);
  FailureOr<Winner> agreeOnOne(ConstraintOp without);
  FailureOr<Winner> agreeOnAny(ConstraintOp without);
  LogicalResult buildCandidate(AgreeOp agree, ConstraintOp without);
  Value prefersProposal(const Candidate &proposal, const Candidate &keep);
  Value acceptsMetropolis(const Candidate &proposal, const Candidate &keep);
  Value sameToken(Value lhs, Value rhs);
  LogicalResult tally(const Winner &winner, Value changes);
  void count(const Twine &name, Value condition);

  TickBody &body;
  OpBuilder &b;
  RuleOp rule;
  EmitOp emit;
  CommitOp commit;
  Counters &counters;
  SmallVector<ConstraintOp> constraints; // on the rule's value, in the program's order
  SmallVector<ConstraintOp> locks;       // what dominates: decided before all others
  SmallVector<int64_t> priorities;       // of the soft ones, highest first, each once
  Value active, proposal, invalid;       // the rule applies; its single proposal; out of vocabulary
  Maybe keep;
  SmallVector<Value> tallies;
  SmallVector<int64_t> slots;
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_LOWERRULES_AGREEMENT_H
