//===- DrawPlanes.cpp - Threshold draws of 64 cells -----------------------===//
//
// Compares planes of random bits with thresholds, most significant plane first.
// A few blocks decide nearly all draws; undecided ones are listed on CPUs
// (UndecidedDraws.cpp), and completed in a loop on GPUs.
//
//===----------------------------------------------------------------------===//

#include "DrawPlanes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;
namespace numerics = ::lci::numerics;

Value DrawPlanes::number(uint64_t value) {
  return arith::ConstantIntOp::create(builder, loc, static_cast<int64_t>(value), 64);
}

template <size_t groups, size_t count>
std::array<numerics::Words<IROps>, groups * count>
DrawPlanes::drawWords(IROps &ops, const std::array<Value, count> &blocks) {
  numerics::Key<IROps> key{ops.asI64(site.keyLow), ops.asI64(site.keyHigh)};
  numerics::Site<IROps> here{ops.asI64(site.number), ops.i64(0), ops.asI64(site.epoch),
                             ops.asI64(site.phase)};
  std::array<numerics::Words<IROps>, groups * count> words;
  for (auto [i, block] : llvm::enumerate(blocks)) {
    auto group = ops.asI64(site.group);
    for (size_t j = 0; j < groups; ++j) {
      words[groups * i + j] = numerics::counterOf(ops, here, group, ops.asI64(block));
      group = group + ops.i64(1);
    }
  }
  return numerics::philox(ops, words, key);
}

/// A word consists of two groups of 32 cells; half a word of one.
template <size_t count>
SmallVector<Value> DrawPlanes::planesOf(const std::array<Value, count> &blocks) {
  IROps ops(builder, loc, builder.getI64Type());
  SmallVector<Value> planes;
  if (site.isHalf) {
    for (const numerics::Words<IROps> &drawn : drawWords<1>(ops, blocks))
      for (auto plane : drawn)
        planes.push_back(plane.value);
    return planes;
  }
  auto words = drawWords<2>(ops, blocks);
  for (size_t i = 0; i < count; ++i)
    for (auto [low, high] : llvm::zip_equal(words[2 * i], words[2 * i + 1]))
      planes.push_back((low | (high << ops.i64(32))).value);
  return planes;
}

/// Selects among the masks of the entries whose indices begin with `at`.
Value DrawPlanes::choose(MaskOf maskOf, SmallVectorImpl<uint64_t> &at) {
  size_t axis = at.size();
  if (axis == threshold.shape.size())
    return maskOf(at);
  SmallVector<Planes> parts;
  for (int64_t i = 0; i < threshold.shape[axis]; ++i) {
    at.push_back(i);
    parts.push_back({{choose(maskOf, at)}, false});
    at.pop_back();
  }
  return circuits.lookUp(parts, threshold.indices[axis], {1, false}).words.front();
}

/// Selects among constants.
Value DrawPlanes::bitOfNumbers(uint64_t row) {
  uint64_t bits = row == kRestRow ? numerics::remainderMask(eagerBlocks) : uint64_t(1) << row;
  auto numbers = threshold.masks.numbers.getValues<uint64_t>();
  SmallVector<uint64_t> at;
  return choose(
      [&](ArrayRef<uint64_t> index) {
        return (numbers[index] & bits) != 0 ? circuits.ones() : circuits.zeros();
      },
      at);
}

/// Selects among masks in memory.
Value DrawPlanes::bitOfMasks(Value position) {
  Value row = builder.createOrFold<arith::IndexCastOp>(loc, builder.getIndexType(), position);
  SmallVector<uint64_t> at;
  return choose(
      [&](ArrayRef<uint64_t> index) -> Value {
        SmallVector<Value> all{row};
        for (uint64_t i : index)
          all.push_back(arith::ConstantIndexOp::create(builder, loc, i));
        return memref::LoadOp::create(builder, loc, threshold.masks.words, all);
      },
      at);
}

