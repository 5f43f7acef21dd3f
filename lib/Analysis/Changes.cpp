//===- Changes.cpp - Bounds of integers before and after a tick -----------===//
//
// Interval arithmetic on `Change`: the bounds before, after, and of the difference, each tightened
// by the other two. Booleans are sets of the four transitions between true and false.
//
//===----------------------------------------------------------------------===//

#include "Changes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::lci;

static int64_t clamp(__int128 number) {
  return static_cast<int64_t>(std::clamp<__int128>(number, -Change::kFar, Change::kFar));
}

/// The range `lower … upper`; a bound that is far counts as unknown.
static IndexRange span(__int128 lower, __int128 upper) { return {clamp(lower), clamp(upper)}; }

static IndexRange plus(IndexRange a, IndexRange b) {
  return span(__int128(a.lower) + b.lower, __int128(a.upper) + b.upper);
}
static IndexRange minus(IndexRange a, IndexRange b) {
  return span(__int128(a.lower) - b.upper, __int128(a.upper) - b.lower);
}
static IndexRange times(IndexRange a, IndexRange b) {
  __int128 products[] = {__int128(a.lower) * b.lower, __int128(a.lower) * b.upper,
                         __int128(a.upper) * b.lower, __int128(a.upper) * b.upper};
  return span(*llvm::min_element(products), *llvm::max_element(products));
}
static IndexRange hull(IndexRange a, IndexRange b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}
static IndexRange meet(IndexRange a, IndexRange b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}
static bool contains(IndexRange range, int64_t number) {
  return range.lower <= number && number <= range.upper;
}

/// Each of the three bounds follows from the other two as well. Unknown ends stay unknown.
static Change tighten(Change change) {
  change.step = meet(change.step, minus(change.after, change.before));
  bool isFar = change.before.lower == -Change::kFar || change.before.upper == Change::kFar ||
               change.after.lower == -Change::kFar || change.after.upper == Change::kFar;
  if (!isFar) {
    change.after = meet(change.after, plus(change.before, change.step));
    change.before = meet(change.before, minus(change.after, change.step));
  }
  return change;
}

Change Change::from(IndexRange before, IndexRange after) {
  return {before, after, minus(after, before)};
}

//===----------------------------------------------------------------------===//
// Booleans
//===----------------------------------------------------------------------===//

static constexpr std::pair<Truths, std::pair<int, int>> kTruths[] = {
    {StaysTrue, {1, 1}}, {Breaks, {1, 0}}, {BecomesTrue, {0, 1}}, {StaysFalse, {0, 0}}};

unsigned mlir::lci::getTruths(const Change &change) {
  unsigned truths = 0;
  for (auto [bit, pair] : kTruths)
    if (contains(change.before, pair.first) && contains(change.after, pair.second) &&
        contains(change.step, pair.second - pair.first))
      truths |= bit;
  return truths;
}

Change mlir::lci::fromTruths(unsigned truths) {
  std::optional<Change> all;
  for (auto [bit, pair] : kTruths)
    if (truths & bit) {
      int64_t before = pair.first, after = pair.second;
      Change one = Change::from({before, before}, {after, after});
      all = all ? join(*all, one) : one;
    }
  return all.value_or(Change::from({0, 1}, {0, 1}));
}

unsigned mlir::lci::combine(unsigned left, unsigned right,
                            function_ref<bool(bool, bool)> function) {
  unsigned truths = 0;
  for (auto [one, first] : kTruths)
    for (auto [other, second] : kTruths)
      if ((left & one) && (right & other)) {
        std::pair<int, int> both = {function(first.first, second.first),
                                    function(first.second, second.second)};
        truths |= llvm::find_if(kTruths, [&](auto &entry) { return entry.second == both; })->first;
      }
  return truths;
}

