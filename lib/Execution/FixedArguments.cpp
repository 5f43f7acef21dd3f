//===- FixedArguments.cpp - Mark the constant arguments of a run ----------===//
#include "LCI/Execution/FixedArguments.h"
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Runtime/Switches.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::lci;
using ::lci::Array;
using ::lci::RunArguments;

/// Larger arrays are better loaded than compiled in.
static constexpr int64_t kMaxElements = 64;

/// An element of an array, in the type of the program.
static TypedAttr elementOf(Type type, const Array &array, int64_t i) {
  if (type.isF32())
    return FloatAttr::get(type, APFloat(static_cast<float>(array.doubleAt(i))));
  auto value = static_cast<uint64_t>(array.intAt(i));
  return IntegerAttr::get(type, APInt(64, value).trunc(type.getIntOrFloatBitWidth()));
}

/// An array as a constant of an argument's type; null where it has another shape, or is too large.
static TypedAttr constantOf(Type type, const Array &array) {
  if (type.isF32() || type.isInteger())
    return array.size() == 1 ? elementOf(type, array, 0) : nullptr;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getNumElements() > kMaxElements ||
      tensor.getShape() != ArrayRef(array.shape()))
    return nullptr;
  SmallVector<Attribute> elements;
  for (int64_t i = 0; i < array.size(); ++i)
    elements.push_back(elementOf(tensor.getElementType(), array, i));
  return DenseElementsAttr::get(tensor, elements);
}

static TypedAttr findFixed(Role role, StringRef name, Type type, const RunArguments &arguments) {
  if (role == Role::Enable)
    return BoolAttr::get(type.getContext(), ::lci::isOn(arguments.enables, name.str()));
  if (role != Role::Param && role != Role::Palette)
    return nullptr;
  const auto &given = role == Role::Param ? arguments.params : arguments.palettes;
  auto found = given.find(name.str());
  return found == given.end() ? nullptr : constantOf(type, found->second);
}

void mlir::lci::specializeArguments(ModuleOp ticks, const RunArguments &arguments, bool switches) {
  ticks.walk([&](func::FuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      Role role = roleOf(function, i);
      if (role == Role::Enable && !switches)
        continue;
      Type type = function.getArgumentTypes()[i];
      if (TypedAttr value = findFixed(role, nameOf(function, i), type, arguments))
        function.setArgAttr(i, kFixed, value);
    }
  });
}
