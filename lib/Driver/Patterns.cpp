//===- Patterns.cpp - Apply rewrite patterns from files -------------------===//

#include "LCI/Driver/Patterns.h"
#include "LCI/Dialect/Diagnostics.h"
#include "LCI/Dialect/LCIDialect.h"
#include "PatternDriver.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ManagedStatic.h"

using namespace mlir;
using namespace mlir::lci;
namespace cl = llvm::cl;

namespace {
struct PatternFlags {
  cl::list<std::string> files{"lci-apply-patterns", cl::value_desc("F.pdll"),
                              cl::desc("Apply the rewrite patterns of files, PDLL or IR of the pdl "
                                       "dialect, after the other passes until none applies")};
};
} // namespace

static llvm::ManagedStatic<PatternFlags> patternFlags;

void mlir::lci::addPatternFlag() { *patternFlags; }

namespace {
/// Applies the patterns of files until none applies.
struct ApplyPatterns : PassWrapper<ApplyPatterns, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ApplyPatterns)
  explicit ApplyPatterns(std::shared_ptr<FrozenRewritePatternSet> patterns)
      : patterns(std::move(patterns)) {}

  StringRef getArgument() const override { return "lci-apply-patterns"; }
  StringRef getName() const override { return "ApplyPatterns"; }

  void runOnOperation() override {
    if (failed(applyGuarded(getOperation(), *patterns)))
      signalPassFailure();
  }

private:
  std::shared_ptr<FrozenRewritePatternSet> patterns;
};
} // namespace

LogicalResult mlir::lci::addPatterns(PassManager &manager) {
  if (patternFlags->files.empty())
    return success();
  MLIRContext *context = manager.getContext();
  context->loadDialect<LCIDialect>(); // with which messages show their identifiers
  PDLPatternModule patterns;
  for (const std::string &file : patternFlags->files) {
    if (!llvm::sys::fs::is_regular_file(file))
      return emitError(UnknownLoc::get(context),
                       "expected a file of patterns for --lci-apply-patterns, but got '")
             << ErrorId::FileAccess << file << "'";
    OwningOpRef<ModuleOp> read = readPatterns(file, context);
    if (!read)
      return failure();
    patterns.mergeIn(PDLPatternModule(std::move(read)));
  }
  RewritePatternSet set(std::move(patterns));
  manager.addPass(
      std::make_unique<ApplyPatterns>(std::make_shared<FrozenRewritePatternSet>(std::move(set))));
  return success();
}
