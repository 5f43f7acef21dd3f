//===- StripInterface.cpp - Forget what arguments mean --------------------===//
//
// The last step before LLVM IR, which has no place for it and warns about each attribute.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_STRIPINTERFACEPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static bool isOurs(NamedAttribute attribute) {
  return attribute.getName().getValue().starts_with("lci.");
}

namespace {
struct StripInterface : lci::impl::StripInterfacePassBase<StripInterface> {
  using StripInterfacePassBase::StripInterfacePassBase;

  void runOnOperation() override {
    getOperation().walk([](FunctionOpInterface function) {
      for (NamedAttribute attribute : llvm::to_vector(function->getDiscardableAttrs()))
        if (isOurs(attribute))
          function->removeDiscardableAttr(attribute.getName());
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        for (NamedAttribute attribute : llvm::to_vector(function.getArgAttrs(i)))
          if (isOurs(attribute))
            function.removeArgAttr(i, attribute.getName());
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        for (NamedAttribute attribute : llvm::to_vector(function.getResultAttrs(i)))
          if (isOurs(attribute))
            function.removeResultAttr(i, attribute.getName());
    });
  }
};
} // namespace
