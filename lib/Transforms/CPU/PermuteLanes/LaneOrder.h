//===- LaneOrder.h - Lanes in the order of bytes in words -------*- C++ -*-===//
//
// In the order of bytes the lanes of a vector follow each other as cells do. In that of words the
// first quarter of them are the cells whose bytes are the lowest ones of words of four, and so on:
// what takes bytes apart into numbers of 32 bits are shifts then, and no lane crosses a register.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_INTERLEAVELANES_LANEORDER_H
#define LCI_LIB_TRANSFORMS_CPU_INTERLEAVELANES_LANEORDER_H

#include "mlir/IR/Builders.h"

namespace mlir::lci::interleave {

/// Bytes of a word.
inline constexpr int64_t kBytes = 4;

/// Which cell each lane has in the order of words.
SmallVector<int64_t> getWordOrder(int64_t numLanes);

/// Constants and what was shuffled, in the order of words.
class WordOrder {
public:
  WordOrder(OpBuilder &b, Location loc) : b(b), loc(loc) {}
  /// The same numbers in the order of words.
  Value permute(Value value);

private:
  Value permuteShuffled(Value value);
  Value permuteWordsOfBytes(Value value);

  OpBuilder &b;
  Location loc;
};

/// Bytes as numbers of 32 bits in the order of words.
Value unpackBytes(OpBuilder &b, Location loc, Value bytes, bool isSigned);
/// Numbers of 32 bits in the order of words, of which the lowest byte counts, as bytes.
Value packBytes(OpBuilder &b, Location loc, Value numbers);

} // namespace mlir::lci::interleave

#endif // LCI_LIB_TRANSFORMS_CPU_INTERLEAVELANES_LANEORDER_H
