//===- Description.cpp - Slots of compiled functions ----------------------===//
//
// Derives the description of a compiled function (FunctionForm) from the IR before the last
// lowering: element kinds, extents and halos of its buffers from argument types and `lci.`
// attributes, counters from `lci.counters`.
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace mlir::lci;

static std::optional<ElementKind> kindOf(Type type) {
  if (type.isF32())
    return ElementKind::F32;
  if (!type.isInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementKind::I1;
  case 8:
    return ElementKind::I8;
  case 16:
    return ElementKind::I16;
  case 32:
    return ElementKind::I32;
  case 64:
    return ElementKind::I64;
  default:
    return std::nullopt;
  }
}

namespace {
/// A value that a caller gives to a function, or takes from it.
struct Argument {
  Type type;
  DictionaryAttr said;
};
} // namespace

/// The arguments of a function, and those of its results that have a role, which are arguments as
/// soon as they are buffers. In the llvm dialect the record that `lci-record-interface` has left.
static SmallVector<Argument> argumentsOf(FunctionOpInterface function) {
  SmallVector<Argument> arguments;
  if (auto recorded = function->getAttrOfType<ArrayAttr>(kInterface)) {
    for (auto said : recorded.getAsRange<DictionaryAttr>())
      arguments.push_back({said.getAs<TypeAttr>(kType).getValue(), said});
    return arguments;
  }
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
    arguments.push_back({type, function.getArgAttrDict(number)});
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    if (DictionaryAttr said = function.getResultAttrDict(number); roleIn(said) != Role::None)
      arguments.push_back({type, said});
  return arguments;
}

static std::vector<int64_t> layoutOf(DictionaryAttr said, StringRef which, size_t rank) {
  auto known = said ? said.getAs<DenseI64ArrayAttr>(which) : DenseI64ArrayAttr();
  return known && known.size() == static_cast<int64_t>(rank) ? known.asArrayRef().vec()
                                                             : std::vector<int64_t>(rank, 0);
}

/// Whether a type is an array whose elements lie as a slot has them.
static bool isPlainArray(Type type) {
  if (auto buffer = dyn_cast<MemRefType>(type))
    return buffer.getLayout().isIdentity() && buffer.hasStaticShape();
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

/// Names, and facts of elements.
static void describe(Slot &slot, DictionaryAttr said) {
  slot.role = roleIn(said);
  if (!said)
    return;
  if (auto name = said.getAs<StringAttr>(kName))
    slot.name = name.str();
  if (auto elements = said.getAs<DenseI64ArrayAttr>("lci.elements"))
    slot.elements = elements.asArrayRef().vec();
  if (auto vocabulary = said.getAs<IntegerAttr>("lci.vocabulary"))
    slot.vocabulary = vocabulary.getInt();
}

/// The slot of one argument, from its type and attributes.
static FailureOr<Slot> describe(FunctionOpInterface function, const Argument &argument) {
  Slot slot;
  auto array = dyn_cast<ShapedType>(argument.type);
  auto vector = array ? dyn_cast<VectorType>(array.getElementType()) : VectorType();
  std::optional<ElementKind> kind = kindOf(vector  ? vector.getElementType()
                                           : array ? array.getElementType()
                                                   : argument.type);
  if (!kind || (array && !isPlainArray(argument.type)))
    return function->emitOpError(
               "expected arguments that are numbers, integers or buffers of them, but got ")
           << ErrorId::NotLowered << argument.type;
  slot.kind = *kind;
  slot.components = vector ? vector.getDimSize(0) : 0;
  describe(slot, argument.said);
  if (array) {
    slot.isArray = true;
    slot.low = layoutOf(argument.said, "lci.halo_low", array.getRank());
    slot.high = layoutOf(argument.said, "lci.halo_high", array.getRank());
    for (auto [extent, below, above] : llvm::zip_equal(array.getShape(), slot.low, slot.high))
      slot.extents.push_back(extent - below - above);
    if (llvm::any_of(slot.extents, [](int64_t extent) { return extent < 0; }))
      return function->emitOpError("expected halos that fit into ")
             << ErrorId::NotLowered << argument.type;
  }
  return slot;
}

static FailureOr<CompiledFunction> describe(FunctionOpInterface function) {
  CompiledFunction described;
  described.symbol = function.getName().str();
  for (const Argument &argument : argumentsOf(function)) {
    FailureOr<Slot> slot = describe(function, argument);
    if (failed(slot))
      return failure();
    described.slots.push_back(std::move(*slot));
  }
  if (auto counters = function->getAttrOfType<ArrayAttr>("lci.counters"))
    for (auto counter : counters.getAsRange<StringAttr>())
      described.counters.push_back(counter.str());
  return described;
}

/// The function that runs epochs.
static FunctionOpInterface findRun(ModuleOp module) {
  for (auto function : module.getOps<FunctionOpInterface>())
    if (llvm::any_of(argumentsOf(function),
                     [](const Argument &argument) { return roleIn(argument.said) == Role::First; }))
      return function;
  module.emitError("expected a function with an argument of the role 'first'")
      << ErrorId::NotLowered;
  return nullptr;
}

FailureOr<CompiledFunctions> mlir::lci::describeFunctions(ModuleOp module) {
  FunctionOpInterface run = findRun(module);
  if (!run)
    return failure();
  CompiledFunctions functions;
  FailureOr<CompiledFunction> described = describe(run);
  if (failed(described))
    return failure();
  functions.run = std::move(*described);
  for (auto [suffix, place] : ::lci::kFunctionsBeside) {
    auto found = module.lookupSymbol<FunctionOpInterface>((run.getName() + suffix).str());
    if (!found)
      continue;
    described = describe(found);
    if (failed(described))
      return failure();
    functions.*place = std::move(*described);
  }
  return functions;
}

void mlir::lci::forEachFunction(CompiledFunctions &functions,
                                llvm::function_ref<void(CompiledFunction &)> visit) {
  visit(functions.run);
  for (auto [suffix, place] : ::lci::kFunctionsBeside)
    if (functions.*place)
      visit(*(functions.*place));
}

LogicalResult mlir::lci::notCompiled(ModuleOp module, llvm::Error error) {
  return emitError(module.getLoc(), "cannot be compiled for this machine: ")
         << ErrorId::WrongMachine << llvm::toString(std::move(error));
}
