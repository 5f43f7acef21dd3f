//===- CheckSchedule.cpp - Which phases are independent ---------------------===//

#include "CheckSupport.h"
#include "LCI/Analysis/Colouring.h"
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
    ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
    bool isRecoloured = schedule.getStrategy() == Strategy::Recolor;
    if (isRecoloured && !computeColouring(value))
      return emitNoColouring(schedule);
    std::optional<DependentPair> pair =
        isRecoloured ? findForeignPair(schedule) : findDependentPair(schedule);
    if (!pair) {
      if (remarks)
        emitRemark(schedule.getLoc()) << "the phases of '" << schedule.getValue()
                                      << "' are independent, and are updated in place";
      return success();
    }
    StringRef legalize = schedule.getLegalize().value_or("snapshot");
    if (legalize == "recolor" && pair->value == pair->source)
      return recolour(schedule, *pair);
    report(schedule, *pair, legalize == "strict");
    return failure(legalize == "strict");
  }

  /// Gives cells that read each other different phases. What the cells read of other values they
  /// read in the same phase as before.
  LogicalResult recolour(ScheduleOp schedule, DependentPair pair) {
    schedule.setStrategy(Strategy::Recolor);
    schedule.removeAxesAttr();
    schedule.removeTileAttr();
    schedule.removeFractionAttr();
    std::optional<Colouring> colouring = computeColouring(pair.value);
    if (!colouring)
      return emitNoColouring(schedule);
    if (remarks)
      begin(emitRemark(schedule.getLoc()), schedule, pair).attachNote()
          << "the schedule becomes 'recolor', whose " << colouring->count
          << " phases are independent";
    if (std::optional<DependentPair> other = findForeignPair(schedule))
      report(schedule, *other, /*isError=*/false);
    return success();
  }

  void report(ScheduleOp schedule, DependentPair pair, bool isError) {
    Location loc = schedule.getLoc();
    bool isWarning = isSampled(schedule);
    if (isError) {
      begin(emitError(loc), schedule, pair, ", and legalize = strict refuses that");
    } else if (isWarning) {
      begin(emitWarning(loc), schedule, pair).attachNote()
          << "every cell of the phase is drawn given the others before it, not one after another";
    } else if (remarks) {
      begin(emitRemark(loc), schedule, pair).attachNote()
          << "each phase is computed from a snapshot of the one before";
    }
  }

  static InFlightDiagnostic begin(InFlightDiagnostic diagnostic, ScheduleOp schedule,
                                  DependentPair pair, StringRef more = "") {
    diagnostic << "the phases of '" << schedule.getValue() << "' are not independent: in phase "
               << pair.phase << ", " << printPair(pair) << more;
    diagnostic.attachNote(pair.read->getLoc()) << "the read is here";
    return diagnostic;
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
