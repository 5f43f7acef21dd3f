//===- BodyAnalysis.cpp - Widths and legality of bit-sliced bodies --------===//
//
// Computes the width of each value of a tick's body by integer range analysis,
// for floats as small integers times a power of two, and finds reasons why a
// body cannot be a circuit.
//
//===----------------------------------------------------------------------===//

#include "BodyAnalysis.h"
#include "LCI/Dialect/DrawQueries.h"
#include "LCI/Dialect/Layout.h"
#include "LCI/Dialect/TickBuilders.h"
#include "LCI/Transforms/Support/IntegerRanges.h"
#include "LCI/Transforms/Support/Thresholds.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::bitslice;

/// Bits of a number beyond which cells are better computed one by one.
static constexpr unsigned kMaxBits = 16;

/// The most operations on words of the circuits of all candidates: LLVM takes seconds for more.
static constexpr int64_t kMaxOperations = 8192;

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// The winner's range is that of the candidates; the lowest one if there is none.
struct WinnerRanges : dataflow::IntegerRangeAnalysis {
  using IntegerRangeAnalysis::IntegerRangeAnalysis;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const dataflow::IntegerValueRangeLattice *> operands,
                               ArrayRef<dataflow::IntegerValueRangeLattice *> results) override {
    auto agree = dyn_cast<AgreeOp>(op);
    std::optional<int64_t> lower, upper;
    if (agree) {
      lower = getConstantIntValue(agree.getLower());
      upper = getConstantIntValue(agree.getUpper());
    }
    if (!lower || !upper)
      return IntegerRangeAnalysis::visitOperation(op, operands, results);
    auto last = APInt(64, std::max(*upper - 1, *lower));
    auto range = ConstantIntRanges::fromSigned(APInt(64, *lower), last);
    propagateIfChanged(results[0], results[0]->join(IntegerValueRange(range)));
    for (auto [result, lattice] : llvm::drop_begin(llvm::zip_equal(agree.getResults(), results)))
      propagateIfChanged(lattice, lattice->join(IntegerValueRange::getMaxRange(result)));
    return success();
  }
};
} // namespace

LogicalResult bitslice::analyzeBodies(DataFlowSolver &solver, Operation *op) {
  dataflow::loadBaselineAnalyses(solver);
  solver.load<WinnerRanges>();
  return solver.initializeAndRun(op);
}

static Width widthOfRange(const ConstantIntRanges &range) {
  unsigned asUnsigned = range.umax().getActiveBits();
  unsigned asSigned =
      std::max(range.smin().getSignificantBits(), range.smax().getSignificantBits());
  return asUnsigned <= asSigned ? Width{std::max(asUnsigned, 1u), false} : Width{asSigned, true};
}

static Width widthOfType(Type type) {
  return type.isIndex() ? Width{64, true} : Width{type.getIntOrFloatBitWidth(), false};
}

