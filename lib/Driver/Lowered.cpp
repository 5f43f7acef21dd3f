//===- Lowered.cpp - Run IR below programs --------------------------------===//
//
// IR whose arguments have roles is run like a bundle: its code is in memory already, and `--set`
// gives the numbers that a bundle got from the bindings.
//
//===----------------------------------------------------------------------===//

#include "LCI/Driver/Lowered.h"
#include "LCI/Driver/Bundling.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Driver/Loading.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Runtime/BundleProgram.h"
#include "LCI/Runtime/Npy.h"
#include "LCI/Runtime/NumberText.h"
#include "LCI/Runtime/Tokens.h"
#include "LCI/Version.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Failure;
using ::lci::Result;
using ::lci::Role;
using ::lci::SlotForm;
using ::lci::Status;

/// The arguments of a role that `--set` gives, or null.
static std::map<std::string, Array> *placeOf(Role role, RunArguments &arguments) {
  switch (role) {
  case Role::Param:
    return &arguments.params;
  case Role::Palette:
    return &arguments.palettes;
  case Role::Region:
    return &arguments.regions;
  case Role::Weight:
    return &arguments.weights;
  default:
    return nullptr;
  }
}

/// Numbers as text or from a file, in the form of an argument.
static Result<Array> readArgument(const std::string &text, const SlotForm &slot) {
  Result<Array> given =
      ::lci::isNumberText(text) ? ::lci::parseNumbers(text) : ::lci::readNpy(text);
  if (!given)
    return given;
  std::string name = "'" + slot.name + "'";
  if (given->shape() != slot.shape())
    return Failure{ErrorId::WrongShape, "expected shape " + ::lci::shapeText(slot.shape()) +
                                            " for " + name + ", but got " +
                                            ::lci::shapeText(given->shape())};
  if (slot.role != Role::Palette && slot.role != Role::Region)
    return slot.kind == ElementKind::F32 ? toFloats(*given, name) : toIntegers(*given, name);
  Array mask(::lci::DType::Bool, given->shape());
  for (int64_t i = 0; i < mask.size(); ++i)
    mask.setInt(i, given->doubleAt(i) != 0);
  return mask;
}

/// Fills in the arguments besides values, each of which must be given, and nothing else.
static Status setArguments(const std::vector<std::string> &sets, ::lci::Bundle &bundle) {
  std::map<std::string, std::string> given;
  for (const std::string &text : sets) {
    Result<::lci::NamedText> split = ::lci::splitName(text, "--set");
    if (!split)
      return split.failure();
    if (!given.emplace(split->name, split->text).second)
      return Failure{ErrorId::CommandLine, "--set gives '" + split->name + "' twice"};
  }
  std::set<std::string> taken;
  for (const ::lci::BundledFunction &function : bundle.codes.front().functions)
    for (const SlotForm &slot : function.form.slots) {
      std::map<std::string, Array> *place = placeOf(slot.role, bundle.arguments);
      if (!place || !taken.insert(slot.name).second)
        continue;
      auto text = given.find(slot.name);
      if (text == given.end())
        return Failure{ErrorId::UnboundName,
                       "expected --set " + slot.name + "=…, since the IR takes the " +
                           std::string(::lci::roleWord(slot.role)) + " '" + slot.name + "'"};
      Result<Array> array = readArgument(text->second, slot);
      if (!array)
        return array.failure();
      (*place)[slot.name] = std::move(*array);
    }
  for (const auto &[name, text] : given)
    if (!taken.count(name))
      return Failure{ErrorId::NoSuchName, "the IR takes no '" + name + "'"};
  return ::lci::Done();
}

/// The description of the code, as a bundle has it.
static ::lci::Bundle bundleOf(ModuleOp module, const RunnableIR &runnable) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  ::lci::Bundle bundle;
  bundle.name = runnable.functions.front().symbol;
  bundle.compiler = LCI_VERSION_STRING;
  bundle.program = ::lci::digestOf(text.data(), text.size());
  ::lci::BundledCode code{runnable.program->name(), "", "", "", {}};
  for (const ::lci::FunctionForm &function : runnable.functions) {
    code.functions.push_back({function, ""});
    for (const SlotForm &slot : function.slots)
      if (slot.role == Role::Enable)
        bundle.switches.insert(slot.name);
  }
  bundle.codes.push_back(std::move(code));
  return bundle;
}

/// Compiles; errors are diagnostics.
static FailureOr<RunnableIR> compileLowered(ModuleOp module) {
  for (auto program : module.getOps<ProgramOp>())
    return LogicalResult(
        program.emitError("expected IR below programs for --lowered, but got a program")
        << ErrorId::WrongProgram);
  return compileAsItIs(module);
}

ExitStatus mlir::lci::runLowered(const RunOptions &options, const DialectRegistry &registry,
                                 llvm::raw_ostream &out, llvm::raw_ostream &err) {
  auto say = [&](const std::string &text) { out << text; };
  auto complain = [&](const std::string &text) { err << "lmpm-run: " << text; };
  Result<::lci::BundleRunOptions> run = toBundleRun(options, "lowered IR");
  if (!run) {
    complain("error: " + run.failure().text() + "\n");
    return ExitStatus::Failure;
  }
  run->parameters.clear(); // which are set here
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  DriverDiagnostics printer(sources, &context, err, /*showRemarks=*/false);
  OwningOpRef<ModuleOp> module = loadModule(options.program, sources, &context);
  FailureOr<RunnableIR> runnable = failure();
  if (module)
    runnable = compileLowered(*module);
  if (failed(runnable))
    return ExitStatus::Failure;
  ::lci::BundleOpener open =
      [&](const ::lci::BundleRunOptions &) -> Result<std::unique_ptr<::lci::BundleProgram>> {
    ::lci::Bundle bundle = bundleOf(*module, *runnable);
    if (Status set = setArguments(options.sets, bundle); !set)
      return set.failure();
    return ::lci::BundleProgram::of(std::move(bundle), std::move(runnable->program));
  };
  return static_cast<ExitStatus>(::lci::runBundle(*run, open, say, complain));
}
