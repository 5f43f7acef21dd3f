//===- BodySlicer.cpp - Circuit of a tick's body for 64 cells -------------===//
//
// Walks a tick's body and emits a circuit for each operation: sums by row with
// saved carries, comparisons, shifts, divisions by constants, and draws. Values
// that are uniform in a row stay scalars until a circuit needs them.
//
//===----------------------------------------------------------------------===//

#include "BodySlicer.h"
#include "LCI/Dialect/DrawQueries.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;
namespace numerics = ::lci::numerics;

//===----------------------------------------------------------------------===//
// Slicing
//===----------------------------------------------------------------------===//

static unsigned bitsOf(Value value) {
  return value.getType().isIndex() ? 64 : value.getType().getIntOrFloatBitWidth();
}

/// The number of `bits` bits as one in two's complement.
static Planes asSigned(Planes number, unsigned bits) {
  number.isSigned |= number.words.size() >= bits;
  return number;
}

/// The number of `bits` bits as one without a sign.
static Planes asUnsigned(const Planes &number, unsigned bits, Circuits &circuits) {
  return number.isSigned ? circuits.resize(number, {bits, false}) : number;
}

/// Whether the only user of a sum is another sum.
static bool isInnerSum(Operation &op) {
  if (!isa<arith::AddIOp, arith::SubIOp>(op) || !op.getResult(0).hasOneUse())
    return false;
  return isa<arith::AddIOp, arith::SubIOp>(*op.getResult(0).user_begin());
}

/// Broadcasts a uniform value. A float is an integer times a power of two.
Planes BodySlicer::planesOfScalar(Value value, Width width) {
  Value scalar = scalars.lookupOrDefault(value);
  Type i64 = builder.getI64Type();
  if (scalar.getType().isF32()) {
    auto power = builder.getF32FloatAttr(std::ldexp(1.0f, -analysis.exponentOf(value)));
    Value factor = arith::ConstantOp::create(builder, tick.getLoc(), power);
    scalar = builder.createOrFold<arith::MulFOp>(tick.getLoc(), scalar, factor);
    scalar = builder.createOrFold<arith::FPToSIOp>(tick.getLoc(), i64, scalar);
  }
  APInt number;
  if (matchPattern(scalar, m_ConstantInt(&number)))
    return circuits.constant(number, width);
  if (scalar.getType().isIndex())
    scalar = arith::IndexCastOp::create(builder, tick.getLoc(), i64, scalar);
  return circuits.broadcast(scalar, width);
}

Planes BodySlicer::planesOf(Value value) {
  if (auto known = planes.find(value); known != planes.end())
    return known->second;
  Width width = analysis.widthOf(value);
  Planes made = value == tick.getIndexArguments().back() ? context.lastIndex(width)
                                                         : planesOfScalar(value, width);
  return planes[value] = made;
}

void BodySlicer::slice() { slice(tick.getBody().front()); }

void BodySlicer::slice(Block &block) {
  for (Operation &op : block.without_terminator())
    slice(op);
}

void BodySlicer::slice(Operation &op) {
  circuits.setLocation(op.getLoc());
  bool varies = llvm::any_of(op.getResults(), [&](Value v) { return !analysis.isUniform(v); });
  if (!varies)
    copyScalar(op);
  else if (auto agree = dyn_cast<AgreeOp>(op))
    sliceAgreement(agree);
  else if (!isInnerSum(op) && !isa<memref::LoadOp>(op) && // tables are handled by their draws
           !onlyScales(op, analysis))
    planes[op.getResult(0)] = build(op);
}

/// The result of an operation on constants, else null. No operation may be created and erased
/// again, because patterns build bodies.
static TypedAttr foldConstants(Operation &op, const IRMapping &scalars) {
  SmallVector<Attribute> operands(op.getNumOperands());
  for (auto [operand, number] : llvm::zip_equal(op.getOperands(), operands))
    if (!matchPattern(scalars.lookupOrDefault(operand), m_Constant(&number)))
      return nullptr;
  SmallVector<OpFoldResult> folded;
  if (operands.empty() || failed(op.fold(operands, folded)) || folded.size() != 1)
    return nullptr;
  return dyn_cast_or_null<TypedAttr>(dyn_cast<Attribute>(folded.front()));
}

