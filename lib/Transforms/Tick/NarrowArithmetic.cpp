//===- NarrowArithmetic.cpp - Narrow integer arithmetic by value ranges ---===//
//
// Upstream's arith-int-range-narrowing considers ranges alone: it keeps the
// signedness of comparisons, divisions and extrema whose operands fit the width
// only as unsigned integers, shifts by more than the width, and keeps overflow
// flags, which do not hold in fewer bits. Its patterns are correct for the
// operations selected here, once overflow flags are dropped.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Support/IntegerRanges.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::lci {
#define GEN_PASS_DEF_NARROWARITHMETICPASS
#include "LCI/Transforms/Tick/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// The ranges of the operands, and of the results unless they are comparisons; nothing if unknown.
static std::optional<SmallVector<ConstantIntRanges>> rangesOf(DataFlowSolver &solver,
                                                              Operation *op) {
  SmallVector<ConstantIntRanges> ranges;
  auto add = [&](Value value) {
    auto *lattice = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!lattice || lattice->getValue().isUninitialized())
      return false;
    ranges.push_back(lattice->getValue().getValue());
    return true;
  };
  bool known = llvm::all_of(op->getOperands(), add);
  if (!isa<arith::CmpIOp>(op))
    known = known && llvm::all_of(op->getResults(), add);
  return known ? std::optional(ranges) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

static bool isSigned(Operation *op) {
  if (auto test = dyn_cast<arith::CmpIOp>(op))
    return toUnsigned(test.getPredicate()) != test.getPredicate();
  return isa<arith::DivSIOp, arith::RemSIOp, arith::MinSIOp, arith::MaxSIOp, arith::ShRSIOp>(op);
}

/// Replaces an operation by its unsigned counterpart, which is equal for non-negative numbers.
static void makeUnsigned(Operation *op, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(op);
  Value a = op->getOperand(0), b = op->getOperand(1);
  if (auto test = dyn_cast<arith::CmpIOp>(op))
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, toUnsigned(test.getPredicate()), a, b);
  else if (isa<arith::DivSIOp>(op))
    rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, a, b);
  else if (isa<arith::RemSIOp>(op))
    rewriter.replaceOpWithNewOp<arith::RemUIOp>(op, a, b);
  else if (isa<arith::MinSIOp>(op))
    rewriter.replaceOpWithNewOp<arith::MinUIOp>(op, a, b);
  else if (isa<arith::MaxSIOp>(op))
    rewriter.replaceOpWithNewOp<arith::MaxUIOp>(op, a, b);
  else
    rewriter.replaceOpWithNewOp<arith::ShRUIOp>(op, a, b);
}

//===----------------------------------------------------------------------===//
// Operations that may be narrowed
//===----------------------------------------------------------------------===//

static bool isNonNegative(ArrayRef<ConstantIntRanges> ranges) {
  return llvm::all_of(ranges, [](const auto &range) { return range.smin().isNonNegative(); });
}

/// Whether the operation gives the same result in the narrowest width that fits all ranges.
static bool survivesNarrowing(DataFlowSolver &solver, Operation *op, ArrayRef<unsigned> widths) {
  // Modulo 2^n each of these depends on its operands modulo 2^n alone; and unsigned order is that
  // of zero-extended numbers.
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
          arith::MinUIOp, arith::MaxUIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return true;
  std::optional<SmallVector<ConstantIntRanges>> ranges = rangesOf(solver, op);
  if (!ranges)
    return false;
  // A negative number is 2^64 - a as unsigned, whose remainder differs in fewer bits.
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return isNonNegative(*ranges);
  // If one may be negative, the operands fit a width as signed integers or not at all.
  if (isSigned(op) && isNonNegative(*ranges))
    return false;
  if (isa<arith::CmpIOp, arith::DivSIOp, arith::RemSIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return true;
  // A shift must stay below the width, and the width is at least that of the amount.
  if (isa<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return (*ranges)[1].umax().ult(widths.front());
  return false;
}

namespace {

/// Erases the analysis state of erased values, as another one may get the same address, and drops
/// the overflow flags of narrowed operations.
struct Forgetter : RewriterBase::Listener {
  explicit Forgetter(DataFlowSolver &solver) : solver(solver) {}
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
      op->setAttr(flagged.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(op->getContext(),
                                                       arith::IntegerOverflowFlags::none));
  }
  void notifyOperationErased(Operation *op) override {
    solver.eraseState(solver.getProgramPointAfter(op));
    for (Value result : op->getResults())
      solver.eraseState(result);
  }
  DataFlowSolver &solver;
};

struct NarrowArithmetic : mlir::lci::impl::NarrowArithmeticPassBase<NarrowArithmetic> {
  using NarrowArithmeticPassBase::NarrowArithmeticPassBase;

  LogicalResult dropSigns() {
    DataFlowSolver solver;
    if (failed(analyzeRanges(solver, getOperation())))
      return failure();
    SmallVector<Operation *> nonNegative;
    getOperation()->walk([&](Operation *op) {
      if (!isSigned(op))
        return;
      std::optional<SmallVector<ConstantIntRanges>> ranges = rangesOf(solver, op);
      if (ranges && isNonNegative(*ranges))
        nonNegative.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : nonNegative)
      makeUnsigned(op, rewriter);
    numUnsigned += nonNegative.size();
    return success();
  }

  LogicalResult narrow() {
    static constexpr unsigned widths[] = {8, 16, 32};
    DataFlowSolver solver;
    if (failed(analyzeRanges(solver, getOperation())))
      return failure();
    SmallVector<Operation *> safe;
    getOperation()->walk([&](Operation *op) {
      if (survivesNarrowing(solver, op, widths))
        safe.push_back(op);
    });
    RewritePatternSet patterns(&getContext());
    arith::populateIntRangeNarrowingPatterns(patterns, solver, widths);
    Forgetter forgetter(solver);
    GreedyRewriteConfig config;
    config.setListener(&forgetter).setStrictness(GreedyRewriteStrictness::ExistingOps);
    return applyOpPatternsGreedily(safe, std::move(patterns), config);
  }

  void runOnOperation() override {
    if (failed(dropSigns()) || failed(narrow()))
      signalPassFailure();
  }
};

} // namespace
