//===- StripInterface.cpp - Drop attributes that LLVM IR cannot represent -===//
//
// The last step before LLVM IR. Its translation warns about each attribute that it does not know,
// reads loop annotations from the branch only, and takes a function for visible to other modules
// unless its linkage says otherwise.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Bufferize/Passes.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_STRIPINTERFACEPASS
#include "LCI/Transforms/Bufferize/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

static bool isOurs(NamedAttribute attribute) {
  return attribute.getName().getValue().starts_with("lci.");
}

/// All arguments or results at once: each single change would copy the whole array of attributes.
static SmallVector<Attribute> dropOurs(ArrayAttr all, MLIRContext *context) {
  return llvm::map_to_vector(all, [&](Attribute said) -> Attribute {
    NamedAttrList kept;
    for (NamedAttribute attribute : cast<DictionaryAttr>(said))
      if (!isOurs(attribute))
        kept.push_back(attribute);
    return kept.getDictionary(context);
  });
}

/// Upstream's conversion keeps a loop's annotation on the branch, but under another name.
static void adoptAnnotation(LLVM::BrOp branch) {
  if (auto said = dyn_cast_or_null<LLVM::LoopAnnotationAttr>(
          branch->removeDiscardableAttr(kLoopAnnotation)))
    branch.setLoopAnnotationAttr(said);
}

/// Upstream's conversion leaves external linkage to private functions: LLVM then has to keep each
/// for callers elsewhere, and upstream's JIT makes a wrapper for each of them.
static void hide(LLVM::LLVMFuncOp function) {
  if (function.isPrivate() && !function.isExternal())
    function.setLinkage(LLVM::Linkage::Internal);
}

namespace {
struct StripInterface : mlir::lci::impl::StripInterfacePassBase<StripInterface> {
  using StripInterfacePassBase::StripInterfacePassBase;

  void runOnOperation() override {
    getOperation().walk(adoptAnnotation);
    getOperation().walk(hide);
    getOperation()->removeDiscardableAttr(kTarget);
    getOperation().walk([](FunctionOpInterface function) {
      if (ArrayAttr said = function.getArgAttrsAttr())
        function.setAllArgAttrs(dropOurs(said, function.getContext()));
      if (ArrayAttr said = function.getResAttrsAttr())
        function.setAllResultAttrs(dropOurs(said, function.getContext()));
    });
  }
};
} // namespace
