//===- SplitDomain.cpp - Split ticks into boxes ---------------------------===//
//
// Splits colourings into strided boxes, then the boxes at the indices that the
// body compares with constants, because in each box the comparisons fold. The
// result is straight-line code on a dense box.
//
//===----------------------------------------------------------------------===//

#include "LCI/Analysis/AffineSystem.h"
#include "LCI/Dialect/IndexRange.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Ways.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SPLITDOMAINPASS
#include "LCI/Transforms/Tick/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Every `stride`-th index of a range, from its lower end.
struct StridedRange {
  IndexRange range;
  int64_t stride = 1;

  int64_t count() const { return range.isEmpty() ? 0 : (range.upper - range.lower) / stride + 1; }
  /// The part of it from `lower` to `upper`.
  StridedRange clip(int64_t lower, int64_t upper) const {
    int64_t first = range.lower;
    if (first < lower)
      first += llvm::divideCeil(lower - first, stride) * stride;
    return {{first, std::min(range.upper, upper)}, stride};
  }
};
using Box = SmallVector<StridedRange>;

//===----------------------------------------------------------------------===//
// Colourings
//===----------------------------------------------------------------------===//

/// A set that depends on the remainders of the indices alone: one modulus per axis (1: any index).
struct Colouring {
  SmallVector<int64_t> moduli;
  IntegerSet set; // without symbols
};
} // namespace

/// The coefficient of an index in a linear sum.
static int64_t getStep(AffineExpr sum, unsigned axis, unsigned numDims) {
  SmallVector<int64_t> point(numDims, 0);
  int64_t origin = evaluateAt(sum, point);
  point[axis] = 1;
  return evaluateAt(sum, point) - origin;
}

/// The set as a colouring, if each of its constraints is on the remainder of a sum of indices.
static std::optional<Colouring> getColouring(IntegerSet set) {
  Colouring colouring{SmallVector<int64_t>(set.getNumDims(), 1), set};
  for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
    AffineExpr expr = constraint;
    // remainder or remainder + constant
    if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
        sum && sum.getKind() == AffineExprKind::Add && isa<AffineConstantExpr>(sum.getRHS()))
      expr = sum.getLHS();
    auto remainder = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!isEquality || !remainder || remainder.getKind() != AffineExprKind::Mod)
      return std::nullopt;
    auto modulus = dyn_cast<AffineConstantExpr>(remainder.getRHS());
    // A linear sum within the remainder depends on the indices' remainders alone.
    bool isLinear = modulus && remainder.getLHS().isPureAffine();
    remainder.getLHS().walk([&](AffineExpr e) {
      isLinear &= e.getKind() != AffineExprKind::FloorDiv &&
                  e.getKind() != AffineExprKind::CeilDiv && e.getKind() != AffineExprKind::Mod;
    });
    if (!isLinear)
      return std::nullopt;
    for (unsigned axis = 0; axis < set.getNumDims(); ++axis)
      if (int64_t step = getStep(remainder.getLHS(), axis, set.getNumDims()))
        colouring.moduli[axis] = std::lcm(colouring.moduli[axis],
                                          modulus.getValue() / std::gcd(step, modulus.getValue()));
  }
  return colouring;
}

/// Calls `visit` for every tuple below the limits, in row-major order.
static void forEachTuple(ArrayRef<int64_t> limits,
                         llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> tuple(limits.size(), 0);
  if (llvm::is_contained(limits, 0))
    return;
  while (true) {
    visit(tuple);
    int64_t axis = limits.size() - 1;
    while (axis >= 0 && ++tuple[axis] == limits[axis])
      tuple[axis--] = 0;
    if (axis < 0)
      return;
  }
}