Value DrawPlanes::bitOfThreshold(Value position) {
  APInt row;
  bool isFixed = matchPattern(position, m_ConstantInt(&row));
  if (isFixed && threshold.masks.numbers)
    return bitOfNumbers(row.getZExtValue());
  if (threshold.masks.words)
    return bitOfMasks(position);
  Value bits = threshold.entry;
  if (isFixed && row == kRestRow) {
    bits = builder.createOrFold<arith::AndIOp>(loc, bits,
                                               number(numerics::remainderMask(eagerBlocks)));
    bits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bits, number(0));
  } else {
    bits = builder.createOrFold<arith::ShRUIOp>(loc, bits, position);
    bits = builder.createOrFold<arith::TruncIOp>(loc, builder.getI1Type(), bits);
  }
  return circuits.broadcast(bits, {1, false}).words.front();
}

Comparison DrawPlanes::compare(Comparison before, Value block) {
  return compare(before, block, planesOf<1>({block}));
}

Comparison DrawPlanes::compare(Comparison before, Value block, ArrayRef<Value> planes) {
  auto [isLess, isEqual] = before;
  for (auto [digit, plane] : llvm::enumerate(planes)) {
    // Bit 31 of the threshold is compared with plane 0.
    Value done = builder.createOrFold<arith::ShLIOp>(loc, block, number(2));
    Value position = builder.createOrFold<arith::SubIOp>(loc, number(31 - digit), done);
    Value limit = bitOfThreshold(position);
    // The first differing bit decides: the draw is less where the threshold's bit is set.
    isLess = circuits.choose(isEqual, limit, isLess);
    isEqual = circuits.both(isEqual, circuits.negate(circuits.differ(limit, plane)));
  }
  return {circuits.both(isLess, circuits.negate(isEqual)), isEqual};
}

Comparison DrawPlanes::begin() {
  Value always = bitOfThreshold(number(32));
  return {always, circuits.negate(always)};
}

/// Blocks are computed interleaved.
SmallVector<Value> DrawPlanes::eagerPlanes() {
  static_assert(numerics::kEagerBlocks == 2);
  if (eagerBlocks == 0)
    return {};
  Value first = number(0);
  return eagerBlocks == 1 ? planesOf<1>({first}) : planesOf<2>({first, number(1)});
}

Comparison DrawPlanes::compareEagerly() {
  Comparison result = compare(begin(), number(0), eagerPlanes());
  // No draw with an equal prefix is below a threshold whose remaining bits are zeros.
  Value hasRest = bitOfThreshold(number(kRestRow));
  result.isUndecided = circuits.both(result.isUndecided, hasRest);
  return result;
}

Value DrawPlanes::compareAll(Value cells) {
  Comparison eager = compareEagerly();
  // Of 2,048 cells of a warp some are undecided nearly always; after one more block, rarely.
  eager = compare(eager, number(eagerBlocks));
  Value undecided = circuits.both(eager.isUndecided, cells);
  Value first = number(eagerBlocks + 1), last = number(numerics::kThresholdBlocks);
  SmallVector<Value> start{eager.isLess, undecided, first};
  SmallVector<Type> types = llvm::to_vector(ValueRange(start).getTypes());
  OpBuilder &b = builder;
  auto goesOn = [&](OpBuilder &, Location, ValueRange now) {
    Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, now[1], number(0));
    Value isLeft = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, now[2], last);
    scf::ConditionOp::create(b, loc, arith::AndIOp::create(b, loc, any, isLeft).getResult(), now);
  };
  auto oneBlock = [&](OpBuilder &, Location, ValueRange now) {
    Comparison next = compare({now[0], now[1]}, now[2]);
    Value after = arith::AddIOp::create(b, loc, now[2], number(1));
    scf::YieldOp::create(b, loc, ValueRange{next.isLess, next.isUndecided, after});
  };
  // Draws that equal the threshold in all bits are not below it.
  return scf::WhileOp::create(b, loc, types, start, goesOn, oneBlock).getResult(0);
}
