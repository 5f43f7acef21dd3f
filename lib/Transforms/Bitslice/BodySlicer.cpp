//===- BodySlicer.cpp - A tick's body for 64 cells at once ----------------===//

#include "BodySlicer.h"
#include "LCI/Dialect/DrawOps.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Dialect/TickBuilders.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;
namespace numerics = ::lci::numerics;

/// Words of one number beyond which cells are better computed one by one.
static constexpr unsigned kMaxBits = 16;

/// Entries of a table of thresholds, of which a cell chooses one.
static constexpr int64_t kMaxEntries = 64;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static Width widthOfRange(const ConstantIntRanges &range) {
  unsigned asUnsigned = range.umax().getActiveBits();
  unsigned asSigned =
      std::max(range.smin().getSignificantBits(), range.smax().getSignificantBits());
  return asUnsigned <= asSigned ? Width{std::max(asUnsigned, 1u), false} : Width{asSigned, true};
}

static Width widthOfType(Type type) {
  return type.isIndex() ? Width{64, true} : Width{type.getIntOrFloatBitWidth(), false};
}

/// Of a box without cells any width will do.
static Width widthOfIndex(IndexRange range) {
  uint64_t most = range.isEmpty() ? 0 : static_cast<uint64_t>(range.upper);
  return {std::max<unsigned>(llvm::bit_width(most), 1), false};
}

std::optional<int64_t> bitslice::findMaxExtent(OpFoldResult extent, DataFlowSolver &solver) {
  if (std::optional<int64_t> constant = getConstantIntValue(extent))
    return constant;
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(cast<Value>(extent));
  if (!lattice || lattice->getValue().isUninitialized())
    return std::nullopt;
  int64_t most = lattice->getValue().getValue().smax().getSExtValue();
  // Of what nothing is known the type is.
  return most <= std::numeric_limits<int32_t>::max() ? std::optional(most) : std::nullopt;
}

void BodyFacts::follow(Operation &op) {
  bool varies =
      isa<LoadOp>(op) || isDraw(&op) ||
      llvm::any_of(op.getOperands(), [&](Value operand) { return varying.contains(operand); });
  if (varies)
    varying.insert(op.result_begin(), op.result_end());
}

BodyFacts::BodyFacts(TickOp tick, DataFlowSolver &solver) {
  Block &body = tick.getBody().front();
  for (OpFoldResult extent : tick.getMixedExtents())
    extents.push_back(findMaxExtent(extent, solver));
  if (tick.getRank() > 0)
    varying.insert(tick.getIndexArguments().back());
  auto note = [&](Value value) {
    if (!value.getType().isIntOrIndex())
      return;
    auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    bool isKnown = lattice && !lattice->getValue().isUninitialized();
    widths[value] = value.getType().isInteger(1) ? Width{1, false}
                    : isKnown                    ? widthOfRange(lattice->getValue().getValue())
                                                 : widthOfType(value.getType());
  };
  for (Value argument : body.getArguments())
    note(argument);
  for (auto [index, range] : llvm::zip_equal(tick.getIndexArguments(), getIndexRanges(tick)))
    widths[index] = widthOfIndex(range);
  for (Operation &op : body) {
    follow(op);
    for (Value result : op.getResults())
      note(result);
  }
}

StreamAttr bitslice::streamOf(Operation *op) {
  if (auto draw = dyn_cast<BernoulliOp>(op))
    return draw.getStream();
  auto draw = dyn_cast<DrawBelowOp>(op);
  return draw ? draw.getStream() : StreamAttr();
}

Value bitslice::numberOf(Operation *draw) {
  auto bernoulli = dyn_cast<BernoulliOp>(draw);
  return bernoulli ? bernoulli.getNumber() : cast<DrawBelowOp>(draw).getNumber();
}

SmallVector<Operation *> bitslice::findDraws(TickOp tick) {
  SmallVector<Operation *> draws;
  tick.getBody().walk([&](Operation *op) {
    if (streamOf(op))
      draws.push_back(op);
  });
  return draws;
}

/// A small table of thresholds, which is only looked up to draw.
static bool isThresholdTable(memref::LoadOp load) {
  auto type = load.getMemRefType();
  return type.hasStaticShape() && type.getNumElements() <= kMaxEntries &&
         type.getElementType().isInteger(64) && !layoutOf(type) &&
         llvm::all_of(load->getUsers(), [](Operation *user) { return isa<DrawBelowOp>(user); });
}

/// Operations on integers for which `BodySlicer::build` has a circuit.
static bool hasCircuit(Operation &op) {
  return isa<LoadOp, arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp,
             arith::CmpIOp, arith::SelectOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp,
             arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp, arith::IndexCastOp,
             arith::IndexCastUIOp, arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp>(
      op);
}

