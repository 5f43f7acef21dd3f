//===- Replay.h - Schedules that a search has found -------------*- C++ -*-===//
//
// `lmpm-tune` writes where a schedule comes from: `lci.found_for` on its module names the
// program, the target and the sizes. A run takes it for that program and target, at any size; a
// schedule without the attribute, such as one by hand, is taken for everything.
//
//===----------------------------------------------------------------------===//
#ifndef LCI_DRIVER_REPLAY_H
#define LCI_DRIVER_REPLAY_H

#include "LCI/Driver/RunOptions.h"
#include "LCI/Driver/ValueInfo.h"
#include "LCI/Pipelines/LowerBySchedule.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::lci {

/// The properties of a run on which the choice of a schedule depends.
struct TuningKey {
  std::string program;   ///< the digest of its text, before it is bound; empty: any
  std::string target;    ///< the back end, and its processor; empty: any
  std::string sizes;     ///< `H=4096 W=4096`
  int64_t sizeClass = 0; ///< the binary logarithm of the bytes of its values

  /// The name of its schedule in a cache.
  std::string fileName() const;
};

/// The key of a bound program, of which `text` is that before (`programText`).
TuningKey tuningKeyOf(StringRef text, ProgramOp program, const RunOptions &options);

/// Writes the key to a schedule.
void setFoundFor(ModuleOp schedule, const TuningKey &key);
/// Checks that a schedule was found for that program and target; a remark says so if the sizes
/// differ.
LogicalResult admitSchedule(ModuleOp schedule, const TuningKey &key);

/// The folder of schedules that `--schedule=auto` looks into: `LMPM_CACHE`, or `lmpm` in the cache
/// folder of the user.
std::string scheduleCache();

/// The schedule of a file for a program of that text (`programText`), and for a machine that may be
/// another one; empty without a file.
FailureOr<ScheduleText> readScheduleFor(StringRef text, const std::string &file,
                                        MLIRContext *context);

/// Reads the schedule that the options name, into `scheduleText`. `auto` is that of the cache, if
/// there is one.
LogicalResult readSelectedSchedule(RunOptions &options, const TuningKey &key, MLIRContext *context);

} // namespace mlir::lci

#endif // LCI_DRIVER_REPLAY_H
