//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// Evaluates the bound form cell by cell, following docs/semantics.md clause by clause, without any
// optimisation. All compiled code is compared with it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_INTERPRETER_H
#define LCI_INTERPRETER_INTERPRETER_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Datum.h"
#include "LCI/Runtime/Records.h"
#include <map>

namespace mlir::lci {

/// The run-time arguments of a program, by name. Arrays are in canonical form: tokens as any
/// integers with -1 for absent, integers as I64, numbers as F32, masks as Bool.
struct Environment {
  std::map<std::string, ::lci::Array> params;
  /// Over the vocabulary.
  std::map<std::string, ::lci::Array> palettes;
  /// Over the trailing axes of the value.
  std::map<std::string, ::lci::Array> regions;
  /// By `model.weight`.
  std::map<std::string, ::lci::Array> weights;
  /// Rules and constraints; those not named are on.
  std::map<std::string, bool> enables;
  uint64_t seed = 0;
  /// The replica that commits, among the replicas of a run.
  uint64_t replica = 0;
};

/// An explanation of the content of a cell after a tick.
struct Explanation {
  struct Candidate {
    std::string token;
    bool isKeep = false, isProposed = false, isAdmissible = true;
    float score = 0;
    /// The rule with the best score, and all constraints on the cell, each with whether it holds.
    std::string rule;
    std::vector<std::pair<std::string, bool>> checks;
    /// The sums of soft constraints, highest priority first.
    std::vector<int64_t> levels;
  };
  std::string value, policy;
  std::vector<int64_t> cell;
  int64_t epoch = 0, phase = 0;
  /// Whether the cell is scheduled in this phase, and whether some rule applies.
  bool isScheduled = false, isActive = false;
  std::vector<Candidate> candidates;
  /// The position of the winner, or nothing if none was left.
  std::optional<size_t> winner;
  bool changes = false;
  /// It changes only if it is among the surest cells of the phase (S-SELECT).
  bool isIfSurest = false;
  /// False if stamps were not kept.
  bool knowsStamps = true;
  int64_t stampBefore = 0, stampAfter = 0;

  void print(llvm::raw_ostream &os) const;
};

/// A proposal that a cell cannot hold (S-INVALID).
struct Rejection {
  std::string rule;
  std::string proposed; ///< empty where it is not known
  std::vector<int64_t> cell;
};

/// Runs one bound program. Errors are reported as diagnostics of the program.
class Interpreter {
public:
  /// Checks that the program is bound and that all of its operations are supported.
  static FailureOr<std::unique_ptr<Interpreter>> create(ProgramOp program);
  ~Interpreter();

  /// Sets all arguments of the program; before the first epoch, and again when some of them change.
  LogicalResult setEnvironment(Environment environment);
  /// Computes all values from their `init`; without it tokens are absent and numbers zero.
  LogicalResult initialise();

  /// A value's content, in canonical form, and its commit records.
  LogicalResult setValue(StringRef name, const ::lci::Array &cells);
  ::lci::Array getValue(StringRef name) const;
  const ::lci::Records &getRecords(StringRef name) const;
  LogicalResult setRecords(StringRef name, const ::lci::Records &records);

  /// The number of phases of a value, and the maximum over all values.
  int64_t getNumPhases(StringRef value) const;
  int64_t getNumPhases() const;

  /// Run one phase of all values, or a whole epoch: the number of cells that changed.
  FailureOr<int64_t> runTick(int64_t epoch, int64_t phase);
  FailureOr<int64_t> runEpoch(int64_t epoch);
  /// Runs the epochs first … last-1 and returns the first that was not run: `last`, or earlier
  /// after a fixpoint.
  FailureOr<int64_t> run(int64_t first, int64_t last);
  /// Whether an epoch without changes is the last that could have any: there are no draws, and the
  /// epoch is not used.
  bool canReachFixpoint() const;

  /// An observer's result after `epoch` epochs, in the type of its body; nothing if it is absent.
  FailureOr<std::optional<Datum>> observe(StringRef observer, int64_t epoch);

  /// By hard constraint, the number of cells that break it; constraints without such cells are left
  /// out.
  FailureOr<std::map<std::string, int64_t>> findViolated(int64_t epoch);

  /// Whether a cell is scheduled in a phase, given its present content: valid for all phases up to
  /// the first in which it is.
  bool isScheduled(StringRef value, ArrayRef<int64_t> cell, int64_t epoch, int64_t phase);

  /// The effect of the next tick on one cell; changes nothing.
  FailureOr<Explanation> explain(StringRef value, ArrayRef<int64_t> cell, int64_t epoch,
                                 int64_t phase);

  /// `<value>.changed`, `<value>.invalid`, `<constraint>.satisfied`, `.violated`, `.decisive`,
  /// summed over all ticks since they were cleared. Those of constraints only if
  /// `countConstraints`.
  std::map<std::string, int64_t> counters;
  bool countConstraints = true;
  /// By value, the first proposal that was rejected, or found, since this was cleared.
  std::map<std::string, Rejection> rejections;

private:
  struct Implementation;
  explicit Interpreter(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> self;
};

} // namespace mlir::lci

#endif // LCI_INTERPRETER_INTERPRETER_H
