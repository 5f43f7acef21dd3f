//===- Checks.cpp - Pipeline of checks of a bound program -----------------===//

#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Program/Passes.h"

using namespace mlir;
using namespace mlir::lci;

void mlir::lci::buildCheckPipeline(OpPassManager &manager, const CheckOptions &options) {
  manager.addPass(createCheckLevelPass({/*level=*/2}));
  // 1. Visibility: all later checks assume that reads are allowed.
  manager.addPass(createCheckVisibilityPass());
  // 2. Claims of presence; they are gone afterwards.
  manager.addPass(createCheckPresencePass());
  // 3. Integers: a read has the range of contents, as it was just proved to be present.
  manager.addPass(createInferRangesPass({options.remarks}));
  // 4. Time.
  manager.addPass(createCheckCausalityPass());
  // 5. Phases: apply the dependence policies of schedules, then check the remaining dependences.
  manager.addPass(createLegalizeSchedulePass({options.remarks}));
  manager.addPass(createCheckSchedulePass({options.remarks}));
  // 6. Constraints: whether commits can break a hard one, then those that are decided already.
  manager.addPass(createCheckConstraintsPass({options.remarks}));
  manager.addPass(createSimplifyConstraintsPass({options.remarks}));
}