namespace {
class TickSplitter {
public:
  TickSplitter(TickOp tick, int64_t maxBoxes, int64_t maxOperations)
      : tick(tick), maxBoxes(maxBoxes), maxOperations(maxOperations), b(tick) {}
  /// Returns the number of boxes, and counts folded tests.
  int64_t split(int64_t &numFolded);

private:
  SmallVector<Box> cutColours(bool &decided);
  SmallVector<Box> cutAtTests(ArrayRef<Box> boxes);
  SmallVector<SmallVector<int64_t>> findCuts();
  /// The chained operands of the next box.
  struct Written {
    Value target, counts, scores;
  };
  void emit(const Box &box, Written &written, bool keepCells, int64_t &numFolded);
  int64_t foldTests(TickOp piece, const Box &box);

  TickOp tick;
  int64_t maxBoxes, maxOperations;
  OpBuilder b;
};
} // namespace

/// The boxes of the tick's colouring; one box and not `decided` if its set is none.
SmallVector<Box> TickSplitter::cutColours(bool &decided) {
  Box whole;
  for (int64_t extent : cast<ShapedType>(tick.getTarget().getType()).getShape())
    whole.push_back({{0, extent - 1}, 1});
  std::optional<IntegerSet> cells = tick.getCells();
  decided = !cells;
  APInt phase;
  // The batching of calls selects the active cells; each box would be another copy of the model.
  bool callsModel = !tick.getBody().getOps<func::CallOp>().empty();
  if (!cells || callsModel || !matchPattern(tick.getPhase(), m_ConstantInt(&phase)))
    return {whole};
  MLIRContext *context = tick.getContext();
  AffineExpr constant = getAffineConstantExpr(phase.getSExtValue(), context);
  SmallVector<AffineExpr> dims;
  for (unsigned i = 0; i < cells->getNumDims(); ++i)
    dims.push_back(getAffineDimExpr(i, context));
  IntegerSet set = cells->replaceDimsAndSymbols(dims, {constant}, dims.size(), 0);
  std::optional<Colouring> colouring = getColouring(set);
  if (!colouring)
    return {whole};
  SmallVector<Box> boxes;
  forEachTuple(colouring->moduli, [&](ArrayRef<int64_t> remainders) {
    if (!containsPoint(set, remainders))
      return;
    Box box;
    for (auto [part, first, modulus] : llvm::zip(whole, remainders, colouring->moduli))
      box.push_back(StridedRange{{first, part.range.upper}, modulus});
    boxes.push_back(box);
  });
  decided = static_cast<int64_t>(boxes.size()) <= maxBoxes;
  return decided ? boxes : SmallVector<Box>{whole};
}

//===----------------------------------------------------------------------===//
// Tests on indices
//===----------------------------------------------------------------------===//

namespace {
/// sign · index(axis) + offset, or a constant (no axis).
struct IndexForm {
  int64_t sign = 0, offset = 0;
  unsigned axis = 0;
};
} // namespace

static std::optional<IndexForm> getIndexForm(TickOp tick, Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return IndexForm{0, *constant, 0};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != &tick.getBody().front() || argument.getArgNumber() >= tick.getRank())
      return std::nullopt;
    return IndexForm{1, 0, argument.getArgNumber()};
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::IndexCastOp>(op))
    return getIndexForm(tick, op->getOperand(0));
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto lhs = getIndexForm(tick, op->getOperand(0)), rhs = getIndexForm(tick, op->getOperand(1));
  if (!lhs || !rhs || (lhs->sign != 0 && rhs->sign != 0))
    return std::nullopt;
  unsigned axis = lhs->sign != 0 ? lhs->axis : rhs->axis;
  if (isa<arith::AddIOp>(op))
    return IndexForm{lhs->sign + rhs->sign, lhs->offset + rhs->offset, axis};
  if (isa<arith::SubIOp>(op))
    return IndexForm{lhs->sign - rhs->sign, lhs->offset - rhs->offset, axis};
  const IndexForm &moving = lhs->sign != 0 ? *lhs : *rhs;
  int64_t factor = lhs->sign != 0 ? rhs->offset : lhs->offset;
  IndexForm product{moving.sign * factor, moving.offset * factor, axis};
  return std::abs(product.sign) <= 1 ? std::optional(product) : std::nullopt;
}