/// What a division is by, if that is a positive constant and nothing divided is negative.
static std::optional<uint64_t> divisorOf(Operation &op, const BodyFacts &facts) {
  APInt divisor;
  if (!matchPattern(op.getOperand(1), m_ConstantInt(&divisor)) || !divisor.isStrictlyPositive() ||
      facts.widthOf(op.getOperand(0)).isSigned)
    return std::nullopt;
  return divisor.getZExtValue();
}

/// Why a draw cannot be sliced, if it cannot.
static std::optional<std::string> findObstacleIn(Operation *draw, const BodyFacts &facts) {
  if (Value number = numberOf(draw); number && !facts.isUniform(number))
    return "a draw whose number is not the same in all cells";
  Value limit = draw->getOperand(0);
  if (facts.isUniform(limit) || isa_and_nonnull<memref::LoadOp>(limit.getDefiningOp()))
    return std::nullopt;
  return "a draw whose chance is no table's";
}

static std::optional<std::string> findObstacleIn(LoadOp load, TickOp tick) {
  auto moves = load.getWindow();
  auto argument = dyn_cast<BlockArgument>(load.getSource());
  if (!moves || moves->empty() || !argument || argument.getOwner() != &tick.getBody().front())
    return "a read that is no window";
  if (moves->back().first + 1 != tick.getRank())
    return "a read that does not follow the last axis";
  for (Attribute boundary : load.getBoundary())
    if (cast<BoundaryAttr>(boundary).getValue() != Boundary::Open)
      return "a read that is no window";
  return std::nullopt;
}

std::optional<std::string> BodyFacts::findObstacle(TickOp tick, DataFlowSolver &solver) {
  BodyFacts facts(tick, solver);
  for (Operation &op : tick.getBody().front().without_terminator()) {
    auto name = [&] { return "'" + op.getName().getStringRef().str() + "'"; };
    bool varies = llvm::any_of(op.getResults(), [&](Value v) { return !facts.isUniform(v); });
    // Draws differ from cell to cell, whatever they are made of.
    if (isDraw(&op) && !streamOf(&op))
      return name() + ", a word of random bits for each cell";
    if (streamOf(&op)) {
      if (auto obstacle = findObstacleIn(&op, facts))
        return obstacle;
      continue;
    }
    if (auto load = dyn_cast<memref::LoadOp>(op); varies && load && isThresholdTable(load)) {
      for (Value index : load.getIndices())
        if (facts.widthOf(index).bits > kMaxBits)
          return "a table's index of " + std::to_string(facts.widthOf(index).bits) + " bits";
      continue;
    }
    if (!varies) {
      if (!isMemoryEffectFree(&op) || op.getNumRegions() > 0)
        return name();
      continue;
    }
    if (!hasCircuit(op) || !op.getResult(0).getType().isIntOrIndex())
      return name();
    // Where a window is, is no number of the circuit.
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (auto obstacle = findObstacleIn(load, tick))
        return obstacle;
      continue;
    }
    if (isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp>(op) &&
        !divisorOf(op, facts))
      return name() + " of numbers below zero, or by what is no constant above it";
    for (Value value : llvm::concat<Value>(op.getOperands(), op.getResults())) {
      bool isPlanes = !facts.isUniform(value) && value.getType().isIntOrIndex();
      if (isPlanes && facts.widthOf(value).bits > kMaxBits)
        return "a number of " + std::to_string(facts.widthOf(value).bits) + " bits in " + name();
    }
    // A uniform operand is broadcast to as many bits as the number needs.
    for (Value value : op.getOperands())
      if (facts.isUniform(value) && value.getType().isIntOrIndex() &&
          !matchPattern(value, m_Constant()) && facts.widthOf(value).bits > kMaxBits)
        return "a scalar of " + std::to_string(facts.widthOf(value).bits) + " bits in " + name();
  }
  return std::nullopt;
}

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

/// A sum that only another sum needs.
static bool isInnerSum(Operation &op) {
  if (!isa<arith::AddIOp, arith::SubIOp>(op) || !op.getResult(0).hasOneUse())
    return false;
  return isa<arith::AddIOp, arith::SubIOp>(*op.getResult(0).user_begin());
}

Planes BodySlicer::planesOf(Value value) {
  auto [entry, isNew] = planes.try_emplace(value);
  if (!isNew)
    return entry->second;
  Width width = facts.widthOf(value);
  Planes made;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    made = circuits.constant(number, width);
  } else if (value == tick.getIndexArguments().back()) {
    made = context.lastIndex(width);
  } else {
    Value scalar = scalars.lookup(value);
    if (scalar.getType().isIndex())
      scalar = arith::IndexCastOp::create(builder, tick.getLoc(), builder.getI64Type(), scalar);
    made = circuits.broadcast(scalar, width);
  }
  return planes[value] = made;
}

