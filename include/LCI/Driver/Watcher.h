//===- Watcher.h - Looks at a running program -------------------*- C++ -*-===//
//
// Explanations, for whatever back end runs: they are made by the reference on a
// copy of the committed state, so that watching can change nothing.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_WATCHER_H
#define LCI_DRIVER_WATCHER_H

#include "LCI/Driver/CellName.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Interpreter/Interpreter.h"

namespace mlir::lci {

class Watcher {
public:
  static FailureOr<std::unique_ptr<Watcher>> create(ProgramOp program,
                                                    const RunArguments &arguments);

  /// Names of the program's observers, in their order.
  const std::vector<std::string> &observers() const { return names; }
  /// Phases of an epoch, and whether an epoch without change is the last.
  int64_t numPhases() const { return interpreter->getNumPhases(); }
  bool canReachFixpoint() const { return interpreter->canReachFixpoint(); }

  /// Prints why the cell will hold what it will hold after its tick in epoch
  /// `epoch`; the back end stands before that epoch.
  FailureOr<std::map<std::string, int64_t>> findViolated(Backend &backend, int64_t epoch);
  LogicalResult explain(Backend &backend, const CellName &cell, int64_t epoch,
                        llvm::raw_ostream &os);

private:
  Watcher(ProgramOp program, std::unique_ptr<Interpreter> interpreter);
  LogicalResult copyState(Backend &backend);

  ProgramOp program;
  std::unique_ptr<Interpreter> interpreter;
  std::vector<std::string> names;
};

} // namespace mlir::lci

#endif // LCI_DRIVER_WATCHER_H
