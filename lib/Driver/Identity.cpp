//===- Identity.cpp - What makes a run the run that it is -----------------===//
#include "LCI/Driver/Identity.h"
#include "LCI/Runtime/File.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Bindings;

std::string mlir::lci::programText(ProgramOp program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The module: models may be in it.
  program->getParentOfType<ModuleOp>().print(
      os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  return text;
}

FailureOr<::lci::Digest> mlir::lci::digestOf(StringRef text, ProgramOp program,
                                             const Bindings &bindings) {
  ::lci::Hasher hasher;
  hasher.add(text.str());
  for (auto name : program.getSizes().getAsRange<StringAttr>())
    if (const ::lci::SizeBinding *size = bindings.size(name))
      hasher.add(name.str()).add(static_cast<uint64_t>(size->value));
  for (ModelOp model : program.getOps<ModelOp>()) {
    const ::lci::ModelBinding *binding = bindings.model(model.getName());
    if (!binding)
      continue;
    ::lci::Result<std::vector<uint8_t>> file = ::lci::readFile(binding->file);
    if (!file)
      return emitError(UnknownLoc::get(program.getContext())) << file.failure().id << file.error();
    hasher.add(model.getName().str()).add(binding->function);
    hasher.add(static_cast<uint64_t>(file->size())).add(file->data(), file->size());
  }
  hasher.add(static_cast<uint64_t>(bindings.hardPriority.value_or(1000)));
  hasher.add(static_cast<uint64_t>(bindings.legalize.value_or(::lci::Legalize::Snapshot)));
  return hasher.finish();
}

static const char *textOf(Counting counting) {
  switch (counting) {
  case Counting::None:
    return "none";
  case Counting::Changed:
    return ::lci::kCountsChanges;
  case Counting::Full:
    return "full";
  }
  llvm_unreachable("no other counting");
}

::lci::RunIdentity mlir::lci::identityOf(const ::lci::Digest &program, const RunOptions &options,
                                         const RunArguments &arguments,
                                         const std::map<std::string, ::lci::Array> &inputs) {
  ::lci::RunIdentity identity{program, arguments.seed, ::lci::givenBy(arguments, inputs)};
  identity.given[::lci::kCountersFlag] = textOf(options.getCounting());
  if (options.tf32)
    identity.given["option --tf32"] = "";
  return identity;
}

void mlir::lci::goOnCounting(const ::lci::Checkpoint &checkpoint, RunOptions &options,
                             MLIRContext *context) {
  if (options.counters)
    return;
  bool isFull = ::lci::givenIn(checkpoint)[::lci::kCountersFlag] == textOf(Counting::Full);
  options.counters = isFull ? Counting::Full : Counting::Changed;
  if (!options.report.empty() && !isFull)
    emitWarning(UnknownLoc::get(context))
        << ErrorId::OtherProgram << "the report counts no constraints, because the run before did "
        << "not; begin it with --counters=full";
}

::lci::Result<std::map<std::string, ::lci::Array>> mlir::lci::admit(::lci::Checkpoint &checkpoint,
                                                                    ArrayRef<ValueInfo> values,
                                                                    const RunOptions &options,
                                                                    ::lci::RunIdentity &identity) {
  if (::lci::Status same = ::lci::admitCheckpoint(checkpoint, formsOf(values), identity); !same)
    return same.failure();
  std::map<std::string, ::lci::Array> cells;
  for (const ValueInfo &value : values) {
    cells.emplace(value.name, *::lci::findValue(checkpoint, value.name));
    bool hasStamps = !value.ruled || ::lci::recordsOf(checkpoint, value.name);
    if (!options.stamps.empty() && !hasStamps)
      return ::lci::Failure{ErrorId::OtherProgram, "expected the stamps of '" + value.name +
                                                       "', but the run began without --stamps"};
  }
  return cells;
}
