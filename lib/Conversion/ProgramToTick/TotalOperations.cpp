//===- TotalOperations.cpp - Define results for all operands --------------===//
//
// Rewrites each operation whose result is undefined or target-dependent for some operands: the
// operands are replaced by safe ones, and for the others the result of docs/models.md is selected.
// Operands that provably are safe are not guarded.
//
//===----------------------------------------------------------------------===//

#include "TotalOperations.h"
#include "LCI/Dialect/LCIOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Guards one operation: it computes on operands for which it is defined, and for the others a
/// defined result is selected.
class Guard {
public:
  explicit Guard(Operation *op) : op(op), b(op) {}

  void dropFlags();
  void divide(bool isSigned, bool isRemainder);
  Value roundUp(Value divided, Value divisor);
  void shift(bool keepsSign);
  void toInteger(bool isSigned);
  void choose(bool isLeast);
  void readBits();
  void truncate();
  void startWithZeros();
  LogicalResult extract(tensor::ExtractOp extract);
  void insert(tensor::InsertOp insert);
  void countIterations(scf::ForOp loop);

private:
  using Integer = arith::CmpIPredicate;
  using Float = arith::CmpFPredicate;

  unsigned width(Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isIndex() ? IndexType::kInternalStorageBitWidth
                             : element.getIntOrFloatBitWidth();
  }
  Value constant(Type type, TypedAttr element) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      element = DenseElementsAttr::get(shaped, element);
    return arith::ConstantOp::create(b, op->getLoc(), element);
  }
  Value integer(Type type, const APInt &value) {
    return constant(type, b.getIntegerAttr(getElementTypeOrSelf(type), value));
  }
  Value integer(Type type, int64_t value) {
    return integer(type, APInt(width(type), value, /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, op->getLoc(), condition, yes, no);
  }
  Value compare(Integer predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, op->getLoc(), predicate, x, y);
  }
  Value compare(Float predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, op->getLoc(), predicate, x, y);
  }
  Value isNaN(Value number) { return compare(Float::UNO, number, number); }
  /// Moves the builder behind the operation; `replaceBy` replaces the uses that its result has now.
  Value result() {
    b.setInsertionPointAfter(op);
    for (OpOperand &use : op->getResult(0).getUses())
      uses.push_back(&use);
    return op->getResult(0);
  }
  void replaceBy(Value value) {
    for (OpOperand *use : uses)
      use->set(value);
  }
  /// Replaces the operation itself.
  void replaceAll(Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
  Value bound(Type type, double exact, bool isUpper);
  Value clamp(Value index, Value tensor, unsigned axis);

  Operation *op;
  OpBuilder b;
  SmallVector<OpOperand *> uses;
};
} // namespace

/// Drops flags that let passes assume something of operands and results, or change bits.
void Guard::dropFlags() {
  MLIRContext *context = op->getContext();
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    op->setAttr(fast.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(context, arith::FastMathFlags::none));
  if (auto wraps = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(wraps.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(context, arith::IntegerOverflowFlags::none));
  TypeSwitch<Operation *>(op).Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
      [](auto exact) { exact.setIsExact(false); });
}

/// The quotient rounded up, from the one rounded down: upstream infers a range of `ceildivsi` that
/// excludes the minimum integer divided by two.
Value Guard::roundUp(Value divided, Value divisor) {
  Location loc = op->getLoc();
  Value down = arith::FloorDivSIOp::create(b, loc, divided, divisor);
  Value product = arith::MulIOp::create(b, loc, down, divisor);
  Value next = arith::AddIOp::create(b, loc, down, integer(divisor.getType(), 1));
  return select(compare(Integer::eq, product, divided), down, next);
}

/// A quotient by zero is zero, and a remainder is the dividend; a quotient by −1 wraps.
void Guard::divide(bool isSigned, bool isRemainder) {
  Value divided = op->getOperand(0), divisor = op->getOperand(1);
  bool isUp = isa<arith::CeilDivSIOp>(op);
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)) && !constant.isZero() &&
      !(isSigned && constant.isAllOnes()) && !isUp)
    return;
  Type type = divisor.getType();
  Value zero = integer(type, 0), one = integer(type, 1);
  Value isZero = compare(Integer::eq, divisor, zero), isMinusOne;
  Value safe = select(isZero, one, divisor);
  if (isSigned) {
    isMinusOne = compare(Integer::eq, divisor, integer(type, -1));
    safe = select(isMinusOne, one, safe);
  }
  op->setOperand(1, safe);
  Value found = result();
  if (isUp)
    found = roundUp(divided, safe);
  if (isSigned && !isRemainder)
    found = select(isMinusOne, arith::SubIOp::create(b, op->getLoc(), zero, divided), found);
  replaceBy(select(isZero, isRemainder ? divided : zero, found));
}

