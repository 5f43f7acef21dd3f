//===- LoopHints.h - What LLVM is not to do with a loop ---------*- C++ -*-===//

#ifndef LCI_LIB_TRANSFORMS_LOOPHINTS_H
#define LCI_LIB_TRANSFORMS_LOOPHINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::lci {

/// The attribute of a loop of `scf` under which StripInterface looks for them.
inline constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

struct LoopHints {
  bool noVectors = false, noUnrolling = false;

  LLVM::LoopAnnotationAttr get(MLIRContext *context) const {
    auto yes = BoolAttr::get(context, true);
    LLVM::LoopVectorizeAttr vectors;
    if (noVectors)
      vectors = LLVM::LoopVectorizeAttr::get(context, yes, {}, {}, {}, {}, {}, {});
    LLVM::LoopUnrollAttr unrolling;
    if (noUnrolling)
      unrolling = LLVM::LoopUnrollAttr::get(context, yes, {}, {}, {}, {}, {}, {});
    return LLVM::LoopAnnotationAttr::get(context, {}, vectors, {}, unrolling, {}, {}, {}, {}, {},
                                         {}, {}, {}, {}, {}, {});
  }
};

} // namespace mlir::lci

#endif // LCI_LIB_TRANSFORMS_LOOPHINTS_H
