//===- CheckSchedule.cpp - Report phases that are not independent ---------===//
//
// Searches for two cells of a phase of which one reads the other. Depending on
// the schedule that is a remark, a warning or an error, with a witness.
//
//===----------------------------------------------------------------------===//

#include "CheckSupport.h"
#include "DependentPhases.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Transforms/Program/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKSCHEDULEPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static bool isSampled(ScheduleOp schedule) {
  auto program = schedule->getParentOfType<ProgramOp>();
  return llvm::any_of(
      getDeclarationsOn<CommitOp>(program, schedule.getValue()), [](CommitOp commit) {
        return commit.getPolicy() == Policy::Sample || commit.getPolicy() == Policy::Metropolis;
      });
}

namespace {
struct CheckSchedule : mlir::lci::impl::CheckSchedulePassBase<CheckSchedule> {
  using CheckSchedulePassBase::CheckSchedulePassBase;

  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [this](ProgramOp program) {
      LogicalResult all = success();
      for (auto schedule : program.getOps<ScheduleOp>())
        if (failed(check(schedule)))
          all = failure();
      return all;
    });
    if (failed(result))
      signalPassFailure();
  }

private:
  LogicalResult check(ScheduleOp schedule) {
    ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
    bool isRecoloured = schedule.getStrategy() == Strategy::Recolor;
    Obstacle obstacle;
    if (isRecoloured && !computeColouring(value, &obstacle))
      return emitNoColouring(schedule, obstacle);
    std::optional<DependentPair> pair =
        isRecoloured ? findForeignPair(schedule) : findDependentPair(schedule);
    if (!pair) {
      if (remarks)
        emitRemark(schedule.getLoc()) << "the phases of '" << schedule.getValue()
                                      << "' are independent, and are updated in place";
      return success();
    }
    bool isStrict = schedule.getLegalize() == "strict";
    report(schedule, *pair, isStrict);
    return failure(isStrict);
  }

  void report(ScheduleOp schedule, DependentPair pair, bool isError) {
    Location loc = schedule.getLoc();
    bool isWarning = isSampled(schedule);
    if (isError) {
      tellPair(emitError(loc) << ErrorId::NotIndependent, schedule, pair,
               ", and legalize = strict refuses that");
    } else if (isWarning) {
      tellPair(emitWarning(loc) << ErrorId::NotIndependent, schedule, pair).attachNote()
          << "every cell of the phase is drawn given the others before it, not one after another";
    } else if (remarks) {
      tellPair(emitRemark(loc), schedule, pair).attachNote()
          << "each phase is computed from a snapshot of the one before";
    }
  }
};
} // namespace