/// For an empty box any width is correct.
static Width widthOfIndex(IndexRange range) {
  uint64_t most = range.isEmpty() ? 0 : static_cast<uint64_t>(range.upper);
  return {std::max<unsigned>(llvm::bit_width(most), 1), false};
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Exponents for which every number of at most `kMaxBits` bits is a normal float.
static constexpr int kMaxExponent = 64;

static unsigned bitsIn(Width width, bool isSigned) {
  return width.bits + (isSigned && !width.isSigned);
}

/// The format of a sum, or of a select, which needs no carry. The operand with the larger exponent
/// is shifted left.
static FixedPoint joinFixedPoints(FixedPoint a, FixedPoint b, bool isSum, bool isDifference) {
  if (a.width.bits == 0 || b.width.bits == 0)
    return {};
  int exponent = std::min(a.exponent, b.exponent);
  bool isSigned = a.width.isSigned || b.width.isSigned || isDifference;
  unsigned most = 0;
  for (const FixedPoint &one : {a, b})
    most = std::max(most, bitsIn(one.width, isSigned) + (one.exponent - exponent));
  return {{most + isSum, isSigned}, exponent};
}

static FixedPoint multiplyFixedPoints(FixedPoint a, FixedPoint b) {
  if (a.width.bits == 0 || b.width.bits == 0)
    return {};
  auto isOne = [](const FixedPoint &one) { return one.width.bits == 1 && !one.width.isSigned; };
  int exponent = a.exponent + b.exponent;
  if (isOne(a) || isOne(b))
    return {isOne(a) ? b.width : a.width, exponent};
  bool isSigned = a.width.isSigned || b.width.isSigned;
  return {{bitsIn(a.width, isSigned) + bitsIn(b.width, isSigned), isSigned}, exponent};
}

static FixedPoint findFixedPointOf(const APFloat &number) {
  if (!number.isFinite())
    return {};
  if (number.isZero())
    return {{1, false}, 0};
  int exponent =
      ilogb(number) - static_cast<int>(APFloat::semanticsPrecision(number.getSemantics())) + 1;
  APFloat digits = scalbn(number, -exponent, APFloat::rmTowardZero);
  APSInt integer(64, /*isUnsigned=*/false);
  bool isExact = false; // always true: all digits are before the point
  digits.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  unsigned zeros = integer.countr_zero();
  integer = APSInt(integer.ashr(zeros), /*isUnsigned=*/false);
  return {widthOfRange(ConstantIntRanges::constant(integer)), exponent + static_cast<int>(zeros)};
}

/// Floats that are computed from small integers.
FixedPoint BodyAnalysis::findFixedPoint(Value value) const {
  Operation *op = value.getDefiningOp();
  APFloat number(0.0f);
  auto known = [&](Value operand) { return FixedPoint{widthOf(operand), exponentOf(operand)}; };
  if (matchPattern(value, m_ConstantFloat(&number)))
    return findFixedPointOf(number);
  return llvm::TypeSwitch<Operation *, FixedPoint>(op)
      .Case([&](arith::SIToFPOp made) {
        Width width = widthOf(made.getIn());
        width.isSigned |= width.bits == made.getIn().getType().getIntOrFloatBitWidth();
        return FixedPoint{width};
      })
      .Case([&](arith::UIToFPOp made) {
        Width width = widthOf(made.getIn());
        return width.isSigned ? FixedPoint() : FixedPoint{width};
      })
      .Case<arith::AddFOp, arith::SubFOp>([&](auto sum) {
        return joinFixedPoints(known(sum.getLhs()), known(sum.getRhs()), /*isSum=*/true,
                               isa<arith::SubFOp>(op));
      })
      .Case([&](arith::MulFOp product) {
        return multiplyFixedPoints(known(product.getLhs()), known(product.getRhs()));
      })
      .Case([&](arith::SelectOp select) {
        return joinFixedPoints(known(select.getTrueValue()), known(select.getFalseValue()),
                               /*isSum=*/false, /*isDifference=*/false);
      })
      .Case([&](AgreeOp agree) { // without a winner the score is 0
        FixedPoint score = known(agree.getCandidate().getScore());
        return joinFixedPoints(score, {{1, false}, score.exponent}, /*isSum=*/false,
                               /*isDifference=*/false);
      })
      .Default([](Operation *) { return FixedPoint(); });
}

void BodyAnalysis::noteFloat(Value value) {
  if (!value.getType().isF32() || !value.getDefiningOp())
    return;
  FixedPoint found = findFixedPoint(value);
  bool isConstant = matchPattern(value, m_Constant());
  if ((found.width.bits > kMaxBits && !isConstant) || std::abs(found.exponent) > kMaxExponent)
    return;
  widths[value] = found.width;
  exponents[value] = found.exponent;
}

/// Distinct integers of so few bits stay distinct when products are rounded.
ScoreOrder bitslice::findScoreOrder(Value score, const BodyAnalysis &analysis) {
  if (analysis.widthOf(score).bits > 0)
    return {score};
  auto product = score.getDefiningOp<arith::MulFOp>();
  if (!product)
    return {};
  for (auto [number, factor] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())}) {
    APFloat constant(0.0f);
    if (analysis.widthOf(number).bits == 0 || !matchPattern(factor, m_ConstantFloat(&constant)) ||
        !constant.isFiniteNonZero() || std::abs(ilogb(constant)) > kMaxExponent / 2)
      continue;
    return {number, constant.isNegative()};
  }
  return {};
}

bool bitslice::onlyScales(Operation &op, const BodyAnalysis &analysis) {
  if (!isa<arith::MulFOp>(op) || analysis.widthOf(op.getResult(0)).bits > 0)
    return false;
  auto isScored = [](Operation *user) { return isa<CandidateOp>(user); };
  return llvm::all_of(op.getUsers(), isScored) && findScoreOrder(op.getResult(0), analysis).number;
}

