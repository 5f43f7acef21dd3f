//===- CheckSchedule.cpp - Which phases are independent ---------------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Independence.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Transforms/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_CHECKSCHEDULEPASS
#include "LCI/Transforms/Passes.h.inc"
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

static std::string printPair(DependentPair pair) {
  return printCell(pair.value.getName(), pair.reader) + " reads " +
         printCell(pair.source.getName(), pair.written);
}

namespace {
struct CheckSchedule : lci::impl::CheckSchedulePassBase<CheckSchedule> {
  using CheckSchedulePassBase::CheckSchedulePassBase;

  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [this](ProgramOp program) {
      LogicalResult all = success();
      for (auto schedule : program.getOps<ScheduleOp>())
        if (failed(check(schedule)))
          all = failure();
      for (auto constraint : program.getOps<ConstraintOp>())
        checkTies(constraint);
      return all;
    });
    if (failed(result))
      signalPassFailure();
  }

private:
  LogicalResult check(ScheduleOp schedule) {
    std::optional<DependentPair> pair = findDependentPair(schedule);
    if (!pair) {
      if (remarks)
        emitRemark(schedule.getLoc()) << "the phases of '" << schedule.getValue()
                                      << "' are independent, and are updated in place";
      return success();
    }
    StringRef legalize = schedule.getLegalize().value_or("snapshot");
    bool recolors = legalize == "recolor" && pair->value == pair->source;
    if (recolors) {
      schedule.setStrategy(Strategy::Recolor);
      schedule.removeAxesAttr();
      schedule.removeTileAttr();
    }
    report(schedule, *pair, legalize, recolors);
    return failure(legalize == "strict");
  }

  void report(ScheduleOp schedule, DependentPair pair, StringRef legalize, bool recolors) {
    Location loc = schedule.getLoc();
    bool isError = legalize == "strict", isWarning = isSampled(schedule) && !recolors;
    if (!isError && !isWarning && !remarks)
      return;
    InFlightDiagnostic diagnostic = isError     ? emitError(loc)
                                    : isWarning ? emitWarning(loc)
                                                : emitRemark(loc);
    diagnostic << "the phases of '" << schedule.getValue() << "' are not independent: in phase "
               << pair.phase << ", " << printPair(pair);
    if (isError)
      diagnostic << ", and legalize = strict refuses that";
    diagnostic.attachNote(pair.read->getLoc()) << "the read is here";
    if (isError)
      return;
    if (recolors)
      diagnostic.attachNote() << "the schedule becomes 'recolor'";
    else if (isWarning)
      diagnostic.attachNote() << "every cell of the phase is drawn given the others before it, not "
                                 "one after another";
    else
      diagnostic.attachNote() << "each phase is computed from a snapshot of the one before";
  }

  /// A constraint that ties cells of one phase does not see what the others become.
  void checkTies(ConstraintOp constraint) {
    std::optional<DependentPair> pair = remarks ? findDependentPair(constraint) : std::nullopt;
    if (!pair)
      return;
    InFlightDiagnostic remark = emitRemark(constraint.getLoc())
                                << describe(constraint)
                                << " ties cells that change together: in phase " << pair->phase
                                << ", " << printPair(*pair);
    remark.attachNote(pair->read->getLoc()) << "the read is here";
  }
};
} // namespace