/// A shift by the width or more gives zero, or the sign.
void Guard::shift(bool keepsSign) {
  Value amount = op->getOperand(1);
  Type type = amount.getType();
  APInt constant;
  if (matchPattern(amount, m_ConstantInt(&constant)) && constant.ult(width(type)))
    return;
  Value fits = compare(Integer::ult, amount, integer(type, width(type)));
  op->setOperand(1, select(fits, amount, integer(type, width(type) - 1)));
  if (!keepsSign) {
    Value found = result();
    replaceBy(select(fits, found, integer(type, 0)));
  }
}

/// The number, or the nearest finite one if it is beyond the type's range.
Value Guard::bound(Type type, double exact, bool isUpper) {
  APFloat number(exact);
  bool loses = false;
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics();
  number.convert(semantics, APFloat::rmTowardZero, &loses);
  if (number.isInfinity())
    number = APFloat::getLargest(semantics, !isUpper);
  return constant(type, b.getFloatAttr(getElementTypeOrSelf(type), number));
}

/// Numbers out of range become the nearest integer in it, and NaN becomes zero.
void Guard::toInteger(bool isSigned) {
  Value number = op->getOperand(0);
  Type from = number.getType(), to = op->getResult(0).getType();
  unsigned bits = width(to);
  if (bits == 1) // LLVM's targets have another meaning
    return replaceAll(isSigned ? compare(Float::OLE, number, bound(from, -1.0, /*isUpper=*/false))
                               : compare(Float::OGE, number, bound(from, 1.0, /*isUpper=*/true)));
  // The least and the first too large integer are powers of two, which floats hold.
  Value least = bound(from, isSigned ? -std::ldexp(1.0, bits - 1) : 0.0, /*isUpper=*/false);
  Value behind = bound(from, std::ldexp(1.0, isSigned ? bits - 1 : bits), /*isUpper=*/true);
  Value isBelow = compare(Float::OLT, number, least);
  Value isAbove = compare(Float::OGE, number, behind);
  Value fits = compare(Float::ORD, number, number);
  Value zero = bound(from, 0.0, /*isUpper=*/true);
  Value safe = select(fits, select(isAbove, zero, select(isBelow, zero, number)), zero);
  op->setOperand(0, safe);
  Value found = result();
  APInt smallest = isSigned ? APInt::getSignedMinValue(bits) : APInt::getZero(bits);
  APInt largest = isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  replaceBy(select(isAbove, integer(to, largest), select(isBelow, integer(to, smallest), found)));
}

/// If one of the operands is NaN, the other; else the least or the largest. Of two zeros it is −0
/// or +0, which upstream leaves undefined.
void Guard::choose(bool isLeast) {
  Value left = op->getOperand(0), right = op->getOperand(1);
  Location loc = op->getLoc();
  Value extreme = isLeast ? arith::MinimumFOp::create(b, loc, left, right).getResult()
                          : arith::MaximumFOp::create(b, loc, left, right).getResult();
  Value number = select(isNaN(left), right, select(isNaN(right), left, extreme));
  replaceAll(number);
}

/// The bits of a NaN are those of the canonical NaN: those of a computed NaN depend on the
/// processor.
void Guard::readBits() {
  Value number = op->getOperand(0), bits = op->getResult(0);
  if (!getElementTypeOrSelf(number.getType()).isF32() || bits.getType() == number.getType())
    return;
  constexpr int64_t kNaN = 0x7fc00000;
  Value found = result();
  replaceBy(select(isNaN(number), integer(bits.getType(), kNaN), found));
}

