//===- Checks.cpp - What must be known before a program is lowered --------===//

#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Program/Passes.h"

using namespace mlir;
using namespace mlir::lci;

void lci::buildCheckPipeline(OpPassManager &manager, const CheckOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/2}));
  // 1. Who reads what: all later checks speak of reads that are allowed.
  manager.addPass(createCheckVisibilityPass());
  // 2. Claims of presence; they are gone afterwards.
  manager.addPass(createCheckPresencePass());
  // 3. Integers: a read counts as what it holds where it is present, as was just proved.
  manager.addPass(createInferRangesPass({options.remarks}));
  // 4. Time.
  manager.addPass(createCheckCausalityPass());
  // 5. Phases: what their schedules want done about dependence, then what is left of it.
  manager.addPass(createLegalizeSchedulePass({options.remarks}));
  manager.addPass(createCheckSchedulePass({options.remarks}));
  // 6. Constraints that are decided now.
  manager.addPass(createSimplifyConstraintsPass({options.remarks}));
}
