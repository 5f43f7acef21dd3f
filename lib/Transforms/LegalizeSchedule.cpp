//===- LegalizeSchedule.cpp - Phases without dependent cells --------------===//
//
// What to do about cells of a phase that read each other changes results: the program or its
// bindings say so, and this pass carries it out (S-SCHEDULE).
//
//===----------------------------------------------------------------------===//

#include "CheckSupport.h"
#include "DependentPhases.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Transforms/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_LEGALIZESCHEDULEPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct LegalizeSchedule : lci::impl::LegalizeSchedulePassBase<LegalizeSchedule> {
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
  /// Gives cells that read each other different phases. What the cells read of other values they
  /// read in the same phase as before.
  LogicalResult recolour(ScheduleOp schedule) {
    ValueOp value = schedule->getParentOfType<ProgramOp>().lookupValue(schedule.getValue());
    std::optional<DependentPair> pair;
    if (schedule.getStrategy() != Strategy::Recolor)
      pair = findDependentPair(value, value);
    if (!pair)
      return success();
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
