//===- DrawPlanes.h - Threshold draws of 64 cells ---------------*- C++ -*-===//
//
// A block of Philox is four planes of 32 cells, so two blocks are four planes
// of a word. They are compared with the planes of a threshold, which is uniform
// or one of a few table entries.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_DRAWPLANES_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_DRAWPLANES_H

#include "Circuits.h"
#include "LCI/Numerics/Draws.h"
#include "LCI/Transforms/Support/IROps.h"

namespace mlir::lci::bitslice {

/// Bits of a threshold, or of a table of them, that are computed before a tick.
struct Masks {
  /// A memref of masks, with the table's rank and one more: a word at [b, …] repeats bit b of the
  /// number 64 times; at `kRestRow` it says whether bits beyond the eager ones are set. Null if the
  /// thresholds depend on the row.
  Value words;
  /// The thresholds, if they are constants.
  DenseIntElementsAttr numbers;
};

/// The threshold of each cell's draw: the table entry at the cell's indices, or a uniform number.
struct Threshold {
  Value entry; ///< i64, uniform
  Masks masks; ///< or masks
  SmallVector<int64_t> shape;
  SmallVector<Planes> indices;
};

inline constexpr int64_t kRestRow = 33, kMaskRows = 34;

/// The state of a comparison after some planes.
struct Comparison {
  Value isLess;      ///< cells whose draw is known to be below
  Value isUndecided; ///< cells with equal planes so far
};

/// The coordinates of a stream's draws for a word of a row.
struct DrawSite {
  Value keyLow, keyHigh;      ///< of the stream
  Value number, epoch, phase; ///< i64
  Value group;                ///< index of the word's first 32 cells
  bool isHalf = false;        ///< whether these 32 cells are all
};

class DrawPlanes {
public:
  /// `eagerBlocks` blocks are compared eagerly.
  DrawPlanes(OpBuilder &builder, Location loc, DrawSite site, const Threshold &threshold,
             unsigned eagerBlocks)
      : builder(builder), loc(loc), circuits(builder, loc), site(site), threshold(threshold),
        eagerBlocks(eagerBlocks) {}

  /// The state before any plane.
  Comparison begin();
  /// The state after the first planes, which decide nearly always.
  Comparison compareEagerly();
  /// The state after the four planes of another block, an i64.
  Comparison compare(Comparison before, Value block);
  /// Compares as many blocks as these cells need, in a loop; returns which draws are below.
  Value compareAll(Value cells);

private:
  /// The words of each block for some groups, interleaved.
  template <size_t groups, size_t count>
  std::array<::lci::numerics::Words<IROps>, groups * count>
  drawWords(IROps &ops, const std::array<Value, count> &blocks);
  /// The planes of blocks, four each.
  template <size_t count>
  SmallVector<Value> planesOf(const std::array<Value, count> &blocks);
  SmallVector<Value> eagerPlanes();
  /// Compares planes, of which `block` is the first block.
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
