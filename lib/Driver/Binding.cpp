//===- Binding.cpp - Bind a program ---------------------------------------===//
//
// Collects the sizes, model functions and policies that a program needs from its bindings and calls
// the passes that bind and check it. Errors are collected, so that one run shows every missing
// name.
//
//===----------------------------------------------------------------------===//
#include "LCI/Driver/Binding.h"
#include "LCI/Analysis/BodyOperations.h"
#include "LCI/Builder/ProgramBuilder.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Diagnostics.h"
#include "LCI/Pipelines/CompilerPasses.h"
#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Program/Bind.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Bindings;

FailureOr<Bindings> mlir::lci::readBindings(const std::string &file, ArrayRef<std::string> sets,
                                            MLIRContext *context) {
  Bindings bindings;
  std::vector<::lci::BindingError> errors;
  if (!file.empty())
    bindings = Bindings::read(file, errors);
  emitErrors(errors, context);
  bool failed = !errors.empty();
  for (const std::string &assignment : sets)
    if (::lci::Status status = bindings.set(assignment); !status) {
      emitError(UnknownLoc::get(context)) << status.failure().id << status.error();
      failed = true;
    }
  if (failed)
    return failure();
  return bindings;
}

/// The declaration whose name differs only by case.
static std::optional<StringRef> findByOtherCase(ProgramOp program, StringAttr name) {
  for (Operation &op : program.getBody().front())
    if (auto symbol = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      if (symbol.getValue().equals_insensitive(name.getValue()))
        return symbol.getValue();
  return std::nullopt;
}

/// Numbers for the program's sizes; all that are missing are reported.
static LogicalResult collectSizes(ProgramOp program, const Bindings &bindings,
                                  BindOptions &options) {
  bool failed = false;
  for (auto name : program.getSizes().getAsRange<StringAttr>()) {
    if (const ::lci::SizeBinding *size = bindings.size(name)) {
      options.sizes[name] = size->value;
      continue;
    }
    InFlightDiagnostic error = emitError(locateSize(program, name))
                               << ErrorId::UnboundSize << "size '" << name.getValue()
                               << "' is not bound: give --set " << name.getValue()
                               << "=NUMBER, or add it to 'sizes' in the "
                               << "bindings";
    if (std::string hint = bindings.hintFor("sizes", name); !hint.empty())
      error.attachNote() << hint;
    else if (std::optional<StringRef> symbol = findByOtherCase(program, name))
      error.attachNote() << "did you mean '" << *symbol << "'? what is capitalised and not "
                         << "declared is a size";
    failed = true;
  }
  return failure(failed);
}

/// Functions for the program's models. A score model without one means the logits of its model.
static LogicalResult collectModels(ProgramOp program, const Bindings &bindings,
                                   BindOptions &options) {
  bool failed = false;
  for (ModelOp model : program.getOps<ModelOp>()) {
    const ::lci::ModelBinding *binding = bindings.model(model.getName());
    if (!binding)
      continue;
    FailureOr<std::string> function =
        importModel(program->getParentOfType<ModuleOp>(), model.getName(), *binding);
    if (succeeded(function))
      options.models[model.getName()] = *function;
    else
      failed = true;
  }
  return failure(failed);
}

/// Token values without rule, input and `init`.
static void collectAbsent(ProgramOp program, const Bindings &bindings,
                          llvm::function_ref<bool(StringRef)> inputFollows, BindOptions &options) {
  llvm::StringSet<> ruled;
  for (RuleOp rule : program.getOps<RuleOp>())
    ruled.insert(rule.getValue());
  for (ValueOp value : program.getOps<ValueOp>())
    if (value.getKind() == Kind::Token && !value.hasInit() && !ruled.contains(value.getSymName()) &&
        !bindings.input(value.getSymName()) && !inputFollows(value.getSymName()))
      options.absent.insert(value.getSymName());
}

/// A bound program has its sizes; flags and file must not contradict them.
static LogicalResult checkBoundSizes(ProgramOp program, const Bindings &bindings) {
  for (auto [name, extent] :
       llvm::zip(program.getSizes().getAsRange<StringAttr>(), *program.getExtents())) {
    const ::lci::SizeBinding *size = bindings.size(name);
    if (size && size->value != extent)
      return emitError(locationOf(size->location, program.getContext()))
             << ErrorId::OtherProgram << "expected " << extent << " for the size '"
             << name.getValue() << "' of a program that is bound already, but got " << size->value;
  }
  return success();
}

static void collectRectangles(ProgramOp program, const Bindings &bindings, BindOptions &options) {
  for (auto region : program.getOps<RegionOp>()) {
    const ::lci::RegionBinding *binding = bindings.region(region.getName());
    if (binding && !binding->mask)
      options.rectangles.insert(region.getName());
  }
}

/// The bound elements of a parameter on which phases depend.
static FailureOr<std::optional<SmallVector<int64_t>>> loadElements(ParamOp param,
                                                                   const Bindings &bindings) {
  const ::lci::ArrayBinding *binding = bindings.param(param.getSymName());
  if (!binding)
    return std::optional<SmallVector<int64_t>>();
  FailureOr<::lci::Array> array = loadParam(param, *binding);
  if (failed(array))
    return failure();
  return std::optional(llvm::map_to_vector(llvm::seq<int64_t>(0, array->size()),
                                           [&](int64_t i) { return array->intAt(i); }));
}

LogicalResult mlir::lci::bindWithBindings(ProgramOp program, const Bindings &bindings,
                                          llvm::function_ref<bool(StringRef)> inputFollows) {
  if (program.isBound())
    return failure(failed(checkBoundSizes(program, bindings)) || failed(prepareModels(program)) ||
                   failed(checkBodyOperations(program)));
  BindOptions options;
  bool failed = collectSizes(program, bindings, options).failed();
  failed |= collectModels(program, bindings, options).failed();
  if (failed)
    return failure();
  collectAbsent(program, bindings, inputFollows, options);
  collectRectangles(program, bindings, options);
  options.elements = [&](ParamOp param) { return loadElements(param, bindings); };
  options.hardPriority = bindings.hardPriority;
  if (bindings.legalize)
    options.legalize = *bindings.legalize == ::lci::Legalize::Snapshot  ? "snapshot"
                       : *bindings.legalize == ::lci::Legalize::Recolor ? "recolor"
                                                                        : "strict";
  LogicalResult bound = bindProgram(program, options);
  return bound.succeeded() ? checkBodyOperations(program) : bound;
}

LogicalResult mlir::lci::checkProgram(ModuleOp module) {
  CompilerPasses checks(module.getContext());
  buildCheckPipeline(checks);
  return checks.run(module);
}