/// A comparison of one index with a constant: `index <predicate> limit`.
static std::optional<std::pair<unsigned, int64_t>> getLimit(TickOp tick, arith::CmpIOp test) {
  auto lhs = getIndexForm(tick, test.getLhs()), rhs = getIndexForm(tick, test.getRhs());
  if (!lhs || !rhs || (lhs->sign == 0) == (rhs->sign == 0))
    return std::nullopt;
  if (lhs->sign == 0)
    std::swap(lhs, rhs);
  return std::make_pair(lhs->axis, (rhs->offset - lhs->offset) * lhs->sign);
}

/// The result of a comparison at an index.
static bool evaluateTestAt(TickOp tick, arith::CmpIOp test, int64_t index) {
  auto value = [&](Value side) {
    IndexForm form = *getIndexForm(tick, side);
    return APInt(64, form.sign * index + form.offset, /*isSigned=*/true);
  };
  return arith::applyCmpPredicate(test.getPredicate(), value(test.getLhs()), value(test.getRhs()));
}

/// For each axis the indices at which a box must begin, ascending, so that every comparison of the
/// body is constant within a box.
SmallVector<SmallVector<int64_t>> TickSplitter::findCuts() {
  SmallVector<SmallVector<int64_t>> cuts(tick.getRank());
  ArrayRef<int64_t> shape = cast<ShapedType>(tick.getTarget().getType()).getShape();
  tick.getBody().walk([&](arith::CmpIOp test) {
    auto limit = getLimit(tick, test);
    if (!limit)
      return;
    for (int64_t cut : {limit->second, limit->second + 1})
      if (cut > 0 && cut < shape[limit->first] &&
          evaluateTestAt(tick, test, cut - 1) != evaluateTestAt(tick, test, cut))
        cuts[limit->first].push_back(cut);
  });
  for (SmallVector<int64_t> &axis : cuts) {
    llvm::sort(axis);
    axis.erase(llvm::unique(axis), axis.end());
  }
  return cuts;
}

/// Splits every box at the comparisons of the body, axis by axis from the last (which becomes the
/// vector axis), as long as there are not too many. A body with loops or calls of models is not
/// split: comparisons are not its cost, and it is large.
SmallVector<Box> TickSplitter::cutAtTests(ArrayRef<Box> boxes) {
  SmallVector<Box> pieces(boxes);
  if (llvm::any_of(tick.getBody().front(),
                   [](Operation &op) { return op.getNumRegions() != 0 || isa<func::CallOp>(op); }))
    return pieces;
  SmallVector<SmallVector<int64_t>> cuts = findCuts();
  // Each box is another copy of the body.
  int64_t numOperations = llvm::range_size(tick.getBody().front());
  int64_t limit = std::min(maxBoxes, maxOperations / numOperations);
  for (unsigned axis : llvm::reverse(llvm::seq(tick.getRank()))) {
    SmallVector<Box> finer;
    for (const Box &box : pieces) {
      int64_t lower = 0;
      SmallVector<int64_t> ends(cuts[axis]);
      ends.push_back(box[axis].range.upper + 1);
      for (int64_t end : ends) {
        Box piece = box;
        piece[axis] = box[axis].clip(lower, end - 1);
        if (piece[axis].count() != 0)
          finer.push_back(piece);
        lower = end;
      }
    }
    if (static_cast<int64_t>(finer.size()) > limit)
      break;
    pieces = std::move(finer);
  }
  return pieces;
}

/// The result of a comparison for all cells of a box, if it is the same.
static std::optional<bool> evaluateTest(TickOp tick, arith::CmpIOp test, const Box &box) {
  auto limit = getLimit(tick, test);
  if (!limit)
    return std::nullopt;
  const IndexRange &range = box[limit->first].range;
  bool answer = evaluateTestAt(tick, test, range.lower);
  // Within the range the result can only change at the limit.
  for (int64_t index : {limit->second, range.upper})
    if (index >= range.lower && index <= range.upper && evaluateTestAt(tick, test, index) != answer)
      return std::nullopt;
  return answer;
}

