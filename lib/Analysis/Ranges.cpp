//===- Ranges.cpp - Ranges of integers in bodies --------------------------===//
//
// One walk over the bodies of a declaration: indices are bounded by their domain, reads by their
// kind, other operations by upstream's inference or the rules below, all in 128 bits. Results
// beyond 64 bits and possible divisions by zero are collected for diagnostics.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/Ranges.h"
#include "LCI/Analysis/IndexDomain.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::presburger;

/// Epochs are one word of a draw's counter.
static constexpr int64_t kLastEpoch = (int64_t(1) << 32) - 1;
static constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();
static constexpr int64_t kMin32 = std::numeric_limits<int32_t>::min();
static constexpr int64_t kMax32 = std::numeric_limits<int32_t>::max();

static APInt wide(int64_t number) {
  return APInt(RangeAnalysis::kWidth, number, /*isSigned=*/true);
}

static ConstantIntRanges span(const APInt &first, const APInt &last) {
  return ConstantIntRanges::fromSigned(first, last);
}

static ConstantIntRanges toWidth(const ConstantIntRanges &range, unsigned width) {
  return span(range.smin().sextOrTrunc(width), range.smax().sextOrTrunc(width));
}

ConstantIntRanges RangeAnalysis::makeRange(int64_t first, int64_t last) {
  return span(wide(first), wide(last));
}

bool RangeAnalysis::isWithin(const ConstantIntRanges &range, int64_t first, int64_t last) {
  return range.smin().sge(wide(first)) && range.smax().sle(wide(last));
}

bool RangeAnalysis::isOutside(const ConstantIntRanges &range, int64_t first, int64_t last) {
  return range.smax().slt(wide(first)) || range.smin().sgt(wide(last));
}

static bool isTracked(Type type) {
  return type.isInteger(64) || type.isInteger(1) || type.isIndex();
}

RangeAnalysis::RangeAnalysis(Operation *declaration)
    : RangeAnalysis(declaration, std::make_shared<Params>()) {}

RangeAnalysis::RangeAnalysis(Operation *declaration, std::shared_ptr<Params> known)
    : program(declaration->getParentOfType<ProgramOp>()), known(std::move(known)) {
  visit(declaration);
}

ConstantIntRanges RangeAnalysis::getRange(Value value) const {
  auto found = ranges.find(value);
  if (found != ranges.end())
    return found->second;
  return value.getType().isInteger(1) ? ConstantIntRanges::maxRange(1) : makeRange(kMin64, kMax64);
}

