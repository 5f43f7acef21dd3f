//===- Rejections.h - What a run rejected -----------------------*- C++ -*-===//
//
// A proposal that a cell cannot hold is rejected (S-INVALID): every run says so, with the first.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_REJECTIONS_H
#define LCI_DRIVER_REJECTIONS_H

#include "LCI/Driver/Watcher.h"
#include "LCI/Runtime/RunLoop.h"

namespace mlir::lci {

/// What is known of the first rejections of a run.
class Rejections {
public:
  /// What `LoopHooks::rejected` does: asks the watcher which cells they are.
  void find(Watcher &watcher, Backend &backend, int64_t epoch);
  /// Warns of each value some of whose proposals were rejected, by what was counted before the loop
  /// and after it.
  void warn(ProgramOp program, const Counters &before, const ::lci::LoopOutcome &outcome) const;

private:
  std::map<std::string, Rejection> first; ///< by value
  bool isTooLarge = false;                ///< no cell is looked at
};

} // namespace mlir::lci

#endif // LCI_DRIVER_REJECTIONS_H
