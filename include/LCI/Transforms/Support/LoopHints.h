//===- LoopHints.h - What others are to know of a loop -----------*- C++ -*===//

#ifndef LCI_TRANSFORMS_SUPPORT_LOOPHINTS_H
#define LCI_TRANSFORMS_SUPPORT_LOOPHINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::lci {

/// The attribute of a loop of `scf` under which StripInterface looks for them.
inline constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

/// The attribute of a parallel loop that says how many threads of a block follow its last axis; the
/// others follow the axis before.
inline constexpr llvm::StringLiteral kRowThreads = "lci.row_threads";

/// Threads of a GPU that run together.
inline constexpr int64_t kWarp = 32;

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

#endif // LCI_TRANSFORMS_SUPPORT_LOOPHINTS_H
