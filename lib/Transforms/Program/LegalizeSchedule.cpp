//===- LegalizeSchedule.cpp - Recolour schedules with dependent cells -----===//
//
// The treatment of cells of a phase that read each other changes results: the
// program or its bindings choose it, and this pass carries it out (S-SCHEDULE).
//
//===----------------------------------------------------------------------===//

#include "CheckSupport.h"
#include "DependentPhases.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Transforms/Program/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_LEGALIZESCHEDULEPASS
#include "LCI/Transforms/Program/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct LegalizeSchedule : mlir::lci::impl::LegalizeSchedulePassBase<LegalizeSchedule> {
  using LegalizeSchedulePassBase::LegalizeSchedulePassBase;

  void runOnOperation() override {
    LogicalResult result = forEachBound(getOperation(), [this](ProgramOp program) {
      LogicalResult all = success();
      for (auto schedule : program.getOps<ScheduleOp>())
        if (schedule.getLegalize() == "recolor" && failed(recolour(schedule)))
          all = failure();
      return all;
    });
    if (failed(result))
      signalPassFailure();
  }

private:
  /// Whether the run determines which cells of the single phase are active.
  static bool choosesCells(Strategy strategy) {
    return strategy == Strategy::Masked || strategy == Strategy::Random ||
           strategy == Strategy::Confidence;
  }

  /// Colours would make every cell active.
  LogicalResult refuseToDropChoice(ScheduleOp schedule, const DependentPair &pair) {
    StringRef strategy = stringifyStrategy(schedule.getStrategy());
    auto error =
        tellPair(emitError(schedule.getLoc()) << ErrorId::WrongSchedule, schedule, pair,
                 ", and legalize = recolor would drop what '" + strategy.str() + "' chooses");
    error.attachNote() << "say legalize = snapshot, or choose another strategy";
    return failure();
  }

  /// Gives cells that read each other different phases. Reads of other values keep their phase.
  LogicalResult recolour(ScheduleOp schedule) {
    ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
    std::optional<DependentPair> pair;
    if (schedule.getStrategy() != Strategy::Recolor)
      pair = findDependentPair(value, value);
    if (!pair)
      return success();
    if (choosesCells(schedule.getStrategy()))
      return refuseToDropChoice(schedule, *pair);
    schedule.setStrategy(Strategy::Recolor);
    schedule.removeAxesAttr();
    schedule.removeTileAttr();
    schedule.removeFractionAttr();
    Obstacle obstacle;
    std::optional<Colouring> colouring = computeColouring(value, &obstacle);
    if (!colouring)
      return emitNoColouring(schedule, obstacle);
    ++numRecoloured;
    if (remarks)
      tellPair(emitRemark(schedule.getLoc()), schedule, *pair).attachNote()
          << "the schedule becomes 'recolor', whose " << colouring->count
          << " phases are independent";
    return success();
  }
};
} // namespace
