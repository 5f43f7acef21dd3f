//===- LaneOrder.h - Lanes in the order of bytes in words -------*- C++ -*-===//
//
// In the order of bytes the lanes of a vector are consecutive cells. In that of words the first
// quarter of them are the cells whose bytes are the lowest ones of words of four, and so on: bytes
// are then unpacked into numbers of 32 bits by shifts, and no lane crosses a register.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_CPU_PERMUTELANES_LANEORDER_H
#define LCI_LIB_TRANSFORMS_CPU_PERMUTELANES_LANEORDER_H

#include "mlir/IR/Builders.h"

namespace mlir::lci::permutelanes {

/// Bytes of a word.
inline constexpr int64_t kBytes = 4;

/// The cell of each lane in the order of words.
SmallVector<int64_t> getWordOrder(int64_t numLanes);

/// Conversion of constants and shuffled vectors to the order of words.
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
/// The lowest bytes of numbers of 32 bits in the order of words, as bytes in their order.
Value packBytes(OpBuilder &b, Location loc, Value numbers);

} // namespace mlir::lci::permutelanes

#endif // LCI_LIB_TRANSFORMS_CPU_PERMUTELANES_LANEORDER_H
