//===- Watcher.h - Explain cells of a running program -----------*- C++ -*-===//
//
// Explanations and searches for rejected proposals, for any back end: they are computed by the
// interpreter on a copy of the committed state, so that watching changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_WATCHER_H
#define LCI_DRIVER_WATCHER_H

#include "LCI/Driver/CellName.h"
#include "LCI/Execution/Backend.h"
#include "LCI/Interpreter/Interpreter.h"
#include "LCI/Transforms/Support/Counting.h"
#include <functional>

namespace mlir::lci {

class Watcher {
public:
  /// The number of cells that are interpreted to find a first rejection, some seconds, where code
  /// could be compiled that finds it.
  static constexpr int64_t kWatchedCells = int64_t(1) << 22;

  static FailureOr<std::unique_ptr<Watcher>> create(ProgramOp program,
                                                    const RunArguments &arguments);

  /// Names of the program's observers, in their order.
  const std::vector<std::string> &observers() const { return names; }
  MLIRContext *getContext() { return program.getContext(); }
  int64_t numPhases() const { return interpreter->getNumPhases(); } ///< of an epoch
  /// Whether an epoch without change is the last: needs a counter of changes.
  bool canReachFixpoint(Counting counting) const {
    return counting != Counting::None && interpreter->canReachFixpoint();
  }

  FailureOr<std::map<std::string, int64_t>> findViolated(Backend &backend, int64_t epoch);
  /// By value, the first proposal that `epoch` rejects; the back end's state is that before it.
  /// Where there are many cells, compiled code finds it.
  FailureOr<std::map<std::string, Rejection>> findRejections(Backend &backend, int64_t epoch);
  /// Explains the content of a cell after its tick in epoch `epoch`; the back end's state is that
  /// before that epoch.
  LogicalResult explain(Backend &backend, const CellName &cell, int64_t epoch,
                        llvm::raw_ostream &os);

  /// Makes a back end that can run single ticks and find rejected proposals, with its arguments
  /// set.
  using MakeStepper = std::function<FailureOr<std::unique_ptr<Backend>>()>;
  /// Unless there are few cells, the stepper runs the phases before that of an explained cell.
  void stepWith(MakeStepper make) { makeStepper = std::move(make); }

private:
  Watcher(ProgramOp program, std::unique_ptr<Interpreter> interpreter);
  LogicalResult copyState(Backend &backend);
  LogicalResult copyState(Backend &from, Backend &to);
  int64_t findPhase(const CellName &cell, int64_t epoch);
  uint64_t countRuledCells();
  bool isWorthAStepper(int64_t phases);
  LogicalResult bringStepper(Backend &backend);
  FailureOr<std::map<std::string, Rejection>> searchRejections(Backend &backend, int64_t epoch);
  LogicalResult runPhases(Backend &backend, int64_t epoch, int64_t phases);
  LogicalResult fail(const ::lci::Failure &failure);

  ProgramOp program;
  std::unique_ptr<Interpreter> interpreter;
  MakeStepper makeStepper;
  std::unique_ptr<Backend> stepper; ///< made when it is first needed
  std::vector<std::string> names;
};

} // namespace mlir::lci

#endif // LCI_DRIVER_WATCHER_H
