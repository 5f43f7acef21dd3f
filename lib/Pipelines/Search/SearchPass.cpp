//===- SearchPass.cpp - The schedule that a model finds best --------------===//

#include "LCI/Dialect/Targets.h"
#include "LCI/Pipelines/ApplySchedule.h"
#include "LCI/Pipelines/Passes.h"
#include "LCI/Pipelines/Search/Rank.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SEARCHPASS
#include "LCI/Pipelines/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct SearchPass : mlir::lci::impl::SearchPassBase<SearchPass> {
  using SearchPassBase::SearchPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context,
                        {{"candidates", candidates, 1, kMostCandidates}, {"epochs", epochs, 1}});
  }

  void runOnOperation() override {
    if (failed(search()))
      signalPassFailure();
  }

private:
  OwningOpRef<ModuleOp> findSchedule();
  LogicalResult search();
  void tell(const Space &space, const Ranking &ranking);
};
} // namespace

/// The schedule of the file, or the default one of the target.
OwningOpRef<ModuleOp> SearchPass::findSchedule() {
  if (schedule.empty())
    return readDefaultSchedule(isForGPU(getOperation()) ? "lci-to-kernels-pipeline"
                                                        : "lci-to-linalg-pipeline",
                               &getContext());
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(schedule, &reason);
  if (!file) {
    mlir::emitError(UnknownLoc::get(&getContext()), "expected the file of a schedule: ")
        << ErrorId::FileAccess << reason;
    return nullptr;
  }
  return readSchedule(file->getBuffer(), schedule, &getContext());
}

/// The candidates in their order, the best first.
void SearchPass::tell(const Space &space, const Ranking &ranking) {
  ModuleOp module = getOperation();
  mlir::emitRemark(module.getLoc())
      << ranking.lowered << " candidates of " << std::to_string(space.size())
      << " that may differ were lowered, " << ranking.candidates.size()
      << " have code of their own";
  for (const Ranked &ranked : ranking.candidates)
    mlir::emitRemark(module.getLoc()) << space.textOf(ranked.candidate) << ": "
                                      << (!ranked.problem.empty() ? ranked.problem
                                          : ranked.cost ? ranked.cost->text()
                                                        : "of a level that is not counted");
}

LogicalResult SearchPass::search() {
  OwningOpRef<ModuleOp> whole = findSchedule();
  if (!whole)
    return failure();
  FailureOr<Space> space = Space::create(*whole);
  if (failed(space))
    return failure();
  RankOptions options;
  options.seed = seed;
  options.limit = candidates;
  options.epochs = epochs;
  FailureOr<Ranking> ranking = rank(getOperation(), *space, options);
  if (failed(ranking))
    return failure();
  if (list)
    tell(*space, *ranking);
  // The default, unless the model finds another one cheaper.
  ArrayRef<Ranked> all = ranking->candidates;
  bool isBetter = all.size() > 1 && all[0].cost && all[1].cost && all[1].problem.empty() &&
                  all[1].cost->cycles < all[0].cost->cycles;
  const Ranked &best = all[isBetter];
  if (list)
    mlir::emitRemark(getOperation().getLoc()) << "the best is " << space->textOf(best.candidate);
  return applySchedule(getOperation(), *space->select(best.candidate));
}
