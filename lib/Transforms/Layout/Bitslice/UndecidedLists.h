//===- UndecidedLists.h - Lists of undecided halves of words ----*- C++ -*-===//
//
// A list is a buffer of 32-bit elements: a row for each field, a column for
// each entry. An entry represents the cells of half a word, which share a block
// of random bits.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_UNDECIDEDLISTS_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_UNDECIDEDLISTS_H

#include "LCI/Dialect/Layout.h"
#include "LCI/Numerics/Draws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::lci::bitslice {

/// The cells that share a block of random bits.
inline constexpr unsigned kHalfBits = ::lci::numerics::kThresholdCells;
/// Lists are padded with empty entries to a multiple of this, so that vectors are full: draws are
/// computed in lanes of 64 bits.
inline constexpr int64_t kLanes = 8;
/// Halves of that many words.
inline constexpr int64_t kHalves = kLanes * kWordBits / kHalfBits;

/// Packs the indices of a word in its box and the half into 32 bits, and unpacks them.
class Packing {
public:
  /// Bits of each axis; the lowest bit of the last one is the half.
  Packing(OpBuilder &builder, Location loc, ArrayRef<unsigned> bits)
      : builder(builder), loc(loc), bits(bits) {}

  /// Packs the indices of a word, with the lower half.
  Value pack(ValueRange indices);
  /// The indices, followed by the half.
  SmallVector<Value> unpack(Value packed);

private:
  Value part(Value packed, unsigned below, unsigned width);
  Value number(uint64_t value);

  OpBuilder &builder;
  Location loc;
  ArrayRef<unsigned> bits;
};

/// Compacts the nonzero halves of eight words.
class Compaction {
public:
  /// `words` are eight words whose nonzero halves are kept.
  Compaction(OpBuilder &builder, Location loc, Value words);

  /// Adds a field, from a vector of eight words.
  void add(int64_t field, Value words);
  /// Adds the field of packed indices; `first` is that of the first word.
  void addPlaces(int64_t field, Value first);
  /// Writes all fields after `length` entries; returns the new length.
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

/// A field of an entry, as it is stored.
Value loadField(OpBuilder &builder, Location loc, Value list, int64_t field, Value entry);
/// Fields of an entry, as the lower halves of words.
SmallVector<Value> loadFields(OpBuilder &builder, Location loc, Value list,
                              ArrayRef<int64_t> fields, Value entry);
/// Stores the lower halves of words, or values of half a word.
void storeFields(OpBuilder &builder, Location loc, ArrayRef<Value> values, Value list,
                 ArrayRef<int64_t> fields, Value entry);

/// Moves a half of a word to the lower half.
Value takeHalf(OpBuilder &builder, Location loc, Value word, Value half);
/// Moves a lower half to the position of that half.
Value putHalf(OpBuilder &builder, Location loc, Value lower, Value half);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_UNDECIDEDLISTS_H
