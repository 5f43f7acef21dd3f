//===- DiscardableAttributes.cpp - Attributes on other dialects' ops ------===//
//
// Attributes by which levels of the ladder pass facts about arguments, functions and loops of
// upstream dialects. Hand-written IR may contain them too, so their forms and positions are
// verified here once, by one table; their readers need not check.
//===----------------------------------------------------------------------===//
#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Dialect/LCIOps.h"
#include "VerifierUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Positions of the dialect's attributes.
enum Place {
  Argument = 1,
  Result = 2,
  Function = 4,
  ParallelLoop = 8,
  Declaration = 16,
  Other = 32,
  Module = 64
};

/// An attribute of the dialect: its value, also in words, given the argument's type; its positions.
struct Form {
  const char *name;
  const char *text;
  bool (*fits)(Attribute, Type);
  unsigned places;
  const char *where;
};

} // namespace

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

template <typename... Kinds>
static bool is(Attribute attribute, Type) {
  return isa<Kinds...>(attribute);
}

static bool areTexts(Attribute attribute, Type) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && llvm::all_of(list, llvm::IsaPred<StringAttr>);
}

static bool areArguments(Attribute attribute, Type) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && llvm::all_of(list, [](Attribute argument) {
           auto said = dyn_cast<DictionaryAttr>(argument);
           return said && said.getAs<TypeAttr>(kType);
         });
}

static bool areComments(Attribute attribute, Type) {
  return isa<DictionaryAttr, ArrayAttr>(attribute);
}

/// What a schedule was found for.
static bool isOrigin(Attribute attribute, Type) {
  auto parts = dyn_cast<DictionaryAttr>(attribute);
  return parts && llvm::all_of(kFoundForParts,
                               [&](StringRef part) { return parts.getAs<StringAttr>(part); });
}

static bool areExtents(Attribute attribute, Type type) {
  auto list = dyn_cast<DenseI64ArrayAttr>(attribute);
  auto array = dyn_cast_or_null<ShapedType>(type);
  return list && (!array || !array.hasRank() || array.getRank() == list.size()) &&
         llvm::all_of(list.asArrayRef(), [](int64_t extent) { return extent >= 0; });
}

static bool areElements(Attribute attribute, Type type) {
  auto list = dyn_cast<DenseI64ArrayAttr>(attribute);
  auto array = dyn_cast_or_null<ShapedType>(type);
  return list && (!array || !array.hasStaticShape() || array.getNumElements() == list.size());
}

static std::optional<int64_t> getI64(Attribute attribute) {
  auto number = dyn_cast<IntegerAttr>(attribute);
  return number && number.getType().isInteger(64) ? std::optional(number.getInt()) : std::nullopt;
}

static bool isCount(Attribute attribute, Type) {
  std::optional<int64_t> number = getI64(attribute);
  return number && *number >= 0 && *number < kNumberLimit;
}

static bool isPositive(Attribute attribute, Type) {
  std::optional<int64_t> number = getI64(attribute);
  return number && *number > 0;
}

static constexpr const char *kOnArguments = "an argument or a result of a function";

static constexpr Form kForms[] = {
    {kRole.data(), "a string", is<StringAttr>, Argument | Result, kOnArguments},
    {kName.data(), "a string", is<StringAttr>, Argument | Result | Other | ParallelLoop,
     "an argument or a result of a function, or an operation that stands for a tick"},
    {"lci.vocabulary", "an i64 that is not negative and less than 2^60", isCount, Argument | Result,
     kOnArguments},
    {"lci.may_be_absent", "a unit", is<UnitAttr>, Argument | Result, kOnArguments},
    {"lci.elements", "an array of i64, as many as its array has elements", areElements, Argument,
     "an argument of a function"},
    {"lci.extents", "an array of i64 that are not negative, one for each axis", areExtents,
     Argument | Result, kOnArguments},
    {"lci.halo_low", "an array of i64 that are not negative, one for each axis", areExtents,
     Argument | Result, kOnArguments},
    {"lci.halo_high", "an array of i64 that are not negative, one for each axis", areExtents,
     Argument | Result, kOnArguments},
    {"lci.weight", "a string", is<StringAttr>, Argument, "an argument of a function"},
    {"lci.fixed", "a number or an array of numbers with its type", is<TypedAttr>, Argument,
     "an argument of a function"},
    {"lci.counters", "a list of strings", areTexts, Function, "a function"},
    {kInterface.data(), "a list of dictionaries, each with a type", areArguments, Function,
     "a function"},
    {"lci.row_threads", "an i64 that is positive", isPositive, ParallelLoop, "a parallel loop"},
    {"lci.strips", "a unit", is<UnitAttr>, Other, "a loop"},
    {kTarget.data(), "#lci.cpu or #lci.gpu", is<CPUTargetAttr, GPUTargetAttr>, Module, "a module"},
    {kFoundFor.data(), "a dictionary of the texts 'program', 'target' and 'sizes'", isOrigin,
     Module, "a module"},
    {"lci.events", "a string", is<StringAttr>, Declaration, "an operation of a program"},
    {"lci.names", "a list of strings", areTexts, Declaration, "an operation of a program"},
    {"lci.comments", "a dictionary or a list of strings", areComments, Declaration,
     "an operation of a program"},
    {"lci.optional", "a unit", is<UnitAttr>, Declaration, "an operation of a program"},
    {"lci.required", "a text and a location", is<ArrayAttr>, Declaration,
     "an operation of a program"},
};

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// What an argument with a role is, for a message.
static StringRef textOf(::lci::RoleForm form) {
  switch (form) {
  case ::lci::RoleForm::Array:
    return "an array";
  case ::lci::RoleForm::Integer:
    return "an i64";
  case ::lci::RoleForm::Flag:
    return "an i1";
  case ::lci::RoleForm::Any:
    return "anything";
  }
  llvm_unreachable("a form of a role");
}