void BodySlicer::slice() {
  for (Operation &op : tick.getBody().front().without_terminator()) {
    bool varies = llvm::any_of(op.getResults(), [&](Value v) { return !facts.isUniform(v); });
    if (!varies)
      builder.clone(op, scalars);
    else if (!isInnerSum(op) && !isa<memref::LoadOp>(op)) // a table is its draw's business
      planes[op.getResult(0)] = build(op);
  }
}

Planes BodySlicer::build(Operation &op) {
  Value result = op.getResult(0);
  Width width = facts.widthOf(result);
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
      .Case([&](arith::MulIOp) { return circuits.product(operand(0), operand(1), width); })
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
        return circuits.resize(circuits.divide(operand(0), *divisorOf(op, facts)).first, width);
      })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](auto) {
        return circuits.resize(circuits.divide(operand(0), *divisorOf(op, facts)).second, width);
      })
      .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>([&](auto) { return buildShift(op); })
      .Case([&](arith::CmpIOp compare) { return buildComparison(compare); })
      .Case([&](arith::SelectOp select) {
        return circuits.choose(wordOf(select.getCondition()), operand(1), operand(2), width);
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) {
        // Copies of a sign end where the narrow type does.
        unsigned bits = std::min(bitsOf(op.getOperand(0)), width.bits);
        return circuits.resize(circuits.resize(operand(0), {bits, false}), width);
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) {
        return circuits.resize(asSigned(operand(0), bitsOf(op.getOperand(0))), width);
      })
      .Case([&](arith::TruncIOp) { return circuits.resize(operand(0), width); })
      .Case<BernoulliOp, DrawBelowOp>([&](auto) { return buildDraw(op); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return buildExtremum(op); })
      .Default([](Operation *) -> Planes { llvm_unreachable("an operation without a circuit"); });
}

/// Sums of sums become one: carries are saved until the end.
void BodySlicer::collect(Value value, bool isNegative, bool isRoot,
                         SmallVectorImpl<std::pair<Value, Addend>> &addends, uint64_t &constant) {
  APInt number;
  Operation *made = value.getDefiningOp();
  if (matchPattern(value, m_ConstantInt(&number))) {
    uint64_t amount = number.sextOrTrunc(64).getZExtValue();
    constant += isNegative ? -amount : amount;
  } else if (made && !facts.isUniform(value) && (isRoot || isInnerSum(*made))) {
    collect(made->getOperand(0), isNegative, false, addends, constant);
    collect(made->getOperand(1), isNegative != isa<arith::SubIOp>(made), false, addends, constant);
  } else {
    addends.push_back({value, {planesOf(value), 0, isNegative}});
  }
}

/// The window that a number is read through, on each axis.
static std::optional<SmallVector<int64_t>> placeOf(const Addend &addend, Value value) {
  while (isa_and_nonnull<arith::ExtUIOp, arith::TruncIOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto load = value.getDefiningOp<LoadOp>();
  if (!load || addend.isNegative || addend.number.isSigned)
    return std::nullopt;
  return llvm::map_to_vector(*load.getWindow(), [](auto axis) { return axis.second; });
}

namespace {
/// Numbers of one row, by their places in it.
struct RowSum {
  SmallVector<std::pair<int64_t, Addend>> members;

  /// From both ends inwards: the row of the cell itself often lacks only the middle.
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

/// Sums what lies in one row first: a row is in the windows of several cells, whose circuits then
/// have a part in common, which `lci-jam-rows` computes once.
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
  for (auto &[row, sum] : rows) {
    sum.sort();
    SmallVector<Addend> members = llvm::to_vector(llvm::make_second_range(sum.members));
    uint64_t most = 0;
    for (const Addend &member : members)
      most += llvm::maskTrailingOnes<uint64_t>(member.number.words.size());
    unsigned bits = llvm::bit_width(most);
    sums.push_back({circuits.sum(members, 0, {bits, false}), 0, false});
  }
  return sums;
}

Planes BodySlicer::buildSum(Operation &op) {
  SmallVector<std::pair<Value, Addend>> addends;
  uint64_t constant = 0;
  Value result = op.getResult(0);
  collect(result, /*isNegative=*/false, /*isRoot=*/true, addends, constant);
  return circuits.sum(sumRows(addends), constant, facts.widthOf(result));
}

/// Planes stand for true numbers; a comparison is of what the type's bits say.
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
  return circuits.choose(isFirst, a, b, facts.widthOf(op.getResult(0)));
}

/// By a constant, words are renamed; else each bit of the amount chooses.
Planes BodySlicer::buildShift(Operation &op) {
  Width width = facts.widthOf(op.getResult(0));
  unsigned bits = bitsOf(op.getResult(0));
  bool isLeft = isa<arith::ShLIOp>(op);
  Planes number = planesOf(op.getOperand(0)), amount = planesOf(op.getOperand(1));
  // What moves in from above are the type's own bits, or copies of its sign.
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
  if (!facts.isUniform(limit)) {
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
