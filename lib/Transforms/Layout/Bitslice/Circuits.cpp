//===- Circuits.cpp - Boolean circuits on words of 64 cells ---------------===//
//
// Emits arithmetic on bit-sliced numbers as bitwise operations of words: ripple
// comparisons, carry-save sums, schoolbook products, and division by constants.
//
//===----------------------------------------------------------------------===//

#include "Circuits.h"
#include "LCI/Dialect/Layout.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include <deque>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

Value Circuits::constant(uint64_t word) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(word));
}

/// Sum and carry of a half adder: their disjunction is that of the adder's operands.
Value Circuits::either(Value a, Value b) {
  auto carry = a.getDefiningOp<arith::AndIOp>();
  auto sum = b.getDefiningOp<arith::XOrIOp>();
  if (carry && sum && carry.getLhs() == sum.getLhs() && carry.getRhs() == sum.getRhs())
    return either(sum.getLhs(), sum.getRhs());
  return builder.createOrFold<arith::OrIOp>(loc, a, b);
}

static bool isOnes(Value word) {
  APInt bits;
  return matchPattern(word, m_ConstantInt(&bits)) && bits.isAllOnes();
}

Value Circuits::choose(Value condition, Value yes, Value no) {
  if (yes == no || matchPattern(condition, m_Zero()))
    return no;
  if (isOnes(condition) || (isOnes(yes) && isOnes(no)))
    return yes;
  if (isOnes(yes))
    return either(condition, no);
  if (isOnes(no))
    return either(negate(condition), yes);
  // One instruction of three operands where the machine has it, and no worse elsewhere.
  return either(both(condition, yes), both(negate(condition), no));
}