std::optional<int64_t> bitslice::findMaxExtent(OpFoldResult extent, DataFlowSolver &solver) {
  if (std::optional<int64_t> constant = getConstantIntValue(extent))
    return constant;
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(cast<Value>(extent));
  if (!lattice)
    return std::nullopt;
  if (lattice->getValue().isUninitialized())
    return 0; // a part of a window without cells, which is never executed
  int64_t most = lattice->getValue().getValue().smax().getSExtValue();
  // The range of the type means that nothing is known.
  return most <= std::numeric_limits<int32_t>::max() ? std::optional(most) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Signs, widths and exponents
//===----------------------------------------------------------------------===//

void BodyAnalysis::note(Value value, DataFlowSolver &solver) {
  if (!value.getType().isIntOrIndex()) {
    noteFloat(value);
    return;
  }
  auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  bool isKnown = lattice && !lattice->getValue().isUninitialized();
  widths[value] = value.getType().isInteger(1) ? Width{1, false}
                  : isKnown                    ? widthOfRange(lattice->getValue().getValue())
                                               : widthOfType(value.getType());
}

void BodyAnalysis::follow(Operation &op) {
  auto isVarying = [&](Value operand) { return varying.contains(operand); };
  auto agree = dyn_cast<AgreeOp>(op);
  bool varies = isa<LoadOp>(op) || isDraw(&op) || llvm::any_of(op.getOperands(), isVarying) ||
                (agree && llvm::any_of(agree.getCandidate()->getOperands(), isVarying));
  if (varies)
    varying.insert(op.result_begin(), op.result_end());
}

void BodyAnalysis::learn(Block &block, DataFlowSolver &solver) {
  for (Value argument : block.getArguments())
    note(argument, solver);
  for (Operation &op : block) {
    if (auto agree = dyn_cast<AgreeOp>(op))
      learn(agree.getBody().front(), solver);
    follow(op);
    for (Value result : op.getResults())
      note(result, solver);
  }
}

BodyAnalysis::BodyAnalysis(TickOp tick, DataFlowSolver &solver) {
  for (OpFoldResult extent : tick.getMixedExtents())
    extents.push_back(findMaxExtent(extent, solver));
  if (tick.getRank() > 0)
    varying.insert(tick.getIndexArguments().back());
  learn(tick.getBody().front(), solver);
  for (auto [index, range] : llvm::zip_equal(tick.getIndexArguments(), getIndexRanges(tick)))
    widths[index] = widthOfIndex(range);
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

SmallVector<unsigned> bitslice::findStages(TickOp tick) {
  llvm::DenseMap<Value, unsigned> drawsBehind; // zero for other values
  SmallVector<unsigned> stages;
  for (Operation &op : tick.getBody().front()) {
    unsigned stage = 0;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        stage = std::max(stage, drawsBehind.lookup(operand));
    });
    bool isThresholdDraw = streamOf(&op) != nullptr;
    if (isThresholdDraw)
      stages.push_back(stage);
    for (Value result : op.getResults())
      drawsBehind[result] = stage + isThresholdDraw;
  }
  return stages;
}

std::optional<uint64_t> bitslice::divisorOf(Operation &op, const BodyAnalysis &analysis) {
  APInt divisor;
  if (!matchPattern(op.getOperand(1), m_ConstantInt(&divisor)) || !divisor.isStrictlyPositive() ||
      analysis.widthOf(op.getOperand(0)).isSigned)
    return std::nullopt;
  return divisor.getZExtValue();
}

//===----------------------------------------------------------------------===//
// Reasons against slicing
//===----------------------------------------------------------------------===//

namespace {
/// Finds operations of a tick's body that cannot be computed on planes.
class Obstacles {
public:
  Obstacles(TickOp tick, const BodyAnalysis &analysis) : tick(tick), analysis(analysis) {}

  std::optional<std::string> findIn(Block &block);

private:
  std::optional<std::string> findIn(Operation &op);
  std::optional<std::string> findInDraw(Operation *draw);
  std::optional<std::string> findInTable(memref::LoadOp load);
  std::optional<std::string> findIn(LoadOp load);
  std::optional<std::string> findIn(AgreeOp agree);
  std::optional<std::string> findInNumbers(Operation &op);
  int64_t countOperations(Block &block);

  bool varies(Value value) { return !analysis.isUniform(value); }
  static std::string nameOf(Operation &op) { return "'" + op.getName().getStringRef().str() + "'"; }

  TickOp tick;
  const BodyAnalysis &analysis;
};
} // namespace

/// Whether a load reads a small table of thresholds that only draws use.
static bool isThresholdTable(memref::LoadOp load) {
  auto type = load.getMemRefType();
  return type.hasStaticShape() && type.getNumElements() <= kMaxTableEntries &&
         type.getElementType().isInteger(64) && !layoutOf(type) &&
         llvm::all_of(load->getUsers(), [](Operation *user) { return isa<DrawBelowOp>(user); });
}

/// Operations for which `BodySlicer::build` has a circuit.
static bool hasCircuit(Operation &op) {
  return isa<LoadOp, arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp,
             arith::CmpIOp, arith::SelectOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp,
             arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp, arith::IndexCastOp,
             arith::IndexCastUIOp, arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp,
             arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp>(op);
}

std::optional<std::string> Obstacles::findInDraw(Operation *draw) {
  if (!streamOf(draw))
    return nameOf(*draw) + ", a word of random bits for each cell";
  if (draw->getParentOp() != tick)
    return "a draw for each candidate";
  if (Value number = numberOf(draw); number && varies(number))
    return "a draw whose number is not the same in all cells";
  Value limit = draw->getOperand(0);
  if (!varies(limit) || isa_and_nonnull<memref::LoadOp>(limit.getDefiningOp()))
    return std::nullopt;
  return "a draw whose chance is no table's";
}