int64_t TickSplitter::foldTests(TickOp piece, const Box &box) {
  int64_t numFolded = 0;
  piece.getBody().walk([&](arith::CmpIOp test) {
    std::optional<bool> answer = evaluateTest(piece, test, box);
    if (!answer)
      return;
    OpBuilder inside(test);
    auto constant = arith::ConstantOp::create(inside, test.getLoc(), inside.getBoolAttr(*answer));
    test.replaceAllUsesWith(constant.getResult());
    test.erase();
    ++numFolded;
  });
  return numFolded;
}

//===----------------------------------------------------------------------===//
// The chain of boxes
//===----------------------------------------------------------------------===//

void TickSplitter::emit(const Box &box, Written &written, bool keepCells, int64_t &numFolded) {
  auto piece = cast<TickOp>(b.clone(*tick));
  piece.getTargetMutable().assign(written.target);
  if (written.counts)
    piece.getCountsMutable().assign(written.counts);
  if (written.scores)
    piece.getScoresMutable().assign(written.scores);
  SmallVector<int64_t> offsets, extents, strides;
  for (const StridedRange &part : box) {
    offsets.push_back(part.range.lower);
    extents.push_back(part.count());
    strides.push_back(part.stride);
  }
  piece.setStaticOffsets(offsets);
  piece.setStaticExtents(extents);
  piece.setStrides(strides);
  if (!keepCells)
    piece.removeCellsAttr();
  numFolded += foldTests(piece, box);
  written = {piece.getResult(0), piece.getCountsAfter(), piece.getScoresAfter()};
}

int64_t TickSplitter::split(int64_t &numFolded) {
  bool decided = false;
  SmallVector<Box> colours = cutColours(decided);
  // A colour may have no cell on a short axis.
  llvm::erase_if(colours, [](const Box &box) {
    return llvm::any_of(box, [](const StridedRange &part) { return part.count() == 0; });
  });
  SmallVector<Box> boxes = cutAtTests(colours);
  Written written{tick.getTarget(), tick.getCounts(), tick.getScores()};
  for (const Box &box : boxes)
    emit(box, written, !decided, numFolded);
  tick.getResult(0).replaceAllUsesWith(written.target);
  if (written.counts)
    tick.getCountsAfter().replaceAllUsesWith(written.counts);
  if (written.scores)
    tick.getScoresAfter().replaceAllUsesWith(written.scores);
  tick.erase();
  return boxes.size();
}

namespace {
struct SplitDomain : mlir::lci::impl::SplitDomainPassBase<SplitDomain> {
  using SplitDomainPassBase::SplitDomainPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context,
                        {{"max-boxes", maxBoxes, 1}, {"max-operations", maxOperations, 0}});
  }

  void runOnOperation() override {
    SmallVector<TickOp> ticks;
    getOperation().walk([&](TickOp tick) {
      // A scalar has no axis, and an unknown extent cannot be split. A model dominates the cost of
      // its tick; boxes would only be more copies to compile.
      auto cells = cast<ShapedType>(tick.getTarget().getType());
      if (tick.hasTensorSemantics() && cells.hasStaticShape() && !tick.hasBox() &&
          tick.getRank() > 0 && !tick.callsModel())
        ticks.push_back(tick);
    });
    for (TickOp tick : ticks) {
      int64_t folded = 0;
      func::FuncOp function = getOperation();
      int64_t boxes = TickSplitter(tick, maxBoxes, maxOperations).split(folded);
      if (boxes > 1)
        took(function, Way::Boxes);
      numBoxes += boxes;
      numFolded += folded;
    }
  }
};
} // namespace
