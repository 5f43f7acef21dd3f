//===- BufferFacts.h - Counters and memory of one's own ---------*- C++ -*-===//

#ifndef LCI_TRANSFORMS_SUPPORT_BUFFERFACTS_H
#define LCI_TRANSFORMS_SUPPORT_BUFFERFACTS_H

#include "LCI/Transforms/Support/Thresholds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::lci {

/// The additions by which a body adds to a counter; nothing if it does anything else with it.
inline std::optional<SmallVector<arith::AddIOp>> getAdditions(BlockArgument counter, Value sum) {
  SmallVector<arith::AddIOp> additions;
  while (sum != counter) {
    auto addition = sum.getDefiningOp<arith::AddIOp>();
    if (!addition || !sum.hasOneUse())
      return std::nullopt;
    additions.push_back(addition);
    sum = addition.getLhs();
  }
  return counter.hasOneUse() ? std::optional(additions) : std::nullopt;
}

/// Whether an operation computes and does nothing else, in one piece.
inline bool isPlain(Operation *op) { return isPure(op) && op->getNumRegions() == 0; }

/// Whether an operation adds to a whole number in memory, and nobody looks at what it was.
inline bool isAddition(Operation *op) {
  auto add = dyn_cast<memref::AtomicRMWOp>(op);
  return add && add.getKind() == arith::AtomicRMWKind::addi && add->use_empty();
}

/// The buffer that a view, or a view of a view, is a part of.
inline Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Whether an argument of a function is memory that has no other name.
inline bool isOwnArgument(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  return function &&
         function.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getNoAliasAttrName());
}

} // namespace mlir::lci

#endif // LCI_TRANSFORMS_SUPPORT_BUFFERFACTS_H
