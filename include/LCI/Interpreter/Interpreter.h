//===- Interpreter.h - What a bound program means ---------------*- C++ -*-===//
//
// The reference: evaluates the bound form cell by cell, following docs/semantics.md clause by
// clause, and optimises nothing. Everything the compiler makes is compared with it.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_INTERPRETER_INTERPRETER_H
#define LCI_INTERPRETER_INTERPRETER_H

#include "LCI/Dialect/LCIOps.h"
#include "LCI/Interpreter/Datum.h"
#include "LCI/Runtime/Records.h"
#include <map>

namespace mlir::lci {

/// What a program takes at run time, by name. Arrays are in canonical form: tokens as any integers
/// with -1 for absent, integers as I64, numbers as F32, masks as Bool.
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
  /// Who commits, among the replicas of a run.
  uint64_t replica = 0;
};

/// Why one cell holds what it holds after one tick.
struct Explanation {
  struct Candidate {
    std::string token;
    bool isKeep = false, isProposed = false, isAdmissible = true;
    float score = 0;
    /// The rule with the best score, and all constraints that speak of the cell, each with whether
    /// it holds.
    std::string rule;
    std::vector<std::pair<std::string, bool>> checks;
    /// What soft constraints count, highest priority first.
    std::vector<int64_t> levels;
  };
  std::string value, policy;
  std::vector<int64_t> cell;
  int64_t epoch = 0, phase = 0;
  /// Whether the cell is up in this phase, and whether some rule applies.
  bool isScheduled = false, isActive = false;
  std::vector<Candidate> candidates;
  /// The position of the winner, or nothing if none was left.
  std::optional<size_t> winner;
  bool changes = false;
  /// It changes only if it is among the surest cells of the phase (S-SELECT).
  bool isIfSurest = false;
  /// Not known to who does not keep stamps.
  bool knowsStamps = true;
  int64_t stampBefore = 0, stampAfter = 0;

  void print(llvm::raw_ostream &os) const;
};

/// A proposal that a cell cannot hold (S-INVALID).
struct Rejection {
  std::string rule, proposed;
  std::vector<int64_t> cell;
};

/// Runs one bound program. Errors are reported as diagnostics of the program.
class Interpreter {
public:
  /// Checks that the program is bound and that everything in it is understood.
  static FailureOr<std::unique_ptr<Interpreter>> create(ProgramOp program);
  ~Interpreter();

  /// Everything the program takes; before the first epoch, and again when some of it changes.
  LogicalResult setEnvironment(Environment environment);
  /// Computes all values from their `init`; without it tokens are absent and numbers zero.
  LogicalResult initialise();

  /// A value's content, in canonical form, and how it came about.
  LogicalResult setValue(StringRef name, const ::lci::Array &cells);
  ::lci::Array getValue(StringRef name) const;
  const ::lci::Records &getRecords(StringRef name) const;
  LogicalResult setRecords(StringRef name, const ::lci::Records &records);

  /// Phases of a value, and the most that any value has.
  int64_t getNumPhases(StringRef value) const;
  int64_t getNumPhases() const;

  /// Run one phase of all values, or a whole epoch: the number of cells that changed.
  FailureOr<int64_t> runTick(int64_t epoch, int64_t phase);
  FailureOr<int64_t> runEpoch(int64_t epoch);
  /// By value, the first proposal that the tick would reject, if it is at one of so many cells of
  /// the value; changes nothing.
  LogicalResult findRejections(int64_t epoch, int64_t phase, int64_t cellsPerValue);
  /// Runs the epochs first … last-1 and returns the first that was not run: `last`, or earlier
  /// after a fixpoint.
  FailureOr<int64_t> run(int64_t first, int64_t last);
  /// Whether an epoch that changed nothing is the end: nothing is drawn, nothing asks for the
  /// epoch.
  bool canReachFixpoint() const;

  /// An observer's number after `epoch` epochs, as the type of what the observer yields; nothing if
  /// it is absent.
  FailureOr<std::optional<Datum>> observe(StringRef observer, int64_t epoch);

  /// By hard constraint, how many cells hold what it forbids; those it has nothing against are left
  /// out.
  FailureOr<std::map<std::string, int64_t>> findViolated(int64_t epoch);

  /// Whether a cell is up in a phase, from what it holds now: an answer for all phases before the
  /// first in which it is.
  bool isScheduled(StringRef value, ArrayRef<int64_t> cell, int64_t epoch, int64_t phase);

  /// What the next tick would do to one cell; changes nothing.
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
