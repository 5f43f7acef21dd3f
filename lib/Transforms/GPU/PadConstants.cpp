//===- PadConstants.cpp - Widen the elements of constant arrays -----------===//
//
// Loads step over elements by their size in memory, 8 bytes for an i48, but LLVM's printer of PTX
// writes the 6 that such an element fills, one behind the other. Widened elements leave nothing to
// pad: what a load takes of the lower bytes is the same.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/ElementSize.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::lci {
#define GEN_PASS_DEF_PADCONSTANTSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The type with integers that fill their bytes in memory.
static Type padded(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return LLVM::LLVMArrayType::get(padded(array.getElementType()), array.getNumElements());
  auto integer = dyn_cast<IntegerType>(type);
  bool isOdd = integer && integer.getWidth() > 8;
  return isOdd ? IntegerType::get(type.getContext(), 8 * bytesOfElement(type)) : type;
}

/// The same elements, zero-extended.
static Attribute padded(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    Type wide = padded(integer.getType());
    return IntegerAttr::get(wide, integer.getValue().zext(wide.getIntOrFloatBitWidth()));
  }
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || !elements.getElementType().isInteger())
    return value;
  Type wide = padded(elements.getElementType());
  return elements.mapValues(
      wide, [&](const APInt &element) { return element.zext(wide.getIntOrFloatBitWidth()); });
}

namespace {
struct PadConstants : mlir::lci::impl::PadConstantsPassBase<PadConstants> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      Type wide = padded(global.getType());
      if (wide == global.getType() || !global.getValueOrNull())
        continue;
      global.setGlobalType(wide);
      global.setValueAttr(padded(global.getValueOrNull()));
      ++numPadded;
    }
  }
};
} // namespace
