//===- Layout.h - Where the words of a bit-sliced array are -----*- C++ -*-===//
//
// The arithmetic of `#lci.layout`: which cells lie together, how many words they and their halo
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

/// The cells on the last axis whose index leaves `residue` when divided by the split: cell number j
/// of them has the index j * split + residue.
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

/// The arrays that hold a bit-sliced one: for each residue in turn one for each bit.
SmallVector<MemRefType> planeTypes(LayoutAttr layout);

/// The layout of an array, null if its cells lie one after the other.
LayoutAttr layoutOf(Type type);

/// How an argument's cells are asked to lie (`lci.arrangement`), if somebody asks.
std::optional<Arrangement> askedArrangement(BlockArgument array);

} // namespace mlir::lci

#endif // LCI_DIALECT_LAYOUT_H
