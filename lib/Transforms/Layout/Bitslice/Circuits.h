//===- Circuits.h - Boolean circuits on words of 64 cells -------*- C++ -*-===//
//
// Arithmetic on bit-sliced numbers, built as and, or, xor and shifts of words. Constants fold while
// circuits are built, so that a general one costs no more than a special one.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_CIRCUITS_H
#define LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_CIRCUITS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::lci::bitslice {

/// The number of words of a number, and whether it is in two's complement.
struct Width {
  unsigned bits = 0;
  bool isSigned = false;
};

/// The numbers of 64 cells: bit c of word i is bit i of cell c's number. Words beyond the last one
/// are zero, or equal to it if numbers are signed.
struct Planes {
  SmallVector<Value> words;
  bool isSigned = false;
};

/// A number in a sum, times a power of two, with its sign.
struct Addend {
  Planes number;
  unsigned shift = 0;
  bool isNegative = false;
};

class Circuits {
public:
  Circuits(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// Of what is emitted from now on.
  void setLocation(Location location) { loc = location; }

  // Single words.
  Value constant(uint64_t word);
  Value zeros() { return constant(0); }
  Value ones() { return constant(~uint64_t(0)); }
  Value both(Value a, Value b) { return builder.createOrFold<arith::AndIOp>(loc, a, b); }
  Value either(Value a, Value b);
  Value differ(Value a, Value b) { return builder.createOrFold<arith::XOrIOp>(loc, a, b); }
  Value negate(Value a) { return differ(a, ones()); }
  Value choose(Value condition, Value yes, Value no);

  // Numbers.
  Value bitOf(const Planes &number, unsigned position);
  Planes resize(const Planes &number, Width width);
  Planes constant(const APInt &number, Width width);
  /// The same number, an integer of any type, in every cell.
  Planes broadcast(Value scalar, Width width);
  Planes sum(ArrayRef<Addend> addends, uint64_t constant, Width width);
  Planes product(const Planes &a, const Planes &b, Width width);
  /// Quotient and remainder of a number without a sign.
  std::pair<Planes, Planes> divide(const Planes &number, uint64_t divisor);
  Planes choose(Value condition, const Planes &yes, const Planes &no, Width width);
  Planes shiftLeft(const Planes &number, unsigned amount, Width width);
  Planes shiftRight(const Planes &number, unsigned amount, Width width);
  /// Whether all words of a and b are the same.
  Value equal(const Planes &a, const Planes &b);
  /// Whether a is less than b as mathematical integers.
  Value less(const Planes &a, const Planes &b);
  /// The table entry at each cell's index; any entry if the index is out of range.
  Planes lookUp(ArrayRef<Planes> table, const Planes &index, Width width);

private:
  OpBuilder &builder;
  Location loc;
};

/// The word `move` cells behind the beginning of the first of two adjacent words, or of vectors of
/// such words.
Value funnel(OpBuilder &builder, Location loc, Value first, Value second, unsigned move);

} // namespace mlir::lci::bitslice

#endif // LCI_LIB_TRANSFORMS_LAYOUT_BITSLICE_CIRCUITS_H
