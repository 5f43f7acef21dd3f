//===- RecordInterface.cpp - Record the arguments of functions -----------===//
//
// The conversion to the llvm dialect makes a pointer of every buffer, and LLVM IR has no attributes
// of this dialect on arguments. Callers need both, so they are recorded on the function before.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/ArgumentRoles.h"
#include "LCI/Transforms/Bufferize/Passes.h"

namespace mlir::lci {
#define GEN_PASS_DEF_RECORDINTERFACEPASS
#include "LCI/Transforms/Bufferize/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// An argument's attributes of this dialect, and its type.
static Attribute describe(func::FuncOp function, unsigned argument) {
  NamedAttrList said;
  DictionaryAttr attributes = function.getArgAttrDict(argument);
  for (NamedAttribute attribute : attributes ? attributes.getValue() : ArrayRef<NamedAttribute>())
    if (attribute.getName().getValue().starts_with("lci."))
      said.push_back(attribute);
  said.set(kType, TypeAttr::get(function.getArgumentTypes()[argument]));
  return said.getDictionary(function.getContext());
}

namespace {
struct RecordInterface : mlir::lci::impl::RecordInterfacePassBase<RecordInterface> {
  using RecordInterfacePassBase::RecordInterfacePassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto numbers = llvm::seq(function.getNumArguments());
    if (llvm::none_of(numbers, [&](unsigned i) { return roleOf(function, i) != Role::None; }))
      return;
    SmallVector<Attribute> arguments = llvm::map_to_vector(
        numbers, [&](unsigned argument) { return describe(function, argument); });
    function->setAttr(kInterface, ArrayAttr::get(&getContext(), arguments));
  }
};
} // namespace
