//===- Changes.h - Bounds before and after a tick ---------------*- C++ -*-===//
//
// Bounds of an integer before a tick, after it, and of their difference. Booleans are 0
// and 1. The third bound expresses what the first two cannot: that a count which no cell raises
// does not grow, whatever it is.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_LIB_ANALYSIS_CHANGES_H
#define LCI_LIB_ANALYSIS_CHANGES_H

#include "LCI/Dialect/IndexRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::lci {

struct Change {
  IndexRange before, after, step;

  /// Beyond these bounds nothing is known.
  static constexpr int64_t kFar = int64_t(1) << 61;
  static constexpr IndexRange kUnknown = {-kFar, kFar};

  /// An unchanged number; an unchanged number of a range.
  static Change known(int64_t number) { return within({number, number}); }
  static Change within(IndexRange range) { return {range, range, {0, 0}}; }
  /// A number of one range changes to one of another.
  static Change from(IndexRange before, IndexRange after);
  static Change unknown() { return from(kUnknown, kUnknown); }

  bool isSame() const { return step.lower == 0 && step.upper == 0; }
  /// An unchanged constant.
  bool isKnown() const { return isSame() && before.lower == before.upper; }
};

/// The possible pairs of a boolean before and after a tick, as a set of bits.
enum Truths : unsigned { StaysTrue = 1, Breaks = 2, BecomesTrue = 4, StaysFalse = 8 };
unsigned getTruths(const Change &change);
Change fromTruths(unsigned truths);
unsigned negate(unsigned truths);
/// The possible results of a function of two booleans.
unsigned combine(unsigned left, unsigned right, function_ref<bool(bool, bool)> function);

Change join(const Change &left, const Change &right);
Change add(const Change &left, const Change &right);
Change subtract(const Change &left, const Change &right);
Change multiply(const Change &left, const Change &right);
Change minimum(const Change &left, const Change &right);
Change maximum(const Change &left, const Change &right);
/// Rounded towards negative infinity, by a positive number.
Change floorDiv(const Change &left, int64_t divisor);
Change floorMod(const Change &left, int64_t divisor);
Change select(const Change &condition, const Change &yes, const Change &no);
/// The transitions of the comparison of a difference with zero.
unsigned compareWithZero(arith::CmpIPredicate predicate, const Change &difference);

/// The sum of up to `count` numbers, each like this one or absent.
Change addUpTo(const Change &each, int64_t count);

} // namespace mlir::lci

#endif // LCI_LIB_ANALYSIS_CHANGES_H