/// An index is truncated after its cast to i64: upstream folds a cast to fewer bits and back to
/// nothing.
void Guard::truncate() {
  Type to = op->getResult(0).getType(), i64 = b.getI64Type();
  if (getElementTypeOrSelf(to).isIndex() || width(to) >= width(i64))
    return;
  if (auto shaped = dyn_cast<ShapedType>(to))
    i64 = shaped.clone(i64);
  Value whole = arith::IndexCastOp::create(b, op->getLoc(), i64, op->getOperand(0));
  replaceAll(arith::TruncIOp::create(b, op->getLoc(), to, whole));
}

/// Whether each element is written before any is read.
static bool isOverwritten(OpOperand &use) {
  auto nest = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return nest && nest.isDpsInit(&use) && !nest.payloadUsesValueFromOperand(&use) &&
         nest.getMatchingIndexingMap(&use).isProjectedPermutation() &&
         !llvm::is_contained(nest.getStaticLoopRanges(), 0);
}

/// A tensor that nothing was written to holds zeros.
void Guard::startWithZeros() {
  Value empty = op->getResult(0);
  for (OpOperand &use : empty.getUses())
    if (!isOverwritten(use))
      uses.push_back(&use);
  if (uses.empty())
    return;
  b.setInsertionPointAfter(op);
  Type type = empty.getType();
  if (op->getParentOfType<ProgramOp>()) // a vector, once it is lowered
    return replaceBy(arith::ConstantOp::create(b, op->getLoc(), b.getZeroAttr(type)));
  Type element = getElementTypeOrSelf(type);
  Value zero = arith::ConstantOp::create(b, op->getLoc(), b.getZeroAttr(element));
  replaceBy(linalg::FillOp::create(b, op->getLoc(), zero, empty).getResult(0));
}

/// Whether an index is in `[0, extent)` already.
static bool isInside(Value index, int64_t extent) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant >= 0 && *constant < extent;
  if (auto induction = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(induction.getOwner()->getParentOp());
    std::optional<int64_t> lower, upper;
    if (loop && loop.getInductionVar() == index && !loop.getUnsignedCmp()) {
      lower = getConstantIntValue(loop.getLowerBound());
      upper = getConstantIntValue(loop.getUpperBound());
    }
    return lower && upper && *lower >= 0 && *upper <= extent;
  }
  auto loop = index.getDefiningOp<linalg::IndexOp>();
  if (!loop)
    return false;
  auto nest = loop->getParentOfType<linalg::LinalgOp>();
  int64_t range = nest.getStaticLoopRanges()[loop.getDim()];
  return ShapedType::isStatic(range) && range <= extent;
}

/// The nearest index within the tensor.
Value Guard::clamp(Value index, Value tensor, unsigned axis) {
  int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(axis);
  if (ShapedType::isStatic(extent) && isInside(index, extent))
    return index;
  Location loc = op->getLoc();
  Value last = ShapedType::isStatic(extent)
                   ? arith::ConstantIndexOp::create(b, loc, extent - 1).getResult()
                   : arith::SubIOp::create(b, loc, tensor::DimOp::create(b, loc, tensor, axis),
                                           arith::ConstantIndexOp::create(b, loc, 1))
                         .getResult();
  Value first = arith::ConstantIndexOp::create(b, loc, 0);
  return arith::MinSIOp::create(b, loc, arith::MaxSIOp::create(b, loc, index, first), last);
}

/// An element outside of a tensor is the nearest one.
LogicalResult Guard::extract(tensor::ExtractOp extract) {
  RankedTensorType type = extract.getTensor().getType();
  if (llvm::is_contained(type.getShape(), 0))
    return emitError(op->getLoc())
           << ErrorId::WrongModel << "expected a tensor with elements, but '" << op->getName()
           << "' has a " << type;
  for (auto [axis, index] : llvm::enumerate(extract.getIndicesMutable()))
    index.set(clamp(index.get(), extract.getTensor(), axis));
  return success();
}

/// Outside of a tensor nothing is written: the nearest element is unchanged.
void Guard::insert(tensor::InsertOp insert) {
  RankedTensorType type = insert.getDest().getType();
  if (llvm::is_contained(type.getShape(), 0))
    return replaceAll(insert.getDest());
  Value isWithin;
  for (auto [axis, index] : llvm::enumerate(insert.getIndicesMutable())) {
    Value nearest = clamp(index.get(), insert.getDest(), axis);
    if (nearest == index.get())
      continue;
    Value isSame = compare(Integer::eq, nearest, index.get());
    isWithin = isWithin ? arith::AndIOp::create(b, op->getLoc(), isWithin, isSame) : isSame;
    index.set(nearest);
  }
  if (!isWithin)
    return;
  Value old = tensor::ExtractOp::create(b, op->getLoc(), insert.getDest(), insert.getIndices());
  insert.getScalarMutable().assign(select(isWithin, insert.getScalar(), old));
}

