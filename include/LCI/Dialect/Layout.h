//===- Layout.h - Addresses of words in a bit-sliced array ------*- C++ -*-===//
//
// The arithmetic of `#lci.layout`: which cells are contiguous, how many words they and their halo
// take, and which arrays hold them.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_LAYOUT_H
#define LCI_DIALECT_LAYOUT_H

#include "LCI/Dialect/LCIDialect.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::lci {

/// Cells in a word.
inline constexpr int64_t kWordBits = 64;
/// The halo at either end of a row of planes, at most: its words are copied one by one, and LLVM
/// takes half a minute for five times as many.
inline constexpr int64_t kMaxPlaneHalo = 4096;

/// The cells on the last axis whose index has the remainder `residue` modulo the split: cell number
/// j of them has the index j * split + residue.
struct SubRow {
  int64_t residue;
  int64_t count; ///< cells of the array
  int64_t low;   ///< cells of the halo before the first one
  int64_t high;  ///< and after the last one

  /// Words before the one that starts with cell number 0.
  int64_t wordsBelow() const;
  int64_t numWords() const;
};

/// The part of a layout's rows with this residue.
SubRow subRowOf(LayoutAttr layout, int64_t residue);

/// The arrays that hold a bit-sliced one: for each residue one for each bit.
SmallVector<MemRefType> planeTypes(LayoutAttr layout);

/// The layout of an array, null if its cells are in row-major order.
LayoutAttr layoutOf(Type type);

/// The arrangement requested for an argument's cells (`lci.arrangement`), if there is one.
std::optional<Arrangement> requestedArrangement(BlockArgument array);

} // namespace mlir::lci

#endif // LCI_DIALECT_LAYOUT_H
