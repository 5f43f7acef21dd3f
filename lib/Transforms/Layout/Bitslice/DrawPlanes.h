//===- DrawPlanes.h - Threshold draws of 64 cells ---------------*- C++ -*-===//
//
// A block of Philox is four planes of 32 cells, so two blocks are four planes of a word. They are
// compared with the planes of a threshold, which is the same in all cells or one of a few.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_DRAWPLANES_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_DRAWPLANES_H

#include "Circuits.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/IROps.h"

namespace mlir::lci::bitslice {

/// What is known before a tick of a threshold, or of a table of them.
struct Masks {
  /// A memref of words, of the table's rank and one more, of which every bit is one of the
  /// number's: [b, …] for bit b, and at `kRestRow` whether some of the bits are set that are not
  /// looked at eagerly. Null if the numbers depend on the row.
  Value words;
  /// The numbers, if they are constants.
  DenseIntElementsAttr numbers;
};

/// What draws of each cell must be below: the entry of a table that the cell's numbers point at, or
/// one number for all.
struct Threshold {
  Value entry; ///< i64, for all cells
  Masks masks; ///< or these
  SmallVector<int64_t> shape;
  SmallVector<Planes> indices;
};

inline constexpr int64_t kRestRow = 33, kMaskRows = 34;

/// What is known of a comparison after some planes.
struct Comparison {
  Value isLess;      ///< where it is decided that the draw is below
  Value isUndecided; ///< where all planes were equal so far
};

/// A stream at the words of one row.
struct DrawSite {
  Value keyLow, keyHigh;      ///< of the stream
  Value number, epoch, phase; ///< i64
  Value group;                ///< of the word's first 32 cells
  bool isHalf = false;        ///< whether these are all there are
};

class DrawPlanes {
public:
  /// So many blocks are looked at eagerly.
  DrawPlanes(OpBuilder &builder, Location loc, DrawSite site, const Threshold &threshold,
             unsigned eagerBlocks)
      : builder(builder), loc(loc), circuits(builder, loc), site(site), threshold(threshold),
        eagerBlocks(eagerBlocks) {}

  /// Before any plane.
  Comparison begin();
  /// After the first planes, which decide nearly always.
  Comparison compareEagerly();
  /// After the four planes of another block, an i64.
  Comparison compare(Comparison before, Value block);
  /// After as many as these cells need, in a loop: which of them are below.
  Value compareAll(Value cells);

private:
  /// Of each block those of so many groups, side by side.
  template <size_t groups, size_t count>
  std::array<::lci::numerics::Words<IROps>, groups * count>
  drawWords(IROps &ops, const std::array<Value, count> &blocks);
  /// Four of each block.
  template <size_t count>
  SmallVector<Value> planesOf(const std::array<Value, count> &blocks);
  SmallVector<Value> eagerPlanes();
  /// After planes of which these blocks are the first.
  Comparison compare(Comparison before, Value block, ArrayRef<Value> planes);
  /// The word of a bit of each cell's threshold.
  Value bitOfThreshold(Value position);
  Value bitOfNumbers(uint64_t row);
  Value bitOfMasks(Value position);
  using MaskOf = function_ref<Value(ArrayRef<uint64_t>)>;
  Value choose(MaskOf maskOf, SmallVectorImpl<uint64_t> &at);
  Value number(uint64_t value);

  OpBuilder &builder;
  Location loc;
  Circuits circuits;
  DrawSite site;
  const Threshold &threshold;
  unsigned eagerBlocks;
};

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_DRAWPLANES_H
