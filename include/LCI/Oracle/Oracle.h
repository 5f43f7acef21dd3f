//===- Oracle.h - Whether IR still means the same ---------------*- C++ -*-===//
//
// Runs a module from the level that it is on, with random arguments, and compares the results with
// those of another module bit by bit.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_ORACLE_ORACLE_H
#define LCI_ORACLE_ORACLE_H

#include "LCI/Oracle/Trial.h"

namespace mlir::lci {

/// Compares modules with one that is the reference.
class Oracle {
public:
  explicit Oracle(TrialOptions options) : options(options) {}

  /// Runs a module, which the others are compared with; the failure says why it cannot be run.
  ::lci::Status setReference(ModuleOp module);
  bool hasReference() const { return !expected.empty(); }

  /// The first difference of a module from the reference, in words, or nothing. The failure says
  /// why the module cannot be run, or that it takes something else.
  ::lci::Result<std::optional<std::string>> findDifference(ModuleOp module);

  const TrialOptions &getOptions() const { return options; }

private:
  TrialOptions options;
  ProgramForm form; ///< of the reference
  std::vector<Trial> trials;
  std::vector<Outcome> expected; ///< one for each trial
};

} // namespace mlir::lci

#endif // LCI_ORACLE_ORACLE_H
