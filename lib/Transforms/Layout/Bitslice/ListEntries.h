//===- ListEntries.h - Halves of words on a list ----------------*- C++ -*-===//
//
// A list is a buffer of 32 bits: a row for each field, a column for each entry. An entry is of the
// cells of half a word, which share a block of random bits.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_LISTENTRIES_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_LISTENTRIES_H

#include "LCI/Dialect/Layout.h"
#include "LCI/Numerics/Draws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::lci::bitslice {

/// Cells that a block of random bits is of.
inline constexpr unsigned kHalfBits = ::lci::numerics::kThresholdCells;
/// The last entries of a list are empty, so that vectors of so many are full: draws are computed in
/// lanes of 64 bits.
inline constexpr int64_t kLanes = 8;
/// Halves that so many words have.
inline constexpr int64_t kHalves = kLanes * kWordBits / kHalfBits;

/// Indices of a word in its box, and which half of it, as one number of 32 bits, and back.
class Packing {
public:
  /// Bits of each axis; the last one's lowest says which half.
  Packing(OpBuilder &builder, Location loc, ArrayRef<unsigned> bits)
      : builder(builder), loc(loc), bits(bits) {}

  /// Of the first half.
  Value pack(ValueRange indices);
  /// The indices, and behind them the half.
  SmallVector<Value> unpack(Value packed);

private:
  Value part(Value packed, unsigned below, unsigned width);
  Value number(uint64_t value);

  OpBuilder &builder;
  Location loc;
  ArrayRef<unsigned> bits;
};

/// Of the halves of eight words those that have bits, moved together.
class Compaction {
public:
  /// Eight words, of which the halves with bits are kept.
  Compaction(OpBuilder &builder, Location loc, Value words);

  /// A field of vectors of eight words.
  void add(int64_t field, Value words);
  /// The field of places, of which that is the first word's.
  void addPlaces(int64_t field, Value first);
  /// Writes all fields behind so many entries; the number of entries then.
  Value store(Value list, Value length);

private:
  Value halvesOf(Value words);
  void addHalves(int64_t field, Value halves);
  void storePart(OpBuilder &builder, Value list, Value length, int64_t from);

  OpBuilder &builder;
  Location loc;
  VectorType type;
  Value none, kept;
  SmallVector<std::pair<int64_t, Value>> fronts;
};

/// A field of an entry, as it lies there.
Value loadField(OpBuilder &builder, Location loc, Value list, int64_t field, Value entry);
/// Fields of an entry, as the lower halves of words.
SmallVector<Value> loadFields(OpBuilder &builder, Location loc, Value list,
                              ArrayRef<int64_t> fields, Value entry);
/// The lower halves of words, or what is half a word.
void storeFields(OpBuilder &builder, Location loc, ArrayRef<Value> values, Value list,
                 ArrayRef<int64_t> fields, Value entry);

/// That half of a word, in its lower one.
Value takeHalf(OpBuilder &builder, Location loc, Value word, Value half);
/// A lower half, where that half of a word is.
Value putHalf(OpBuilder &builder, Location loc, Value lower, Value half);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_LISTENTRIES_H
