//===- Identity.cpp - The identity of a run -------------------------------===//
//
// Computes digests of programs, and stores the named parts that they cover, so that the error of a
// refused checkpoint names the difference. Formulas of parameters are folded where they are
// constant, because a run that gives the same number is the same run.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Identity.h"
#include "LCI/Runtime/File.h"
#include "LCI/Runtime/RunLoop.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Bindings;

std::string mlir::lci::programText(ProgramOp program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The whole module, which may contain models.
  program->getParentOfType<ModuleOp>().print(
      os, OpPrintingFlags().printGenericOpForm().useLocalScope());
  return text;
}

/// The constant result of an operation on constant operands, or null.
static Attribute foldOperation(Operation &op, ArrayRef<Attribute> operands) {
  Attribute constant;
  if (matchPattern(&op, m_Constant(&constant)))
    return constant;
  if (operands.empty() || llvm::is_contained(operands, Attribute()))
    return {};
  SmallVector<OpFoldResult> results;
  Operation *copy = op.clone(); // a fold may change its operation
  bool isFolded = succeeded(copy->fold(operands, results)) && results.size() == 1;
  copy->destroy();
  return isFolded ? dyn_cast<Attribute>(results[0]) : Attribute();
}

/// The constant value of a formula, or null.
static Attribute foldBody(Block &body) {
  DenseMap<Value, Attribute> known;
  for (Operation &op : body.without_terminator()) {
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    if (op.getNumResults() == 1)
      known[op.getResult(0)] = foldOperation(op, operands);
  }
  return known.lookup(cast<YieldOp>(body.getTerminator()).getValue());
}

/// The default values of parameters, where they are constants.
static ::lci::Given defaultsOf(ProgramOp program) {
  RunArguments constants;
  for (ParamOp param : program.getOps<ParamOp>()) {
    Attribute constant = param.hasInit() ? foldBody(param.getInit().front()) : Attribute();
    std::string name = param.getSymName().str();
    if (auto number = dyn_cast_or_null<FloatAttr>(constant)) {
      ::lci::Array array(::lci::DType::F32, {});
      array.setDouble(0, number.getValueAsDouble());
      constants.params.emplace(name, std::move(array));
    } else if (auto integer = dyn_cast_or_null<IntegerAttr>(constant)) {
      constants.params.emplace(name, ::lci::Array::scalar(integer.getInt()));
    }
  }
  return ::lci::givenBy(constants, {});
}

static const char *textOf(::lci::Legalize legalize) {
  switch (legalize) {
  case ::lci::Legalize::Snapshot:
    return "snapshot";
  case ::lci::Legalize::Recolor:
    return "recolor";
  case ::lci::Legalize::Strict:
    return "strict";
  }
  llvm_unreachable("no other way");
}

FailureOr<::lci::RunIdentity> mlir::lci::identityOf(StringRef text, ProgramOp program,
                                                    const Bindings &bindings) {
  ::lci::RunIdentity identity;
  ::lci::Given &described = identity.described;
  ::lci::Hasher hasher;
  hasher.add(text.str());
  described[::lci::kProgramText] = ::lci::hexText(::lci::digestOf(text.data(), text.size()));
  for (auto name : program.getSizes().getAsRange<StringAttr>())
    if (const ::lci::SizeBinding *size = bindings.size(name)) {
      hasher.add(name.str()).add(static_cast<uint64_t>(size->value));
      described["the size '" + name.str() + "'"] = std::to_string(size->value);
    }
  for (ModelOp model : program.getOps<ModelOp>()) {
    const ::lci::ModelBinding *binding = bindings.model(model.getName());
    if (!binding)
      continue;
    ::lci::Result<std::vector<uint8_t>> file = ::lci::readFile(binding->file);
    if (!file)
      return emitError(UnknownLoc::get(program.getContext())) << file.failure().id << file.error();
    std::string digest = ::lci::hexText(::lci::digestOf(file->data(), file->size()));
    described["the model '" + model.getName().str() + "'"] =
        "'" + binding->function + "' of a file with digest " + digest.substr(0, 12);
    hasher.add(model.getName().str()).add(binding->function);
    hasher.add(static_cast<uint64_t>(file->size())).add(file->data(), file->size());
  }
  int64_t hardPriority = bindings.hardPriority.value_or(1000);
  ::lci::Legalize legalize = bindings.legalize.value_or(::lci::Legalize::Snapshot);
  described["'hard_priority'"] = std::to_string(hardPriority);
  described["'legalize'"] = textOf(legalize);
  hasher.add(static_cast<uint64_t>(hardPriority)).add(static_cast<uint64_t>(legalize));
  identity.program = hasher.finish();
  identity.defaults = defaultsOf(program);
  return identity;
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

::lci::RunIdentity mlir::lci::identityOf(const ::lci::RunIdentity &program,
                                         const RunOptions &options, const RunArguments &arguments,
                                         const std::map<std::string, ::lci::Array> &inputs) {
  ::lci::RunIdentity identity = program;
  identity.seed = arguments.seed;
  identity.keepsRecords = options.keepsRecords();
  identity.given = ::lci::givenBy(arguments, inputs);
  identity.given[::lci::kCountersFlag] = textOf(options.getCounting());
  if (options.tf32)
    identity.given["option --tf32"] = "";
  return identity;
}

void mlir::lci::warnOfNothingToRun(const ::lci::Checkpoint &checkpoint, int64_t epochs,
                                   const Twine &state, MLIRContext *context) {
  emitWarning(UnknownLoc::get(context))
      << ErrorId::NothingToRun
      << ::lci::nothingLeftText(state.str(), static_cast<int64_t>(checkpoint.epoch), epochs);
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
    const char *flag = options.stamps.empty() ? "--replica" : "--stamps";
    if (options.keepsRecords() && !hasStamps)
      return ::lci::Failure{ErrorId::OtherProgram, "expected the stamps of '" + value.name +
                                                       "', but the run began without " + flag};
  }
  return cells;
}
