//===- Trial.h - One run of IR on random contents ---------------*- C++ -*-===//
#ifndef LCI_ORACLE_TRIAL_H
#define LCI_ORACLE_TRIAL_H

#include "LCI/Execution/Backend.h"
#include "mlir/IR/BuiltinOps.h"
#include <set>

namespace mlir::lci {

/// How much is tried.
struct TrialOptions {
  unsigned trials = 5;
  int64_t epochs = 3;
  uint64_t seed = 1;
};

/// The arguments of a program at run time.
struct ProgramForm {
  /// The arguments of all of its functions, one of each role and name.
  std::vector<::lci::SlotForm> slots;
  /// Values with cells that may hold no token.
  std::set<std::string> mayBeAbsent;
  /// Arguments that were compiled in, by name.
  std::map<std::string, ::lci::Array> fixed;
};

/// The arguments of one run.
struct Trial {
  RunArguments arguments;
  std::map<std::string, ::lci::Array> values; ///< in canonical form
  int64_t epochs = 0;
};

/// The results of a run.
struct Outcome {
  std::map<std::string, ::lci::Array> values;
  Counters counters, broken;
  Observations observations;
  /// Whether a bound program was interpreted, which counts everything.
  bool isOfProgram = false;
};

/// Trials of a program: the first one begins as the program says, the others with random cells;
/// from the third one on some rules and constraints are off.
std::vector<Trial> makeTrials(const ProgramForm &form, const TrialOptions &options);

/// A module that can be run.
class Subject {
public:
  /// Of the one program of a module, whether it is bound or lowered; the failure says why
  /// not.
  static ::lci::Result<Subject> create(ModuleOp module);

  const ProgramForm &getForm() const { return form; }
  ::lci::Result<Outcome> run(const Trial &trial);

private:
  std::unique_ptr<Backend> backend;
  ProgramForm form;
  bool isOfProgram = false;
};

/// An argument that only one of two forms has, in words, or nothing.
std::optional<std::string> findOtherArgument(const ProgramForm &expected, const ProgramForm &got);

/// The first difference of two outcomes of a trial, in words, or nothing. Lowered functions have
/// the same counters, unless one of them counts nothing; a bound program has more.
std::optional<std::string> findDifference(const Outcome &expected, const Outcome &got);

} // namespace mlir::lci

#endif // LCI_ORACLE_TRIAL_H
