//===- Rejections.h - Report rejected proposals -----------------*- C++ -*-===//
//
// A proposal that a cell cannot hold is rejected (S-INVALID): every run warns of them, with the
// first one.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_REJECTIONS_H
#define LCI_DRIVER_REJECTIONS_H

#include "LCI/Driver/Watcher.h"
#include "LCI/Runtime/RunLoop.h"

namespace mlir::lci {

/// The first rejections of a run, as far as they are known.
class Rejections {
public:
  /// For `LoopHooks::rejected`: lets the watcher find the cells.
  void find(Watcher &watcher, Backend &backend, int64_t epoch);
  /// Warns of each value that had proposals rejected, by the counters before the loop and after it.
  void warn(ProgramOp program, const Counters &before, const ::lci::LoopOutcome &outcome) const;

private:
  std::map<std::string, Rejection> first; ///< by value
};

} // namespace mlir::lci

#endif // LCI_DRIVER_REJECTIONS_H
