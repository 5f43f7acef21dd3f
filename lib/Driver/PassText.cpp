//===- PassText.cpp - Pipelines as text -----------------------------------===//

#include "LCI/Driver/PassText.h"
#include "LCI/Bindings/Bindings.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

/// The passes and pipelines that there are. MLIR tells them to command lines alone.
static std::vector<std::string> passNames() {
  static auto *options = new PassPipelineCLParser("", "passes"); // a command line is never undone
  (void)options;
  std::vector<std::string> names;
  for (auto [name, option] : llvm::cl::getRegisteredOptions())
    if (PassInfo::lookup(name) || PassPipelineInfo::lookup(name))
      names.push_back(name.str());
  llvm::sort(names); // of equals, the nearest is always the same
  return names;
}

/// Which pass was meant, where one is unknown.
static std::string hintOfPass(StringRef said) {
  auto [name, rest] = said.drop_front(said.find('\'') + 1).split('\'');
  if (!rest.contains("does not refer to a registered pass"))
    return "";
  std::optional<std::string> near = ::lci::nearestName(name, passNames());
  return near ? "; did you mean '" + *near + "'?" : "";
}

::lci::Status mlir::lci::addPasses(OpPassManager &manager, StringRef text) {
  std::string reason;
  llvm::raw_string_ostream os(reason);
  StringRef passes = text.trim(), inner = passes;
  if (inner.consume_front("builtin.module(") && inner.consume_back(")"))
    passes = inner;
  if (succeeded(parsePassPipeline(passes, manager, os)))
    return ::lci::Done{};
  StringRef said = StringRef(reason).split('\n').first; // with its place in the pipeline
  for (StringRef mark : {"error: ", "Parser>: "})
    if (size_t place = said.rfind(mark); place != StringRef::npos)
      said = said.drop_front(place + mark.size());
  return ::lci::Failure{::lci::ErrorId::PassOption, "cannot read the pipeline '" + text.str() +
                                                        "': " + said.str() + hintOfPass(said)};
}