/// Folds where possible, because candidates are constants.
void BodySlicer::copyScalar(Operation &op) {
  if (TypedAttr number = foldConstants(op, scalars))
    scalars.map(op.getResult(0),
                arith::ConstantOp::create(builder, op.getLoc(), number).getResult());
  else
    builder.clone(op, scalars);
}

Planes BodySlicer::build(Operation &op) {
  Value result = op.getResult(0);
  Width width = analysis.widthOf(result);
  auto operand = [&](unsigned i) { return planesOf(op.getOperand(i)); };
  auto bitwise = [&](auto combine) {
    Planes a = operand(0), b = operand(1), made{{}, width.isSigned};
    for (unsigned i = 0; i < width.bits; ++i)
      made.words.push_back(combine(circuits.bitOf(a, i), circuits.bitOf(b, i)));
    return made;
  };
  return llvm::TypeSwitch<Operation *, Planes>(&op)
      .Case([&](LoadOp load) { return circuits.resize(context.load(load), width); })
      .Case<arith::AddIOp, arith::SubIOp>([&](auto) { return buildSum(op); })
      .Case<arith::AddFOp, arith::SubFOp>([&](auto) { return buildSumOfFloats(op); })
      .Case<arith::MulIOp, arith::MulFOp>(
          [&](auto) { return circuits.product(operand(0), operand(1), width); })
      .Case([&](arith::AndIOp) {
        return bitwise([&](Value a, Value b) { return circuits.both(a, b); });
      })
      .Case([&](arith::OrIOp) {
        return bitwise([&](Value a, Value b) { return circuits.either(a, b); });
      })
      .Case([&](arith::XOrIOp) {
        return bitwise([&](Value a, Value b) { return circuits.differ(a, b); });
      })
      .Case<arith::DivUIOp, arith::DivSIOp>([&](auto) {
        return circuits.resize(circuits.divide(operand(0), *divisorOf(op, analysis)).first, width);
      })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) {
        return circuits.resize(circuits.divide(operand(0), *divisorOf(op, analysis)).second, width);
      })
      .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>([&](auto) { return buildShift(op); })
      .Case([&](arith::CmpIOp compare) { return buildComparison(compare); })
      .Case([&](arith::SelectOp select) {
        return circuits.choose(wordOf(select.getCondition()), alignedTo(result, op.getOperand(1)),
                               alignedTo(result, op.getOperand(2)), width);
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) {
        // Sign extension ends at the narrow type's width.
        unsigned bits = std::min(bitsOf(op.getOperand(0)), width.bits);
        return circuits.resize(circuits.resize(operand(0), {bits, false}), width);
      })
      .Case([&](arith::UIToFPOp) { return circuits.resize(operand(0), width); })
      .Case([&](arith::FPToSIOp) {
        Value number = op.getOperand(0);
        return circuits.resize(circuits.shiftLeft(operand(0), analysis.exponentOf(number), width),
                               width);
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp, arith::SIToFPOp>([&](auto) {
        return circuits.resize(asSigned(operand(0), bitsOf(op.getOperand(0))), width);
      })
      .Case([&](arith::TruncIOp) { return circuits.resize(operand(0), width); })
      .Case<BernoulliOp, DrawBelowOp>([&](auto) { return buildDraw(op); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return buildExtremum(op); })
      .Default([](Operation *) -> Planes { llvm_unreachable("an operation without a circuit"); });
}

/// Aligns an operand to the exponent of the result.
Planes BodySlicer::alignedTo(Value result, Value operand) {
  Planes number = planesOf(operand);
  unsigned move = analysis.exponentOf(operand) - analysis.exponentOf(result);
  unsigned bits = number.words.size() + move;
  return move == 0 ? number : circuits.shiftLeft(number, move, {bits, number.isSigned});
}

Planes BodySlicer::buildSumOfFloats(Operation &op) {
  Value result = op.getResult(0);
  Addend first{alignedTo(result, op.getOperand(0)), 0, /*isNegative=*/false};
  Addend second{alignedTo(result, op.getOperand(1)), 0, isa<arith::SubFOp>(op)};
  return circuits.sum({first, second}, 0, analysis.widthOf(result));
}

/// Flattens nested sums, so that carries are saved until the end.
void BodySlicer::collect(Value value, bool isNegative, bool isRoot,
                         SmallVectorImpl<std::pair<Value, Addend>> &addends, uint64_t &constant) {
  APInt number;
  Operation *made = value.getDefiningOp();
  if (matchPattern(value, m_ConstantInt(&number))) {
    uint64_t amount = number.sextOrTrunc(64).getZExtValue();
    constant += isNegative ? -amount : amount;
  } else if (made && !analysis.isUniform(value) && (isRoot || isInnerSum(*made))) {
    collect(made->getOperand(0), isNegative, false, addends, constant);
    collect(made->getOperand(1), isNegative != isa<arith::SubIOp>(made), false, addends, constant);
  } else {
    addends.push_back({value, {planesOf(value), 0, isNegative}});
  }
}

/// The offsets of the stencil read of a number, on each axis.
static std::optional<SmallVector<int64_t>> placeOf(const Addend &addend, Value value) {
  while (isa_and_nonnull<arith::ExtUIOp, arith::TruncIOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto load = value.getDefiningOp<LoadOp>();
  if (!load || addend.isNegative || addend.number.isSigned)
    return std::nullopt;
  return llvm::map_to_vector(*load.getWindow(), [](auto axis) { return axis.second; });
}

namespace {
/// Numbers of one row, by their offsets in it.
struct RowSum {
  SmallVector<std::pair<int64_t, Addend>> members;

  /// From both ends inwards: often only the middle is missing in the row of the cell itself.
  void sort() {
    auto [low, high] = std::minmax_element(members.begin(), members.end(),
                                           [](auto &a, auto &b) { return a.first < b.first; });
    int64_t ends = low->first + high->first;
    auto key = [ends = ends](auto &member) {
      return std::pair(-std::abs(2 * member.first - ends), member.first);
    };
    llvm::sort(members, [&](auto &a, auto &b) { return key(a) < key(b); });
  }
};
} // namespace

/// Sums the numbers of a row first: several cells read the same row, so that their circuits have a
/// common part, which `lci-unroll-jam-rows` computes once. For two cells of a row that holds only
/// if the adder of all three begins with the two; where such an adder is two operations, pairs come
/// last, so that the sum ends with an adder of two bits, which is often fused with its user.
SmallVector<Addend> BodySlicer::sumRows(ArrayRef<std::pair<Value, Addend>> addends) {
  std::map<SmallVector<int64_t>, RowSum> rows;
  SmallVector<Addend> sums;
  for (const auto &[value, addend] : addends) {
    std::optional<SmallVector<int64_t>> place = placeOf(addend, value);
    if (!place) {
      sums.push_back(addend);
      continue;
    }
    int64_t last = place->pop_back_val();
    rows[*place].members.push_back({last, addend});
  }
  bool isShared = llvm::any_of(rows, [](auto &row) { return row.second.members.size() > 2; });
  SmallVector<Addend> pairs;
  for (auto &[row, sum] : rows) {
    sum.sort();
    if (context.hasTernaryLogic && isShared && sum.members.size() == 2) {
      llvm::append_range(pairs, llvm::make_second_range(sum.members));
      continue;
    }
    SmallVector<Addend> members = llvm::to_vector(llvm::make_second_range(sum.members));
    uint64_t most = 0;
    for (const Addend &member : members)
      most += llvm::maskTrailingOnes<uint64_t>(member.number.words.size());
    unsigned bits = llvm::bit_width(most);
    sums.push_back({circuits.sum(members, 0, {bits, false}), 0, false});
  }
  llvm::append_range(sums, pairs);
  return sums;
}

Planes BodySlicer::buildSum(Operation &op) {
  SmallVector<std::pair<Value, Addend>> addends;
  uint64_t constant = 0;
  Value result = op.getResult(0);
  collect(result, /*isNegative=*/false, /*isRoot=*/true, addends, constant);
  return circuits.sum(sumRows(addends), constant, analysis.widthOf(result));
}

/// Planes are mathematical integers; a comparison uses the bits of the type.
Planes BodySlicer::buildComparison(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  P predicate = op.getPredicate();
  Planes a = planesOf(op.getLhs()), b = planesOf(op.getRhs());
  unsigned bits = bitsOf(op.getLhs());
  if (predicate == P::eq || predicate == P::ne) {
    unsigned most = std::max(a.words.size(), b.words.size()) + 1;
    Width width{std::min(bits, most), false};
    Value same = circuits.equal(circuits.resize(a, width), circuits.resize(b, width));
    return {{predicate == P::eq ? same : circuits.negate(same)}, false};
  }
  bool ignoresSign = llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, predicate);
  for (Planes *side : {&a, &b})
    *side = ignoresSign ? asUnsigned(*side, bits, circuits) : asSigned(*side, bits);
  bool isSwapped = llvm::is_contained({P::sgt, P::ugt, P::sle, P::ule}, predicate);
  bool isNegated = llvm::is_contained({P::sle, P::ule, P::sge, P::uge}, predicate);
  Value isLess = isSwapped ? circuits.less(b, a) : circuits.less(a, b);
  return {{isNegated ? circuits.negate(isLess) : isLess}, false};
}

Planes BodySlicer::buildExtremum(Operation &op) {
  bool isSigned = isa<arith::MinSIOp, arith::MaxSIOp>(op);
  bool isMinimum = isa<arith::MinSIOp, arith::MinUIOp>(op);
  Planes a = planesOf(op.getOperand(0)), b = planesOf(op.getOperand(1));
  unsigned bits = bitsOf(op.getResult(0));
  for (Planes *side : {&a, &b})
    *side = isSigned ? asSigned(*side, bits) : asUnsigned(*side, bits, circuits);
  Value isFirst = isMinimum ? circuits.less(a, b) : circuits.less(b, a);
  return circuits.choose(isFirst, a, b, analysis.widthOf(op.getResult(0)));
}

/// Shifts by constants rename words; otherwise each bit of the amount selects.
Planes BodySlicer::buildShift(Operation &op) {
  Width width = analysis.widthOf(op.getResult(0));
  unsigned bits = bitsOf(op.getResult(0));
  bool isLeft = isa<arith::ShLIOp>(op);
  Planes number = planesOf(op.getOperand(0)), amount = planesOf(op.getOperand(1));
  // The bits shifted in are those of the type, or copies of its sign.
  if (!isLeft)
    number = circuits.resize(number, {bits, isa<arith::ShRSIOp>(op)});
  unsigned steps = std::min<unsigned>(amount.words.size(), llvm::Log2_32_Ceil(bits));
  for (unsigned i = 0; i < steps; ++i) {
    Width all{bits, number.isSigned};
    Planes moved = isLeft ? circuits.shiftLeft(number, 1u << i, all)
                          : circuits.shiftRight(number, 1u << i, all);
    number = circuits.choose(amount.words[i], moved, number, all);
  }
  return circuits.resize(number, width);
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

Threshold BodySlicer::thresholdOf(Operation &draw) {
  Threshold threshold;
  Value limit = draw.getOperand(0);
  threshold.masks = context.masks(&draw);
  if (!analysis.isUniform(limit)) {
    auto load = limit.getDefiningOp<memref::LoadOp>();
    llvm::append_range(threshold.shape, load.getMemRefType().getShape());
    for (Value index : load.getIndices())
      threshold.indices.push_back(planesOf(index));
  } else if (!threshold.masks.words) {
    threshold.entry = scalars.lookupOrDefault(limit);
    if (isa<BernoulliOp>(draw)) {
      IROps ops(builder, draw.getLoc(), builder.getI64Type());
      threshold.entry = numerics::thresholdOf(ops, ops.asF32(threshold.entry)).value;
    }
  }
  return threshold;
}

Planes BodySlicer::buildDraw(Operation &op) {
  Value number = numberOf(&op);
  if (number)
    number = scalars.lookupOrDefault(number);
  return {{context.draw(streamOf(&op), number, thresholdOf(op))}, false};
}