Value bitslice::funnel(OpBuilder &builder, Location loc, Value first, Value second, unsigned move) {
  if (move == 0)
    return first;
  auto amount = [&](int64_t bits) -> Value {
    TypedAttr number = builder.getI64IntegerAttr(bits);
    if (auto vector = dyn_cast<VectorType>(first.getType()))
      number = DenseElementsAttr::get(vector, Attribute(number));
    return arith::ConstantOp::create(builder, loc, number);
  };
  Value low = builder.createOrFold<arith::ShRUIOp>(loc, first, amount(move));
  Value high = builder.createOrFold<arith::ShLIOp>(loc, second, amount(kWordBits - move));
  return builder.createOrFold<arith::OrIOp>(loc, low, high);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value Circuits::bitOf(const Planes &number, unsigned position) {
  if (position < number.words.size())
    return number.words[position];
  return number.isSigned && !number.words.empty() ? number.words.back() : zeros();
}

Planes Circuits::resize(const Planes &number, Width width) {
  Planes resized{{}, width.isSigned};
  for (unsigned i = 0; i < width.bits; ++i)
    resized.words.push_back(bitOf(number, i));
  return resized;
}

Planes Circuits::constant(const APInt &number, Width width) {
  APInt wide = number.sextOrTrunc(std::max<unsigned>(number.getBitWidth(), width.bits));
  Planes planes{{}, width.isSigned};
  for (unsigned i = 0; i < width.bits; ++i)
    planes.words.push_back(wide[i] ? ones() : zeros());
  return planes;
}

Planes Circuits::broadcast(Value scalar, Width width) {
  Planes planes{{}, width.isSigned};
  unsigned bits = cast<IntegerType>(scalar.getType()).getWidth();
  for (unsigned i = 0; i < width.bits; ++i) {
    Value bit = scalar;
    if (bits > 1) {
      auto position = builder.getIntegerAttr(scalar.getType(), std::min(i, bits - 1));
      Value amount = arith::ConstantOp::create(builder, loc, position);
      Value shifted = builder.createOrFold<arith::ShRUIOp>(loc, scalar, amount);
      bit = builder.createOrFold<arith::TruncIOp>(loc, builder.getI1Type(), shifted);
    }
    planes.words.push_back(builder.createOrFold<arith::ExtSIOp>(loc, builder.getI64Type(), bit));
  }
  return planes;
}

/// Full adders, and a half adder at the end, until each column has one word.
Planes Circuits::sum(ArrayRef<Addend> addends, uint64_t constant, Width width) {
  SmallVector<std::deque<Value>> columns(width.bits + 1);
  for (const Addend &addend : addends)
    for (unsigned i = addend.shift; i < width.bits; ++i) {
      Value bit = bitOf(addend.number, i - addend.shift);
      // -x is the complement of x plus one; below the shift all bits of the complement are ones.
      columns[i].push_back(addend.isNegative ? negate(bit) : bit);
    }
  for (const Addend &addend : addends)
    if (addend.isNegative)
      constant += uint64_t(1) << addend.shift;
  for (unsigned i = 0; i < std::min(width.bits, 64u); ++i)
    if (constant >> i & 1)
      columns[i].push_back(ones());
  Planes total{{}, width.isSigned};
  for (unsigned i = 0; i < width.bits; ++i) {
    std::deque<Value> &column = columns[i];
    llvm::erase_if(column, [](Value word) { return matchPattern(word, m_Zero()); });
    while (column.size() > 1) {
      Value a = column.front(), b = column[1];
      column.pop_front();
      column.pop_front();
      Value half = differ(a, b), carry;
      if (column.empty()) {
        carry = both(a, b);
        column.push_back(half);
      } else {
        Value c = column.front();
        column.pop_front();
        carry = choose(half, c, a);
        column.push_back(differ(half, c));
      }
      if (!matchPattern(carry, m_Zero()))
        columns[i + 1].push_back(carry);
    }
    total.words.push_back(column.empty() ? zeros() : column.front());
  }
  return total;
}

Planes Circuits::product(const Planes &a, const Planes &b, Width width) {
  SmallVector<Addend> addends;
  for (unsigned i = 0; i < width.bits; ++i) {
    Value bit = bitOf(b, i);
    if (matchPattern(bit, m_Zero()))
      continue;
    Planes part{{}, false};
    for (unsigned j = 0; i + j < width.bits; ++j)
      part.words.push_back(both(bitOf(a, j), bit));
    addends.push_back({part, i, false});
  }
  return sum(addends, 0, width);
}

/// Restoring division: subtracts multiples of the divisor from the highest one down.
std::pair<Planes, Planes> Circuits::divide(const Planes &number, uint64_t divisor) {
  unsigned bits = number.words.size();
  Width width{bits, false};
  if (llvm::isPowerOf2_64(divisor)) {
    unsigned low = std::min(llvm::Log2_64(divisor), bits);
    return {shiftRight(number, low, width), resize(resize(number, {low, false}), width)};
  }
  Planes quotient = resize({}, width), rest = number;
  for (unsigned i = bits; i-- > 0;) {
    if (divisor > llvm::maskTrailingOnes<uint64_t>(bits) >> i)
      continue;
    Planes multiple = constant(APInt(64, divisor << i), width);
    Value fits = negate(less(rest, multiple));
    Planes reduced = sum({{rest, 0, false}, {multiple, 0, /*isNegative=*/true}}, 0, width);
    rest = choose(fits, reduced, rest, width);
    quotient.words[i] = fits;
  }
  return {quotient, rest};
}

Planes Circuits::choose(Value condition, const Planes &yes, const Planes &no, Width width) {
  Planes chosen{{}, width.isSigned};
  for (unsigned i = 0; i < width.bits; ++i)
    chosen.words.push_back(choose(condition, bitOf(yes, i), bitOf(no, i)));
  return chosen;
}

Planes Circuits::shiftLeft(const Planes &number, unsigned amount, Width width) {
  Planes shifted{{}, width.isSigned};
  for (unsigned i = 0; i < width.bits; ++i)
    shifted.words.push_back(i < amount ? zeros() : bitOf(number, i - amount));
  return shifted;
}

Planes Circuits::shiftRight(const Planes &number, unsigned amount, Width width) {
  Planes shifted{{}, width.isSigned};
  for (unsigned i = 0; i < width.bits; ++i)
    shifted.words.push_back(bitOf(number, i + amount));
  return shifted;
}

/// From the highest bit down: a number that is compared with several small ones, as counts are,
/// differs from all of them in the same high bits, and CSE merges these.
Value Circuits::equal(const Planes &a, const Planes &b) {
  Value different = zeros();
  for (unsigned i = std::max(a.words.size(), b.words.size()); i-- > 0;)
    different = either(different, differ(bitOf(a, i), bitOf(b, i)));
  return negate(different);
}

Value Circuits::less(const Planes &a, const Planes &b) {
  bool isSigned = a.isSigned || b.isSigned;
  unsigned bits = std::max(a.words.size() + (isSigned && !a.isSigned),
                           b.words.size() + (isSigned && !b.isSigned));
  // From the lowest bit up: the highest differing bit decides.
  Value isLess = zeros();
  for (unsigned i = 0; i < bits; ++i) {
    bool isSign = isSigned && i + 1 == bits;
    Value x = bitOf(a, i), y = bitOf(b, i);
    isLess = choose(differ(x, y), isSign ? x : y, isLess);
  }
  return isLess;
}

Planes Circuits::lookUp(ArrayRef<Planes> table, const Planes &index, Width width) {
  SmallVector<Planes> entries(table);
  for (unsigned i = 0; entries.size() > 1; ++i) {
    Value bit = bitOf(index, i);
    SmallVector<Planes> half;
    for (unsigned k = 0; k < entries.size(); k += 2)
      half.push_back(k + 1 < entries.size() ? choose(bit, entries[k + 1], entries[k], width)
                                            : entries[k]);
    entries = std::move(half);
  }
  return resize(entries.front(), width);
}