unsigned mlir::lci::negate(unsigned truths) {
  return combine(truths, StaysTrue, [](bool a, bool) { return !a; });
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Change mlir::lci::join(const Change &left, const Change &right) {
  return {hull(left.before, right.before), hull(left.after, right.after),
          hull(left.step, right.step)};
}

Change mlir::lci::add(const Change &left, const Change &right) {
  return tighten({plus(left.before, right.before), plus(left.after, right.after),
                  plus(left.step, right.step)});
}

Change mlir::lci::subtract(const Change &left, const Change &right) {
  return tighten({minus(left.before, right.before), minus(left.after, right.after),
                  minus(left.step, right.step)});
}

Change mlir::lci::multiply(const Change &left, const Change &right) {
  IndexRange before = times(left.before, right.before), after = times(left.after, right.after);
  if (left.isSame() && right.isSame())
    return Change::within(before);
  if (left.isKnown())
    return tighten({before, after, times(left.before, right.step)});
  if (right.isKnown())
    return tighten({before, after, times(left.step, right.before)});
  return Change::from(before, after);
}

/// The step of a minimum or maximum is between the steps of both operands.
static Change chooseEnd(const Change &left, const Change &right, bool isLeast) {
  auto choose = [&](IndexRange a, IndexRange b) {
    return isLeast ? IndexRange{std::min(a.lower, b.lower), std::min(a.upper, b.upper)}
                   : IndexRange{std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
  };
  return tighten({choose(left.before, right.before), choose(left.after, right.after),
                  hull(left.step, right.step)});
}
Change mlir::lci::minimum(const Change &left, const Change &right) {
  return chooseEnd(left, right, true);
}
Change mlir::lci::maximum(const Change &left, const Change &right) {
  return chooseEnd(left, right, false);
}

Change mlir::lci::floorDiv(const Change &left, int64_t divisor) {
  auto divide = [&](IndexRange range) {
    bool isFar = range.lower == -Change::kFar || range.upper == Change::kFar;
    return isFar ? Change::kUnknown
                 : IndexRange{llvm::divideFloorSigned(range.lower, divisor),
                              llvm::divideFloorSigned(range.upper, divisor)};
  };
  IndexRange before = divide(left.before), after = divide(left.after);
  if (left.isSame())
    return Change::within(before);
  Change quotient = Change::from(before, after);
  if (left.step.lower >= 0) // an increase does not decrease the quotient
    quotient.step.lower = std::max<int64_t>(quotient.step.lower, 0);
  if (left.step.upper <= 0)
    quotient.step.upper = std::min<int64_t>(quotient.step.upper, 0);
  return tighten(quotient);
}

Change mlir::lci::floorMod(const Change &left, int64_t divisor) {
  auto reduce = [&](IndexRange range) -> IndexRange {
    bool isFar = range.lower == -Change::kFar || range.upper == Change::kFar;
    if (isFar || llvm::divideFloorSigned(range.lower, divisor) !=
                     llvm::divideFloorSigned(range.upper, divisor))
      return {0, divisor - 1};
    return {llvm::mod(range.lower, divisor), llvm::mod(range.upper, divisor)};
  };
  IndexRange before = reduce(left.before), after = reduce(left.after);
  return left.isSame() ? Change::within(before) : Change::from(before, after);
}

Change mlir::lci::select(const Change &condition, const Change &yes, const Change &no) {
  unsigned truths = getTruths(condition);
  if (truths == StaysTrue)
    return yes;
  if (truths == StaysFalse)
    return no;
  Change either = join(yes, no);
  bool stays = !(truths & (Breaks | BecomesTrue));
  return stays ? either : Change::from(either.before, either.after);
}

/// The transitions of `difference >= 0`.
static unsigned getNonNegative(const Change &d) {
  unsigned truths = 0;
  if (d.before.upper >= 0 && d.after.upper >= 0)
    truths |= StaysTrue;
  if (d.before.lower < 0 && d.after.lower < 0)
    truths |= StaysFalse;
  if (d.before.upper >= 0 && d.after.lower < 0 &&
      std::max<int64_t>(d.before.lower, 0) + d.step.lower < 0)
    truths |= Breaks;
  if (d.before.lower < 0 && d.after.upper >= 0 &&
      std::min<int64_t>(d.before.upper, -1) + d.step.upper >= 0)
    truths |= BecomesTrue;
  return truths;
}

/// The transitions of `difference == 0`.
static unsigned getZero(const Change &d) {
  auto others = [](IndexRange range) { return range.lower != 0 || range.upper != 0; };
  unsigned truths = 0;
  if (contains(d.before, 0) && contains(d.after, 0) && contains(d.step, 0))
    truths |= StaysTrue;
  if (others(d.before) && others(d.after))
    truths |= StaysFalse;
  if (contains(d.before, 0) && others(meet(d.after, d.step)) && !meet(d.after, d.step).isEmpty())
    truths |= Breaks;
  IndexRange back = meet(minus({0, 0}, d.before), d.step);
  if (contains(d.after, 0) && others(back) && !back.isEmpty())
    truths |= BecomesTrue;
  return truths;
}

unsigned mlir::lci::compareWithZero(arith::CmpIPredicate predicate, const Change &difference) {
  Change zero = Change::known(0), one = Change::known(1);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return getZero(difference);
  case arith::CmpIPredicate::ne:
    return negate(getZero(difference));
  case arith::CmpIPredicate::sge:
    return getNonNegative(difference);
  case arith::CmpIPredicate::slt:
    return negate(getNonNegative(difference));
  case arith::CmpIPredicate::sgt:
    return getNonNegative(subtract(difference, one));
  case arith::CmpIPredicate::sle:
    return getNonNegative(subtract(zero, difference));
  default: // without signs
    return difference.isSame() ? StaysTrue | StaysFalse
                               : StaysTrue | Breaks | BecomesTrue | StaysFalse;
  }
}

Change mlir::lci::addUpTo(const Change &each, int64_t count) {
  auto scale = [&](IndexRange range) { return hull({0, 0}, times(range, {count, count})); };
  return tighten({scale(each.before), scale(each.after), scale(each.step)});
}
