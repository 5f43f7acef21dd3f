//===- PassLevels.cpp - Level checks before individual passes -------------===//

#include "LCI/Pipelines/PassLevels.h"
#include "LCI/Pipelines/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
using PassIterator = OpPassManager::pass_iterator;

/// A pass of a manager, which may be moved out of it.
struct Held : PassIterator {
  explicit Held(PassIterator at) : PassIterator(at) {}
  std::unique_ptr<Pass> take() { return std::move(*wrapped()); }
};
} // namespace

/// The names in a pipeline's text that have this project's prefixes: of the pass itself, or of
/// those that it runs on operations nested in a module.
static SmallVector<StringRef> namesIn(StringRef text) {
  SmallVector<StringRef> names;
  int64_t depth = 0; // of options
  while (!text.empty()) {
    StringRef word =
        text.take_while([](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
    if (depth == 0 && (word.starts_with("lci-") || word.starts_with("convert-lci-")))
      names.push_back(word);
    text = text.drop_front(word.size());
    if (!word.empty() || text.empty())
      continue;
    depth += text.front() == '{' ? 1 : text.front() == '}' ? -1 : 0;
    text = text.drop_front();
  }
  return names;
}

void mlir::lci::guardLevels(OpPassManager &manager) {
  if (manager.getOpAnchorName() != ModuleOp::getOperationName())
    return;
  SmallVector<std::unique_ptr<Pass>> passes;
  for (auto at = manager.begin(); at != manager.end(); ++at)
    passes.push_back(Held(at).take());
  manager.clear();
  bool isPipeline = false;
  for (std::unique_ptr<Pass> &pass : passes) {
    std::string text;
    llvm::raw_string_ostream out(text);
    pass->printAsTextualPipeline(out);
    for (StringRef name : namesIn(text)) {
      isPipeline |= name == "lci-check-level" && StringRef(text).contains("level=3");
      if (isPipeline || name == "lci-check-level")
        continue;
      CheckLevelPassOptions options;
      options.before = name.str();
      manager.addPass(createCheckLevelPass(options));
    }
    manager.addPass(std::move(pass));
  }
}
