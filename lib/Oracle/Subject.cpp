//===- Subject.cpp - Run IR of any level ----------------------------------===//
//
// A bound program is run by its interpreter; its arguments are read from its tick form, where every
// argument has a role. Lower levels are run as they are (compileAsItIs). Errors on the way
// become the reason of a failure.
//
//===----------------------------------------------------------------------===//

#include "LCI/Conversion/Passes.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIOps.h"
#include "LCI/Driver/InterpreterBackend.h"
#include "LCI/Execution/Compile.h"
#include "LCI/Oracle/Trial.h"
#include "LCI/Pipelines/CompilerPasses.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Failure;
using ::lci::Result;
using ::lci::SlotForm;
using ::lci::Status;

namespace {
/// Keeps the first error of a context to itself.
class Listener {
public:
  explicit Listener(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && reason.empty())
            reason = diagnostic.str();
        }) {}
  Failure failure() const { return {ErrorId::CannotInterpret, reason}; }

private:
  std::string reason;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// A constant of the IR, as the array that a run has to give.
static std::optional<Array> toArray(Attribute fixed) {
  if (auto number = dyn_cast<IntegerAttr>(fixed))
    return Array::scalar(number.getType().isInteger(1) ? int64_t(number.getValue().getBoolValue())
                                                       : number.getInt());
  if (auto number = dyn_cast<FloatAttr>(fixed)) {
    Array scalar(::lci::DType::F32, {});
    scalar.setDouble(0, number.getValueAsDouble());
    return scalar;
  }
  auto elements = dyn_cast<DenseElementsAttr>(fixed);
  if (!elements || !elements.getElementType().isIntOrFloat())
    return std::nullopt;
  bool isNumber = elements.getElementType().isF32(),
       isTruth = elements.getElementType().isInteger(1);
  Array array(isNumber  ? ::lci::DType::F32
              : isTruth ? ::lci::DType::Bool
                        : ::lci::DType::I64,
              elements.getType().getShape().vec());
  for (int64_t i = 0; i < array.size(); ++i)
    if (isNumber)
      array.setDouble(i, elements.getValues<APFloat>()[i].convertToDouble());
    else
      array.setInt(i, isTruth ? elements.getValues<bool>()[i]
                              : elements.getValues<APInt>()[i].getSExtValue());
  return array;
}

/// Adds the facts that an argument's attributes have beyond its slot.
static void addFacts(DictionaryAttr said, ProgramForm &form) {
  auto name = said ? said.getAs<StringAttr>(kName) : StringAttr();
  if (!name)
    return;
  if (said.contains("lci.may_be_absent"))
    form.mayBeAbsent.insert(name.str());
  if (Attribute fixed = said.get(kFixed))
    if (std::optional<Array> array = toArray(fixed))
      form.fixed[name.str()] = *array;
}

static ProgramForm makeForm(ModuleOp module, ArrayRef<::lci::FunctionForm> functions) {
  ProgramForm form;
  std::set<std::pair<Role, std::string>> seen;
  for (const ::lci::FunctionForm &function : functions)
    for (const SlotForm &slot : function.slots)
      if (seen.emplace(slot.role, slot.name).second)
        form.slots.push_back(slot);
  for (auto function : module.getOps<FunctionOpInterface>()) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      addFacts(function.getArgAttrDict(i), form);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      addFacts(function.getResultAttrDict(i), form);
    if (auto recorded = function->getAttrOfType<ArrayAttr>(kInterface))
      for (auto said : recorded.getAsRange<DictionaryAttr>())
        addFacts(said, form);
  }
  return form;
}

/// The arguments of a bound program, from its tick form.
static FailureOr<ProgramForm> findForm(ModuleOp module) {
  OwningOpRef<ModuleOp> ticks = module.clone();
  CompilerPasses passes(module.getContext());
  passes.addPass(createLowerRulesPass());
  if (failed(passes.run(*ticks)))
    return failure();
  FailureOr<RunnableIR> runnable = compileAsItIs(*ticks);
  if (failed(runnable))
    return failure();
  return makeForm(*ticks, runnable->functions);
}

Result<Subject> Subject::create(ModuleOp module) {
  auto programs = llvm::to_vector(module.getOps<ProgramOp>());
  if (programs.size() > 1)
    return Failure{ErrorId::CannotInterpret,
                   "expected one program to run, but got " + std::to_string(programs.size())};
  if (!programs.empty() && !programs.front().isBound())
    return Failure{ErrorId::CannotInterpret, "the program is not bound"};
  Listener listener(module.getContext());
  Subject subject;
  if (programs.empty()) {
    FailureOr<RunnableIR> runnable = compileAsItIs(module);
    if (failed(runnable))
      return listener.failure();
    subject.form = makeForm(module, runnable->functions);
    subject.backend = std::move(runnable->program);
    return std::move(subject);
  }
  FailureOr<std::unique_ptr<InterpreterBackend>> interpreter =
      InterpreterBackend::create(programs.front(), /*countAll=*/true);
  FailureOr<ProgramForm> form = findForm(module);
  if (failed(interpreter) || failed(form))
    return listener.failure();
  subject.backend = std::move(*interpreter);
  subject.isOfProgram = true;
  subject.form = std::move(*form);
  return std::move(subject);
}

/// Gives the arguments of a trial and the first state to a back end.
static Status begin(Backend &backend, const Trial &trial) {
  if (Status given = backend.setArguments(trial.arguments); !given)
    return given;
  if (Status first = backend.initialise(); !first)
    return first;
  for (const auto &[name, cells] : trial.values)
    if (Status set = backend.setValue(name, cells); !set)
      return set;
  return ::lci::Done();
}

Result<Outcome> Subject::run(const Trial &trial) {
  if (Status begun = begin(*backend, trial); !begun)
    return begun.failure();
  Outcome outcome;
  outcome.isOfProgram = isOfProgram;
  Result<Counters> counters = backend->runEpochs(0, trial.epochs);
  if (!counters)
    return counters.failure();
  outcome.counters = std::move(*counters);
  for (const SlotForm &slot : form.slots) {
    if (slot.role != Role::State)
      continue;
    Result<Array> cells = backend->value(slot.name);
    if (!cells)
      return cells.failure();
    outcome.values.emplace(slot.name, std::move(*cells));
  }
  Result<Observations> seen = backend->observe(trial.epochs);
  if (!seen)
    return seen.failure();
  outcome.observations = std::move(*seen);
  Result<Counters> broken = backend->broken(trial.epochs);
  if (!broken)
    return broken.failure();
  outcome.broken = std::move(*broken);
  return std::move(outcome);
}