std::optional<std::string> Obstacles::findInTable(memref::LoadOp load) {
  for (Value index : load.getIndices())
    if (analysis.widthOf(index).bits > kMaxBits)
      return "a table's index of " + std::to_string(analysis.widthOf(index).bits) + " bits";
  return std::nullopt;
}

std::optional<std::string> Obstacles::findIn(LoadOp load) {
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

/// An estimate of the operations on words of one candidate's circuit.
int64_t Obstacles::countOperations(Block &block) {
  int64_t count = 0;
  for (Operation &op : block) {
    int64_t bits = 0;
    for (Value value : llvm::concat<Value>(op.getOperands(), op.getResults()))
      if (varies(value))
        bits = std::max<int64_t>(bits, analysis.widthOf(value).bits);
    count += isa<arith::MulIOp, arith::MulFOp>(op) ? bits * bits : bits;
  }
  return count;
}

std::optional<std::string> Obstacles::findIn(AgreeOp agree) {
  std::optional<int64_t> lower = getConstantIntValue(agree.getLower());
  std::optional<int64_t> upper = getConstantIntValue(agree.getUpper());
  if (!lower || !upper || *lower < 0 || *upper <= *lower || *upper > kMaxCandidates)
    return "an agreement on more than " + std::to_string(kMaxCandidates) + " tokens";
  if (auto obstacle = findIn(agree.getBody().front()))
    return obstacle;
  CandidateOp candidate = agree.getCandidate();
  int64_t operations = (*upper - *lower) * countOperations(agree.getBody().front());
  if (operations > kMaxOperations)
    return "an agreement of about " + std::to_string(operations) + " operations";
  if (!findScoreOrder(candidate.getScore(), analysis).number)
    return "scores that are not known to be whole numbers of few bits, or a constant times those";
  for (Value count : llvm::concat<Value>(candidate.getLevels(), candidate.getTies()))
    if (analysis.widthOf(count).bits > kMaxBits)
      return "a rank of " + std::to_string(analysis.widthOf(count).bits) + " bits";
  return std::nullopt;
}

/// Numbers that are planes, or are broadcast to planes.
std::optional<std::string> Obstacles::findInNumbers(Operation &op) {
  for (Value value : llvm::concat<Value>(op.getOperands(), op.getResults())) {
    unsigned bits = analysis.widthOf(value).bits;
    if (bits == 0)
      return nameOf(op);
    if (varies(value) && bits > kMaxBits)
      return "a number of " + std::to_string(bits) + " bits in " + nameOf(op);
  }
  // A uniform operand is broadcast to as many bits as the number needs.
  for (Value value : op.getOperands())
    if (!varies(value) && !matchPattern(value, m_Constant()) &&
        analysis.widthOf(value).bits > kMaxBits)
      return "a scalar of " + std::to_string(analysis.widthOf(value).bits) + " bits in " +
             nameOf(op);
  return std::nullopt;
}

std::optional<std::string> Obstacles::findIn(Operation &op) {
  bool isPlanes = llvm::any_of(op.getResults(), [&](Value result) { return varies(result); });
  // Draws differ from cell to cell, whatever their operands are.
  if (isDraw(&op))
    return findInDraw(&op);
  if (auto table = dyn_cast<memref::LoadOp>(op); isPlanes && table && isThresholdTable(table))
    return findInTable(table);
  if (!isPlanes) {
    if (!isMemoryEffectFree(&op) || op.getNumRegions() > 0)
      return nameOf(op);
    return std::nullopt;
  }
  // The indices of a load are no numbers of the circuit.
  if (auto load = dyn_cast<LoadOp>(op))
    return findIn(load);
  if (auto agree = dyn_cast<AgreeOp>(op))
    return findIn(agree);
  if (onlyScales(op, analysis))
    return std::nullopt;
  if (!hasCircuit(op))
    return nameOf(op);
  if (auto cast = dyn_cast<arith::FPToSIOp>(op); cast && analysis.exponentOf(cast.getIn()) < 0)
    return nameOf(op) + " of a fraction";
  if (isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp>(op) &&
      !divisorOf(op, analysis))
    return nameOf(op) + " of numbers below zero, or by what is no constant above it";
  return findInNumbers(op);
}

std::optional<std::string> Obstacles::findIn(Block &block) {
  for (Operation &op : block.without_terminator())
    if (auto obstacle = findIn(op))
      return obstacle;
  return std::nullopt;
}

std::optional<std::string> BodyAnalysis::findObstacle(TickOp tick, DataFlowSolver &solver) {
  BodyAnalysis analysis(tick, solver);
  return Obstacles(tick, analysis).findIn(tick.getBody().front());
}