static bool fits(::lci::RoleForm form, Type type) {
  return form == ::lci::RoleForm::Any ||
         (form == ::lci::RoleForm::Array && !type.isIntOrIndexOrFloat()) ||
         (form == ::lci::RoleForm::Integer && type.isInteger(64)) ||
         (form == ::lci::RoleForm::Flag && type.isInteger(1));
}

static LogicalResult verifyRole(Operation *op, StringRef word, Type type) {
  std::optional<Role> role = ::lci::findRole(word);
  if (!role || role == Role::None) {
    SmallVector<StringRef> words = llvm::map_to_vector(
        ::lci::kRoles, [](const ::lci::RoleEntry &known) { return StringRef(known.word); });
    return op->emitOpError("expected 'lci.role' to be one of ")
           << ErrorId::InvalidAttribute << llvm::join(words, ", ") << ", but got '" << word << "'";
  }
  ::lci::RoleForm form = ::lci::roleForm(*role);
  if (!type || fits(form, type))
    return success();
  return op->emitOpError("expected ") << ErrorId::InvalidTypes << textOf(form) << " with the role '"
                                      << word << "', but got " << type;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

static Place placeOf(Operation *op) {
  if (isa<FunctionOpInterface>(op))
    return Function;
  if (isa<scf::ParallelOp, scf::ForallOp>(op))
    return ParallelLoop;
  if (isa<ModuleOp>(op))
    return Module;
  return op->getParentOfType<ProgramOp>() || isa<ProgramOp>(op) ? Declaration : Other;
}

static LogicalResult verifyAttribute(Operation *op, NamedAttribute attribute, Place place,
                                     Type type) {
  StringRef name = attribute.getName();
  if (name == kArrangement)
    return success();
  const Form *form = llvm::find_if(kForms, [&](const Form &known) { return name == known.name; });
  if (form == std::end(kForms))
    return op->emitOpError("has an attribute '")
           << ErrorId::InvalidAttribute << name << "' that the dialect does not know";
  if (!(form->places & place))
    return op->emitOpError("expected '")
           << ErrorId::InvalidAttribute << name << "' on " << form->where;
  if (!form->fits(attribute.getValue(), type))
    return op->emitOpError("expected '") << ErrorId::InvalidAttribute << name << "' to be "
                                         << form->text << ", but got " << attribute.getValue();
  if (name == kRole)
    return verifyRole(op, cast<StringAttr>(attribute.getValue()).getValue(), type);
  return success();
}

LogicalResult mlir::lci::verifyStorage(Operation *op, unsigned argument, NamedAttribute attribute,
                                       Type type) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto buffer = dyn_cast_or_null<MemRefType>(type);
  auto cells = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  if (attribute.getName() != "lci.extents" || !function || !buffer || !cells)
    return success();
  auto width = [&](StringRef name, int64_t axis) -> int64_t {
    auto widths = function.getArgAttrOfType<DenseI64ArrayAttr>(argument, name);
    return widths && axis < widths.size() ? widths[axis] : 0;
  };
  for (int64_t axis = 0; axis < buffer.getRank(); ++axis) {
    std::optional<int64_t> halo =
        llvm::checkedAdd(width("lci.halo_low", axis), width("lci.halo_high", axis));
    std::optional<int64_t> all = halo ? llvm::checkedAdd(*halo, cells[axis]) : std::nullopt;
    if (!buffer.isDynamicDim(axis) && !(all && *all <= buffer.getDimSize(axis)))
      return op->emitOpError("expected storage for ")
             << ErrorId::InvalidAttribute << cells << " and its halo, but got " << type;
  }
  return success();
}

LogicalResult mlir::lci::verifyDiscardable(Operation *op, NamedAttribute attribute) {
  return verifyAttribute(op, attribute, placeOf(op), Type());
}

LogicalResult mlir::lci::verifyDiscardable(Operation *op, NamedAttribute attribute, Type type,
                                           bool isResult) {
  return verifyAttribute(op, attribute, isResult ? Result : Argument, type);
}