/// The induction variable must not pass the upper bound, which may be the maximum of its type: the
/// loop counts iterations instead. One of more than 2^63 iterations never ends in practice anyway.
void Guard::countIterations(scf::ForOp loop) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        induction = loop.getInductionVar();
  Type type = induction.getType();
  APInt last = APInt::getSignedMaxValue(width(type));
  if (!step || *step <= 1 || (end && !loop.getUnsignedCmp() && *end <= last.getSExtValue() - *step))
    return;
  Location loc = op->getLoc();
  Value one = integer(type, 1), by = integer(type, *step);
  Value isLess = compare(loop.getUnsignedCmp() ? Integer::ult : Integer::slt, lower, upper);
  Value distance = arith::SubIOp::create(b, loc, arith::SubIOp::create(b, loc, upper, lower), one);
  Value numIterations =
      arith::AddIOp::create(b, loc, arith::DivUIOp::create(b, loc, distance, by), one);
  numIterations = select(isLess, numIterations, integer(type, 0));
  if (width(type) == IndexType::kInternalStorageBitWidth)
    numIterations = arith::MinUIOp::create(b, loc, numIterations, integer(type, last));
  if (!type.isIndex())
    numIterations = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), numIterations);
  loop.setLowerBound(arith::ConstantIndexOp::create(b, loc, 0));
  loop.setUpperBound(numIterations);
  loop.setStep(arith::ConstantIndexOp::create(b, loc, 1));
  loop.setUnsignedCmp(false);
  induction.setType(b.getIndexType());
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<OpOperand *> inductionUses =
      llvm::map_to_vector(induction.getUses(), [](OpOperand &use) { return &use; });
  Value iteration = type.isIndex()
                        ? induction
                        : arith::IndexCastUIOp::create(b, loc, type, induction).getResult();
  Value shifted =
      arith::AddIOp::create(b, loc, lower, arith::MulIOp::create(b, loc, iteration, by));
  for (OpOperand *use : inductionUses)
    use->set(shifted);
}

static LogicalResult makeTotalOne(Operation *op) {
  Guard guard(op);
  guard.dropFlags();
  LogicalResult done = success();
  TypeSwitch<Operation *>(op)
      .Case<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(
          [&](auto) { guard.divide(/*isSigned=*/true, /*isRemainder=*/false); })
      .Case<arith::DivUIOp, arith::CeilDivUIOp>(
          [&](auto) { guard.divide(/*isSigned=*/false, /*isRemainder=*/false); })
      .Case([&](arith::RemSIOp) { guard.divide(/*isSigned=*/true, /*isRemainder=*/true); })
      .Case([&](arith::RemUIOp) { guard.divide(/*isSigned=*/false, /*isRemainder=*/true); })
      .Case<arith::ShLIOp, arith::ShRUIOp>([&](auto) { guard.shift(/*keepsSign=*/false); })
      .Case([&](arith::ShRSIOp) { guard.shift(/*keepsSign=*/true); })
      .Case([&](arith::FPToSIOp) { guard.toInteger(/*isSigned=*/true); })
      .Case([&](arith::FPToUIOp) { guard.toInteger(/*isSigned=*/false); })
      .Case([&](arith::MinNumFOp) { guard.choose(/*isLeast=*/true); })
      .Case([&](arith::MaxNumFOp) { guard.choose(/*isLeast=*/false); })
      .Case([&](arith::BitcastOp) { guard.readBits(); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp>([&](auto) { guard.truncate(); })
      .Case([&](tensor::EmptyOp) { guard.startWithZeros(); })
      .Case([&](tensor::InsertOp insert) { guard.insert(insert); })
      .Case([&](scf::ForOp loop) { guard.countIterations(loop); })
      .Case([&](tensor::ExtractOp extract) { done = guard.extract(extract); });
  return done;
}

LogicalResult mlir::lci::makeTotal(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) { ops.push_back(op); });
  return success(llvm::all_of(ops, [](Operation *op) { return succeeded(makeTotalOne(op)); }));
}
