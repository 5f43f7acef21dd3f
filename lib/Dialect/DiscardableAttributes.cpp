//===- DiscardableAttributes.cpp - What the dialect says of others' ops ---===//
//
// Attributes by which levels of the ladder tell each other of arguments, functions and loops that
// are upstream's. Whoever writes IR by hand may write them too, so their types are checked once,
// here; who reads them need not.
//
//===----------------------------------------------------------------------===//
#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Dialect/LCIOps.h"
#include "VerifierUtils.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// What an attribute must be, and its name in words.
struct Form {
  const char *text;
  bool (*fits)(Attribute);
};
} // namespace

template <typename Kind>
static bool is(Attribute attribute) {
  return isa<Kind>(attribute);
}

static bool areTexts(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && llvm::all_of(list, llvm::IsaPred<StringAttr>);
}

static bool areExtents(Attribute attribute) {
  auto list = dyn_cast<DenseI64ArrayAttr>(attribute);
  return list && llvm::all_of(list.asArrayRef(), [](int64_t extent) { return extent >= 0; });
}

static bool isCount(Attribute attribute) {
  auto number = dyn_cast<IntegerAttr>(attribute);
  return number && number.getType().isInteger(64) && number.getInt() >= 0;
}

static constexpr Form kNumber = {"a number or an array of numbers with its type", is<TypedAttr>};
static constexpr Form kText = {"a string", is<StringAttr>};
static constexpr Form kTexts = {"a list of strings", areTexts};
static constexpr Form kIntegers = {"an array of i64", is<DenseI64ArrayAttr>};
static constexpr Form kExtents = {"an array of i64 that are not negative", areExtents};
static constexpr Form kCount = {"an i64 that is not negative", isCount};

static const Form *formOf(StringRef name) {
  return llvm::StringSwitch<const Form *>(name)
      .Cases({"lci.role", "lci.name", "lci.weight", "lci.events"}, &kText)
      .Cases({"lci.counters", "lci.names"}, &kTexts)
      .Case("lci.elements", &kIntegers)
      .Cases({"lci.extents", "lci.halo_low", "lci.halo_high"}, &kExtents)
      .Case("lci.vocabulary", &kCount)
      .Case(kFixed, &kNumber)
      .Default(nullptr);
}

LogicalResult mlir::lci::verifyDiscardable(Operation *op, NamedAttribute attribute) {
  const Form *form = formOf(attribute.getName());
  if (!form || form->fits(attribute.getValue()))
    return success();
  return op->emitOpError("expected '")
         << ErrorId::InvalidAttribute << attribute.getName().getValue() << "' to be " << form->text
         << ", but got " << attribute.getValue();
}
