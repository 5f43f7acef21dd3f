//===- LaneScope.h - Analysis of reorderable lanes --------------*- C++ -*-===//
//
// A block that creates and uses vectors with so many lanes. Their order is known by type: numbers
// of 32 bits and more have that of words, bytes that of bytes. Masks have the order of the vectors
// from which they were computed, and are the only ones for which it is tracked.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_PERMUTELANES_LANESCOPE_H
#define LCI_LIB_TRANSFORMS_CPU_PERMUTELANES_LANESCOPE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lci::permutelanes {

/// The operations of a block to be rewritten.
class LaneScope {
public:
  LaneScope(Block &block, int64_t numLanes);

  /// Nested blocks that share no such vectors with this one, and are separate scopes.
  ArrayRef<Block *> getInner() const { return inner; }

  /// Whether every operation on numbers allows the order of words, and that saves operations.
  bool isWorthwhile() const { return isFit && gain > 0; }

  SmallVector<OpOperand *> constants;   ///< numbers and masks whose lanes differ
  SmallVector<Operation *> sources;     ///< numbers created in the order of bytes
  SmallVector<Operation *> unpacks;     ///< from bytes to numbers
  SmallVector<Operation *> packs;       ///< from numbers to bytes
  SmallVector<arith::SelectOp> choices; ///< of bytes, by masks in the order of words
  SmallVector<OpOperand *> toWords;     ///< masks required in the order of words
  SmallVector<OpOperand *> toBytes;     ///< masks required in the order of bytes

private:
  bool isNumber(Type type) const; ///< of 32 bits or more, in as many lanes
  bool isByte(Type type) const;
  bool isMask(Type type) const;
  /// Whether a mask has the order of words.
  bool hasWordOrder(Value mask) const { return masks.contains(mask); }

  bool needsPermutation(OpOperand &operand, bool inWords) const;
  void take(OpOperand &mask, bool inWords);
  bool isClosed(Block &block) const;
  void visit(Block &block);
  void visit(Operation *op);
  void visitNumbers(Operation *op);
  void visitElementwise(Operation *op);
  void visitMasks(Operation *op);
  void weigh();

  int64_t numLanes;
  bool isFit = true;
  int64_t gain = 0; ///< machine operations, roughly
  SmallVector<Block *> inner;
  llvm::DenseSet<Value> masks; ///< in the order of words
};

} // namespace mlir::lci::permutelanes

#endif // LCI_LIB_TRANSFORMS_CPU_PERMUTELANES_LANESCOPE_H
