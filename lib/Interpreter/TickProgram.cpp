//===- TickProgram.cpp - Run a program in tick form by its roles ----------===//
//
// Builds the arguments of a function in tick form from their `lci.role` and `lci.name`, interprets
// it, and stores results as states and counters. Cells are kept at 64 bits and fitted to the width
// of each function.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "LCI/Analysis/Colouring.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Interpreter/TickForm.h"
#include "LCI/Runtime/Backend.h"
#include "LCI/Runtime/Switches.h"

using namespace mlir;
using namespace mlir::lci;

/// The type of a number in a tensor, which may be one of vectors.
static Type getScalarType(Type type) { return getElementTypeOrSelf(getElementTypeOrSelf(type)); }

/// The same bits at the width of a type.
static Datum fit(Datum datum, Type type) {
  Type element = getScalarType(type);
  if (!datum.tensor)
    return Datum{truncate(datum.bits, getWidth(element)), nullptr};
  Tensor result = *datum.tensor;
  for (uint64_t &bits : result.elements)
    bits = truncate(bits, getWidth(element));
  return Datum::array(std::move(result));
}

/// Cells of a value at 64 bits. Tokens are never negative, also in the narrowest storage.
static Tensor widen(const Tensor &cells, Type type, bool isToken) {
  Tensor result = cells;
  Type element = getScalarType(type);
  if (!isToken && isa<IntegerType>(element))
    for (uint64_t &bits : result.elements)
      bits = signExtend(bits, getWidth(element));
  return result;
}

FailureOr<TickProgram> TickProgram::create(ModuleOp module, StringRef name,
                                           std::map<std::string, int64_t> vocabularies) {
  TickProgram program;
  program.main = module.lookupSymbol<func::FuncOp>(name);
  program.init = module.lookupSymbol<func::FuncOp>((name + ".init").str());
  program.vocabularies = std::move(vocabularies);
  if (!program.main || !program.init)
    return module.emitOpError("expected the functions '")
           << ErrorId::CannotInterpret << name << "' and '" << name << ".init'";
  return program;
}

LogicalResult TickProgram::initialise(const Environment &environment) {
  FailureOr<SmallVector<Datum>> arguments = makeArguments(init, environment, 0, 0);
  if (failed(arguments))
    return failure();
  FailureOr<SmallVector<Datum>> contents = interpretTickForm(init, *arguments);
  if (failed(contents))
    return failure();
  unsigned next = 0;
  for (unsigned i = 0; i < main.getNumArguments() && next < contents->size(); ++i) {
    if (!isValueRole(roleOf(main, i)))
      continue;
    std::string name = nameOf(main, i).str();
    isFloat[name] = isa<FloatType>(getScalarType(main.getArgumentTypes()[i]));
    states[name] = Datum::array(
        widen(*(*contents)[next].tensor, init.getResultTypes()[next], vocabularies.count(name)));
    ++next;
  }
  return success();
}

void TickProgram::setValue(StringRef name, const ::lci::Array &cells) {
  auto vocabulary = vocabularies.find(name.str());
  states[name.str()] =
      Datum::array(toCells(cells, vocabulary == vocabularies.end() ? -1 : vocabulary->second));
}

::lci::Array TickProgram::getValue(StringRef name) const {
  auto vocabulary = vocabularies.find(name.str());
  return toArray(*states.find(name.str())->second.tensor, isFloat.find(name.str())->second,
                 vocabulary == vocabularies.end() ? 0 : vocabulary->second);
}

FailureOr<Datum> TickProgram::makeArgument(func::FuncOp function, unsigned number,
                                           const Environment &environment, int64_t first,
                                           int64_t last) {
  Role role = roleOf(function, number);
  std::string name = nameOf(function, number).str();
  auto find = [&](const std::map<std::string, ::lci::Array> &arrays) -> FailureOr<Datum> {
    auto array = arrays.find(name);
    if (array == arrays.end())
      return function.emitOpError("expected a ")
             << ErrorId::CannotInterpret << StringRef(::lci::roleWord(role)) << " '" << name << "'";
    return toDatum(array->second);
  };
  switch (role) {
  case Role::State:
  case Role::Input:
    return states[name];
  case Role::Param: {
    auto elements = function.getArgAttrOfType<DenseI64ArrayAttr>(number, "lci.elements");
    auto given = environment.params.find(name);
    if (elements && given != environment.params.end() &&
        !given->second.holds(elements.asArrayRef().vec()))
      return emitError(function.getLoc())
             << ErrorId::OtherProgram << ::lci::kOtherElements << name << "'";
    return find(environment.params);
  }
  case Role::Palette:
    return find(environment.palettes);
  case Role::Region:
    return find(environment.regions);
  case Role::Bounds: {
    auto region = environment.regions.find(name);
    if (region == environment.regions.end())
      return function.emitOpError("expected a region '") << ErrorId::CannotInterpret << name << "'";
    return toDatum(::lci::boundsOf(region->second));
  }
  case Role::Weight:
    return find(environment.weights);
  case Role::Enable:
    return Datum::truth(::lci::isOn(environment.enables, name));
  case Role::Replica:
    return Datum::integer(static_cast<int64_t>(environment.replica));
  case Role::Seed:
    return Datum::integer(static_cast<int64_t>(environment.seed));
  case Role::Counts:
    return Datum::array(
        Tensor(cast<RankedTensorType>(function.getArgumentTypes()[number]).getShape()));
  case Role::First:
    return Datum::integer(first);
  default:
    return Datum::integer(last);
  }
}

FailureOr<SmallVector<Datum>> TickProgram::makeArguments(func::FuncOp function,
                                                         const Environment &environment,
                                                         int64_t first, int64_t last) {
  SmallVector<Datum> arguments;
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    FailureOr<Datum> argument = makeArgument(function, number, environment, first, last);
    if (failed(argument))
      return failure();
    arguments.push_back(fit(*argument, type));
  }
  return arguments;
}

LogicalResult TickProgram::run(const Environment &environment, int64_t first, int64_t last) {
  FailureOr<SmallVector<Datum>> arguments = makeArguments(main, environment, first, last);
  if (failed(arguments))
    return failure();
  FailureOr<SmallVector<Datum>> results = interpretTickForm(main, *arguments);
  if (failed(results))
    return failure();
  unsigned next = 0;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    if (roleOf(main, i) == Role::State) {
      std::string name = nameOf(main, i).str();
      states[name] = Datum::array(
          widen(*(*results)[next].tensor, main.getResultTypes()[next], vocabularies.count(name)));
      ++next;
    }
  }
  auto names = main->getAttrOfType<ArrayAttr>("lci.counters");
  for (unsigned i = 0; names && next < results->size() && i < names.size(); ++i)
    counters[cast<StringAttr>(names[i]).str()] +=
        static_cast<int64_t>((*results)[next].tensor->elements[i]);
  return success();
}