void RangeAnalysis::set(Value value, const ConstantIntRanges &range) {
  ranges.insert_or_assign(value, range);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The bounds of one index over a domain; all of 64 bits where it is unbounded.
static ConstantIntRanges getIndexRange(const PresburgerRelation &points, unsigned position) {
  std::optional<ConstantIntRanges> all;
  for (const IntegerRelation &disjunct : points.getAllDisjuncts()) {
    if (disjunct.isEmpty())
      continue;
    int64_t first = disjunct.getConstantBound64(BoundType::LB, position).value_or(kMin64);
    int64_t last = disjunct.getConstantBound64(BoundType::UB, position).value_or(kMax64);
    ConstantIntRanges range = RangeAnalysis::makeRange(first, last);
    all = all ? all->rangeUnion(range) : range;
  }
  return all.value_or(RangeAnalysis::makeRange(0, 0)); // there is no point at all
}

/// Bounds the arguments of the bodies of an operation before they are visited.
void RangeAnalysis::setIndices(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (region.empty() || region.front().empty())
      continue;
    IndexDomain domain = IndexDomain::around(&region.front().front());
    PresburgerRelation points = domain.getPoints();
    for (BlockArgument argument : region.getArguments())
      if (std::optional<unsigned> position = domain.find(argument))
        set(argument, getIndexRange(points, *position));
  }
  auto setRank = [&](auto family) {
    BlockArgument rank = family.getBody().getArguments().back();
    if (rank.use_empty()) // computing the size takes time
      return;
    if (std::optional<int64_t> size = getLargestFamily(family))
      set(rank, makeRange(0, std::max<int64_t>(*size - 1, 0)));
  };
  if (auto reduce = dyn_cast<ReduceOp>(op))
    setRank(reduce);
  if (auto collect = dyn_cast<CollectOp>(op))
    setRank(collect);
  // A candidate is an entry of the vocabulary, or an integer of 32 bits.
  auto setCandidate = [&](StringRef name, Region &body) {
    std::optional<int64_t> size = program.lookupValue(name).getVocabularySize();
    if (body.getArguments().back().getType().isInteger(64))
      set(body.getArguments().back(), size ? makeRange(0, *size - 1) : makeRange(kMin32, kMax32));
  };
  if (auto constraint = dyn_cast<ConstraintOp>(op))
    setCandidate(constraint.getValue(), constraint.getBody());
  if (auto emit = dyn_cast<EmitOp>(op); emit && !emit.getScore().empty())
    setCandidate(cast<RuleOp>(emit->getParentOp()).getValue(), emit.getScore());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void RangeAnalysis::visit(Operation *op) {
  setIndices(op);
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      visit(&inner);
  for (Value result : op->getResults()) {
    if (!isTracked(result.getType()))
      continue;
    ConstantIntRanges range = infer(op, result);
    if (!result.getType().isInteger(1) && !isWithin(range, kMin64, kMax64)) {
      overflows.push_back(op);
      exact.try_emplace(op, range);
      range = makeRange(kMin64, kMax64);
    }
    set(result, range);
  }
}

static ConstantIntRanges hull(ArrayRef<APInt> numbers) {
  APInt first = numbers.front(), last = numbers.front();
  for (const APInt &number : numbers) {
    first = number.slt(first) ? number : first;
    last = number.sgt(last) ? number : last;
  }
  return span(first, last);
}

/// Counts of `kWidth` or more shift out the same as `kWidth - 1`. A negative count gives zero, or
/// the sign; it occurs only in branches that are not taken.
static ConstantIntRanges shift(const ConstantIntRanges &number, const ConstantIntRanges &count,
                               bool isLeft) {
  auto within = [](const APInt &by) {
    return llvm::APIntOps::smin(llvm::APIntOps::smax(by, wide(0)), wide(RangeAnalysis::kWidth - 1));
  };
  SmallVector<APInt> results;
  for (const APInt &end : {number.smin(), number.smax()}) {
    for (const APInt &by : {within(count.smin()), within(count.smax())})
      results.push_back(isLeft ? end.sshl_sat(by) : end.ashr(by));
    if (count.smin().isNegative())
      results.push_back(isLeft ? wide(0) : end.ashr(63));
  }
  return hull(results);
}

static ConstantIntRanges absolute(const ConstantIntRanges &range) {
  APInt first = range.smin().abs(), last = range.smax().abs();
  bool spansZero = range.smin().isNegative() && !range.smax().isNegative();
  return span(spansZero ? wide(0) : llvm::APIntOps::smin(first, last),
              llvm::APIntOps::smax(first, last));
}

ConstantIntRanges RangeAnalysis::infer(Operation *op, Value result) {
  APInt constant;
  if (matchPattern(result, m_ConstantInt(&constant)))
    return ConstantIntRanges::constant(result.getType().isInteger(1) ? constant
                                                                     : constant.sext(kWidth));
  if (auto read = dyn_cast<ReadOp>(op))
    return result == read.getResult() ? inferRead(read) : ConstantIntRanges::maxRange(1);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return result == reduce.getResult() ? inferReduction(reduce) : ConstantIntRanges::maxRange(1);
  if (isa<UnwrapOp, LetOp>(op))
    return getRange(op->getOperand(0));
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    return inferIndexCast(cast);
  if (isa<EpochOp>(op))
    return makeRange(0, kLastEpoch);
  if (auto read = dyn_cast<ParamValueOp>(op))
    return inferParam(program.lookupSymbol<ParamOp>(read.getParam()));
  if (auto evaluate = dyn_cast<EvaluateOp>(op))
    return inferAnswer(evaluate, result);
  if (auto draw = dyn_cast<RandIntOp>(op))
    return inferDraw(draw);
  if (isa<FloorDivOp, FloorModOp>(op))
    return inferDivision(op);
  if (auto power = dyn_cast<PowerOp>(op))
    return inferPower(power);
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return inferExtension(extend);
  if (result.getType().isInteger(1))
    return inferUpstream(op, result);
  if (isa<math::CtPopOp>(op))
    return makeRange(0, 64);
  if (isa<math::AbsIOp>(op))
    return absolute(getRange(op->getOperand(0)));
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return inferBits(op);
  if (isa<arith::ShLIOp, arith::ShRSIOp>(op))
    return shift(getRange(op->getOperand(0)), getRange(op->getOperand(1)),
                 /*isLeft=*/isa<arith::ShLIOp>(op));
  return inferUpstream(op, result);
}

/// A token of a function that returns i32; any other integer is unknown.
ConstantIntRanges RangeAnalysis::inferAnswer(EvaluateOp evaluate, Value result) {
  auto model = program.lookupNamed<ModelOp>(evaluate.getModel());
  auto module = program->getParentOfType<ModuleOp>();
  auto function = module && model && model.getFunction()
                      ? module.lookupSymbol<FunctionOpInterface>(*model.getFunction())
                      : FunctionOpInterface();
  unsigned number = cast<OpResult>(result).getResultNumber();
  bool isNarrow = function && number < function.getNumResults() &&
                  function.getResultTypes()[number].isInteger(32);
  return isNarrow ? makeRange(kMin32, kMax32) : getRange(result);
}

/// ⌊draw · n / 2^32⌋, of a draw below 2^32 and n from 0 to 2^32.
ConstantIntRanges RangeAnalysis::inferDraw(RandIntOp draw) {
  APInt last = getRange(draw.getBound()).smax() - 1;
  return span(wide(0),
              llvm::APIntOps::smin(llvm::APIntOps::smax(last, wide(0)), wide(llvm::maxUIntN(32))));
}

/// A cast extends with sign, and cuts to a boolean.
ConstantIntRanges RangeAnalysis::inferIndexCast(arith::IndexCastOp cast) {
  ConstantIntRanges range = getRange(cast.getIn());
  if (!cast.getType().isInteger(1))
    return toWidth(range, kWidth);
  std::optional<APInt> constant = range.getConstantValue();
  return constant ? ConstantIntRanges::constant(constant->trunc(1))
                  : ConstantIntRanges::maxRange(1);
}

/// Narrower integers are not tracked, but bounded by their width.
ConstantIntRanges RangeAnalysis::inferExtension(arith::ExtUIOp extend) {
  Value narrow = extend.getIn();
  if (!isTracked(narrow.getType()))
    return makeRange(0, llvm::maxUIntN(narrow.getType().getIntOrFloatBitWidth()));
  ConstantIntRanges range = getRange(narrow);
  return span(range.umin().zext(kWidth), range.umax().zext(kWidth));
}

/// Bindings give integers of 32 bits, or the known elements; a formula is bounded by its range
/// and those.
ConstantIntRanges RangeAnalysis::inferParam(ParamOp param) {
  if (param && param.getElements() && !param.getElements()->empty()) {
    auto [least, most] =
        std::minmax_element(param.getElements()->begin(), param.getElements()->end());
    return makeRange(*least, *most);
  }
  ConstantIntRanges given = makeRange(kMin32, kMax32);
  if (!param || !param.hasInit())
    return given;
  auto [entry, isNew] = known->try_emplace(param, given);
  if (isNew) { // parameters are not recursive
    RangeAnalysis formula(param, known);
    Value value = cast<YieldOp>(param.getInit().front().getTerminator()).getValue();
    ConstantIntRanges range = given.rangeUnion(formula.getRange(value));
    known->at(param) = range;
    return range;
  }
  return entry->second;
}

ConstantIntRanges RangeAnalysis::inferRead(ReadOp read) {
  ValueOp value = program.lookupValue(read.getValue());
  if (value.getKind() == Kind::Token)
    return makeRange(0, *value.getVocabularySize() - 1);
  return makeRange(kMin32, kMax32);
}

/// Whether an operation is unsigned or wide in 64 bits: in 128 it would give other results.
static bool takesNoSign(Operation *op) {
  return isa<arith::ShRUIOp, arith::DivUIOp, arith::CeilDivUIOp, arith::RemUIOp,
             arith::AddUIExtendedOp, arith::MulUIExtendedOp, arith::MulSIExtendedOp>(op);
}

/// Whether upstream leaves the quotient undefined, which is defined here.
static bool mayDivideByZero(Operation *op, ArrayRef<ConstantIntRanges> operands) {
  bool divides = isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
                     arith::CeilDivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
  return divides && !operands[1].smin().isStrictlyPositive() && !operands[1].smax().isNegative();
}

/// In 128 bits, so that overflow of 64 is seen.
ConstantIntRanges RangeAnalysis::inferUpstream(Operation *op, Value result) {
  auto upstream = dyn_cast<InferIntRangeInterface>(op);
  if (!upstream || isa<CastOpInterface>(op))
    return getRange(result);
  bool is64 = takesNoSign(op);
  SmallVector<ConstantIntRanges> operands;
  for (Value operand : op->getOperands()) {
    if (!isTracked(operand.getType()))
      return getRange(result);
    ConstantIntRanges range = getRange(operand);
    operands.push_back(is64 && !operand.getType().isInteger(1) ? toWidth(range, 64) : range);
  }
  if (mayDivideByZero(op, operands))
    return getRange(result);
  ConstantIntRanges range = getRange(result);
  upstream.inferResultRanges(operands, [&](Value inferred, const ConstantIntRanges &found) {
    if (inferred == result)
      range = result.getType().isInteger(1) ? found : toWidth(found, kWidth);
  });
  return range;
}

//===----------------------------------------------------------------------===//
// Rules without an upstream counterpart
//===----------------------------------------------------------------------===//

ConstantIntRanges RangeAnalysis::inferDivision(Operation *op) {
  ConstantIntRanges left = getRange(op->getOperand(0)), right = getRange(op->getOperand(1));
  APInt zero = wide(0), one = wide(1);
  bool maybeZero = right.smin().sle(zero) && right.smax().sge(zero);
  if (maybeZero)
    zeroDivisions.push_back(op);
  if (isa<FloorModOp>(op)) {
    // The remainder has the divisor's sign and is smaller.
    APInt first = right.smin().slt(zero) ? right.smin() + 1 : zero;
    APInt last = right.smax().sgt(zero) ? right.smax() - 1 : zero;
    bool unchanged = !maybeZero && left.smin().sge(zero) && right.smin().sgt(left.smax());
    return unchanged ? left : span(first, last);
  }
  // Quotients are monotonic in both operands on each side of zero.
  SmallVector<APInt> quotients;
  for (const APInt &dividend : {left.smin(), left.smax()})
    for (const APInt &divisor : {right.smin(), right.smax(), one, -one})
      if (!divisor.isZero() && divisor.sge(right.smin()) && divisor.sle(right.smax()))
        quotients.push_back(llvm::APIntOps::RoundingSDiv(dividend, divisor, APInt::Rounding::DOWN));
  if (maybeZero)
    quotients.push_back(zero);
  return hull(quotients);
}

/// Bitwise operations need at most the bits of their operands. A non-negative operand masks the
/// other one, and non-negative operands give a non-negative result.
ConstantIntRanges RangeAnalysis::inferBits(Operation *op) {
  ConstantIntRanges left = getRange(op->getOperand(0)), right = getRange(op->getOperand(1));
  bool isNatural = !left.smin().isNegative(), masks = !right.smin().isNegative();
  if (isa<arith::AndIOp>(op) && (isNatural || masks))
    return span(wide(0), !masks       ? left.smax()
                         : !isNatural ? right.smax()
                                      : llvm::APIntOps::smin(left.smax(), right.smax()));
  unsigned bits = 0; // without the sign
  for (const APInt &end : {left.smin(), left.smax(), right.smin(), right.smax()})
    bits = std::max(bits, end.getSignificantBits() - 1);
  APInt last = APInt::getLowBitsSet(kWidth, bits);
  return span(isNatural && masks ? wide(0) : ~last, last);
}

/// The product of two ranges, saturated at 128 bits: beyond that it overflows 64 in any case.
static ConstantIntRanges multiplyRanges(const ConstantIntRanges &left,
                                        const ConstantIntRanges &right) {
  SmallVector<APInt> products;
  for (const APInt &a : {left.smin(), left.smax()})
    for (const APInt &b : {right.smin(), right.smax()})
      products.push_back(a.smul_sat(b));
  return hull(products);
}

ConstantIntRanges RangeAnalysis::inferPower(PowerOp power) {
  ConstantIntRanges base = getRange(power.getBase());
  if (power.getExponent() == 0)
    return makeRange(1, 1);
  ConstantIntRanges result = base;
  for (uint64_t i = 1; i < power.getExponent(); ++i)
    result = multiplyRanges(result, base);
  bool isEven = power.getExponent() % 2 == 0;
  return isEven && result.smin().isNegative() ? span(wide(0), result.smax()) : result;
}

ConstantIntRanges RangeAnalysis::inferReduction(ReduceOp reduce) {
  Value member = cast<YieldOp>(reduce.getBody().front().getTerminator()).getValue();
  ConstantIntRanges each = getRange(member);
  APInt zero = wide(0);
  auto getSize = [&] { return wide(getLargestFamily(reduce).value_or(kMax64)); };
  switch (reduce.getKind()) {
  case Reduction::Sum: {
    APInt size = getSize();
    return hull({zero, each.smin().smul_sat(size), each.smax().smul_sat(size)});
  }
  case Reduction::Count:
    return span(zero, getSize());
  case Reduction::ArgMin:
  case Reduction::ArgMax: {
    APInt size = getSize();
    return span(zero, size.isZero() ? zero : size - 1);
  }
  case Reduction::Product: {
    APInt size = getSize();
    ConstantIntRanges product = makeRange(1, 1);
    // After 64 factors beyond ±1 nothing fits; a range within ±1 does not grow.
    for (int64_t i = 0; i < std::min<int64_t>(size.getSExtValue(), 64); ++i)
      product = product.rangeUnion(multiplyRanges(product, each));
    return product;
  }
  case Reduction::Any:
  case Reduction::All:
    return ConstantIntRanges::maxRange(1);
  default:
    return each;
  }
}
