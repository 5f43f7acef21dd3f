//===- LaneScope.h - Where lanes may have another order ---------*- C++ -*-===//
//
// A block in which vectors with so many lanes are made and used. Their order is known by type:
// numbers of 32 bits and more have that of words, bytes that of bytes. Truths have that of what
// they were made from, and are the only ones for which it is kept.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_INTERLEAVELANES_LANESCOPE_H
#define LCI_LIB_TRANSFORMS_CPU_INTERLEAVELANES_LANESCOPE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lci::interleave {

/// What is to be done in a block.
class LaneScope {
public:
  LaneScope(Block &block, int64_t numLanes);

  /// Blocks inside that share no such vectors with this one, and are scopes of their own.
  ArrayRef<Block *> getInner() const { return inner; }

  /// Whether every operation on numbers may be done in the order of words, and that saves some.
  bool isWorthwhile() const { return isFit && gain > 0; }

  SmallVector<OpOperand *> constants;   ///< numbers and truths that differ
  SmallVector<Operation *> sources;     ///< numbers made in the order of bytes
  SmallVector<Operation *> unpacks;     ///< numbers of bytes
  SmallVector<Operation *> packs;       ///< bytes of numbers
  SmallVector<arith::SelectOp> choices; ///< bytes, by truths in the order of words
  SmallVector<OpOperand *> toWords;     ///< truths that are needed in the order of words
  SmallVector<OpOperand *> toBytes;     ///< and in that of bytes

private:
  bool isNumber(Type type) const; ///< of 32 bits or more, in as many lanes
  bool isByte(Type type) const;
  bool isTruth(Type type) const;
  /// Whether a truth has the order of words.
  bool hasWordOrder(Value truth) const { return truths.contains(truth); }

  bool needsTurn(OpOperand &operand, bool inWords) const;
  void take(OpOperand &truth, bool inWords);
  bool isClosed(Block &block) const;
  void visit(Block &block);
  void visit(Operation *op);
  void visitNumbers(Operation *op);
  void visitElementwise(Operation *op);
  void visitTruths(Operation *op);
  void weigh();

  int64_t numLanes;
  bool isFit = true;
  int64_t gain = 0; ///< machine operations, roughly
  SmallVector<Block *> inner;
  llvm::DenseSet<Value> truths; ///< in the order of words
};

} // namespace mlir::lci::interleave

#endif // LCI_LIB_TRANSFORMS_CPU_INTERLEAVELANES_LANESCOPE_H
