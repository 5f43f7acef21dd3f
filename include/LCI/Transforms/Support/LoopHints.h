//===- LoopHints.h - Loop attributes for later passes and LLVM --*- C++ -*-===//
//
// Loop annotations that keep LLVM from vectorizing or unrolling a loop, and the
// attribute by which parallel loops choose the shape of their thread blocks.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_TRANSFORMS_SUPPORT_LOOPHINTS_H
#define LCI_TRANSFORMS_SUPPORT_LOOPHINTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::lci {

/// The attribute of an `scf` loop that holds its LLVM annotation; StripInterface handles it.
inline constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

/// The attribute of a parallel loop with the number of a block's threads along its last axis; the
/// other threads lie along the axis before it.
inline constexpr llvm::StringLiteral kRowThreads = "lci.row_threads";

/// Threads of a GPU that execute in lockstep.
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
