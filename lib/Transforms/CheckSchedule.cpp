//===- CheckSchedule.cpp - Which phases are independent ---------------------===//

#include "CheckSupport.h"
#include "DependentPhases.h"
#include "LCI/Analysis/Colouring.h"
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

  /// A constraint that ties cells of one phase does not see what the others become (S-BROKEN).
  void checkTies(ConstraintOp constraint) {
    bool isHard = constraint.cannotBeOutvoted();
    std::optional<DependentPair> pair;
    if (isHard || remarks)
      pair = findDependentPair(constraint);
    if (!pair)
      return;
    if (isHard)
      return warnOfTie(constraint, *pair);
    InFlightDiagnostic remark = emitRemark(constraint.getLoc())
                                << describe(constraint)
                                << " ties cells that change together: in phase " << pair->phase
                                << ", " << printPair(*pair);
    remark.attachNote(pair->read->getLoc()) << "the read is here";
  }

  void warnOfTie(ConstraintOp constraint, const DependentPair &pair) {
    InFlightDiagnostic warning = emitWarning(constraint.getLoc())
                                 << ErrorId::NotIndependent << describe(constraint)
                                 << " is hard, but commits of one tick can break it together: in "
                                    "phase "
                                 << pair.phase << ", " << printPair(pair)
                                 << ", and both are decided";
    warning.attachNote(pair.read->getLoc()) << "the read is here";
    warning.attachNote() << describe(pair.reading) << " commits at "
                         << printCell(ValueOp(pair.value).getName(), pair.reader) << " and "
                         << describe(pair.writing) << " at "
                         << printCell(ValueOp(pair.source).getName(), pair.written)
                         << ", each checked against what the other cell held before";
    warning.attachNote() << howToPart(pair);
  }

  /// A schedule under which each of the two sees what the other one became.
  static std::string howToPart(const DependentPair &pair) {
    ValueOp value = pair.value, source = pair.source;
    if (value != source)
      return ("let '" + value.getName() + "' and '" + source.getName() +
              "' be decided in different phases: their schedules take 'phase=…'")
          .str();
    bool canColour = computeColouring(value).has_value();
    return ("'schedule " + value.getName() + "[*] using " + (canColour ? "recolor" : "raster") +
            "' decides them in different phases")
        .str();
  }
};
} // namespace
