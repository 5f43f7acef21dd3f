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

static std::vector<int64_t> layoutOf(func::FuncOp function, unsigned number, StringRef which,
                                     size_t rank) {
  auto known = function.getArgAttrOfType<DenseI64ArrayAttr>(number, which);
  return known ? known.asArrayRef().vec() : std::vector<int64_t>(rank, 0);
}

/// The slot of one argument, from its type and attributes.
static FailureOr<Slot> describe(func::FuncOp function, unsigned number) {
  Slot slot;
  Type type = function.getArgument(number).getType();
  auto buffer = dyn_cast<MemRefType>(type);
  auto vector = buffer ? dyn_cast<VectorType>(buffer.getElementType()) : VectorType();
  std::optional<ElementKind> kind = kindOf(vector   ? vector.getElementType()
                                           : buffer ? buffer.getElementType()
                                                    : type);
  if (!kind || (buffer && !buffer.getLayout().isIdentity()))
    return function.emitOpError("expected arguments that are numbers, integers or buffers of them, "
                                "but got ")
           << ErrorId::NotLowered << type;
  slot.kind = *kind;
  slot.components = vector ? vector.getDimSize(0) : 0;
  slot.role = roleOf(function, number);
  slot.name = nameOf(function, number).str();
  if (auto elements = function.getArgAttrOfType<DenseI64ArrayAttr>(number, "lci.elements"))
    slot.elements = elements.asArrayRef().vec();
  if (auto vocabulary = function.getArgAttrOfType<IntegerAttr>(number, "lci.vocabulary"))
    slot.vocabulary = vocabulary.getInt();
  if (buffer) {
    slot.isArray = true;
    slot.low = layoutOf(function, number, "lci.halo_low", buffer.getRank());
    slot.high = layoutOf(function, number, "lci.halo_high", buffer.getRank());
    for (auto [extent, below, above] : llvm::zip_equal(buffer.getShape(), slot.low, slot.high))
      slot.extents.push_back(extent - below - above);
    slot.allocate();
  }
  return slot;
}

static FailureOr<CompiledFunction> describe(func::FuncOp function) {
  CompiledFunction described;
  described.symbol = function.getName().str();
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    FailureOr<Slot> slot = describe(function, i);
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
static func::FuncOp findRun(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (roleOf(function, i) == Role::First)
        return function;
  module.emitError("expected a function with an argument of the role 'first'")
      << ErrorId::NotLowered;
  return nullptr;
}

FailureOr<CompiledFunctions> mlir::lci::describeFunctions(ModuleOp module) {
  func::FuncOp run = findRun(module);
  if (!run)
    return failure();
  CompiledFunctions functions;
  FailureOr<CompiledFunction> described = describe(run);
  if (failed(described))
    return failure();
  functions.run = std::move(*described);
  for (auto [suffix, place] : ::lci::kFunctionsBeside) {
    auto found = module.lookupSymbol<func::FuncOp>((run.getName() + suffix).str());
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
