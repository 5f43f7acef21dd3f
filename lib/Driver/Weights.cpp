//===- Weights.cpp - Weights of models ------------------------------------===//
#include "LCI/Bindings/SafeTensors.h"
#include "LCI/Driver/Arguments.h"
#include "LCI/Driver/Diagnostics.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::Bindings;
using ::lci::Result;

std::map<std::string, RankedTensorType> mlir::lci::weightsOf(ModelOp model) {
  auto module = model->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<func::FuncOp>(model.getFunction().value_or(""));
  std::map<std::string, RankedTensorType> weights;
  for (unsigned i = 0; function && i < function.getNumArguments(); ++i)
    if (auto name = function.getArgAttrOfType<StringAttr>(i, "lci.weight"))
      weights[name.str()] = dyn_cast<RankedTensorType>(function.getArgumentTypes()[i]);
  return weights;
}

FailureOr<Array> mlir::lci::takeWeight(ModelOp model, const std::string &name,
                                       RankedTensorType type, const Array &array, Location where) {
  if (!type || !type.getElementType()
                    .isIntOrFloat()) // the type is unknown for a function that no rule calls
    return array;
  if (type.getShape() != ArrayRef(array.shape()))
    return emitError(where) << ErrorId::WrongShape << "expected shape "
                            << ::lci::shapeText(type.getShape().vec()) << " for the weight '"
                            << name << "' of the model '" << model.getName() << "', but got "
                            << ::lci::shapeText(array.shape());
  std::string what = "the weight '" + model.getName().str() + "." + name + "'";
  Result<Array> taken = type.getElementType().isF32()
                            ? ::lci::toFloats(array, what)
                            : ::lci::toBits(array, type.getElementTypeBitWidth(), what);
  if (!taken)
    return emitError(where) << taken.failure().id << taken.error();
  return std::move(*taken);
}

/// Checks that a file has each weight of a model's function.
static LogicalResult checkAllThere(ModelOp model, const std::map<std::string, Array> &given,
                                   const std::string &file, Location where) {
  for (const auto &[name, type] : weightsOf(model)) {
    if (given.count(name))
      continue;
    std::string has = llvm::join(llvm::make_first_range(given), ", ");
    return emitError(where) << ErrorId::UnboundName << "the model '" << model.getName()
                            << "' asks for the weight '" << name << "', but '" << file << "' has "
                            << (has.empty() ? "none" : has);
  }
  return success();
}

LogicalResult mlir::lci::checkWeightsGiven(ProgramOp program, const RunArguments &arguments) {
  for (ModelOp model : program.getOps<ModelOp>())
    for (const auto &[name, type] : weightsOf(model)) {
      if (arguments.weights.count(model.getName().str() + "." + name))
        continue;
      InFlightDiagnostic error = emitError(model.getLoc())
                                 << ErrorId::UnboundName << "the model '" << model.getName()
                                 << "' asks for the weight '" << name << "', but none is given";
      error.attachNote() << "name the file that has it behind \"weights\" of the model in the "
                            "bindings";
      return error;
    }
  return success();
}

LogicalResult mlir::lci::loadWeights(ProgramOp program, const Bindings &bindings,
                                     RunArguments &args) {
  for (ModelOp op : program.getOps<ModelOp>()) {
    const ::lci::ModelBinding *binding = bindings.model(op.getName());
    if (!binding || binding->weights.empty())
      continue;
    Location where = locationOf(binding->location, op.getContext());
    Result<std::map<std::string, Array>> weights = ::lci::readSafeTensors(binding->weights);
    if (!weights)
      return emitError(where) << weights.failure().id << "weights of the model '" << op.getName()
                              << "': " << weights.error();
    if (failed(checkAllThere(op, *weights, binding->weights, where)))
      return failure();
    std::map<std::string, RankedTensorType> types = weightsOf(op);
    for (const auto &[name, array] : *weights) {
      FailureOr<Array> weight = takeWeight(op, name, types[name], array, where);
      if (failed(weight))
        return failure();
      args.weights.emplace(op.getName().str() + "." + name, std::move(*weight));
    }
  }
  return success();
}
