//===- Tabulate.cpp - Replace expressions of few values by tables ---------===//
//
// Finds the largest expressions of a tick's body that few integers determine,
// builds a table of each before the tick, as far out as its operands allow, and
// looks it up in the body. Expressions that are equal for all cells are
// computed once, before the tick.
//
//===----------------------------------------------------------------------===//

#include "FewValues.h"
#include "LCI/Transforms/Support/ExactComparisons.h"
#include "LCI/Transforms/Support/IntegerRanges.h"
#include "LCI/Transforms/Support/MathFunctions.h"
#include "LCI/Transforms/Support/PassOptions.h"
#include "LCI/Transforms/Support/Ways.h"
#include "LCI/Transforms/Tick/Passes.h"
#include "TableBuilder.h"

namespace mlir::lci {
#define GEN_PASS_DEF_TABULATEPASS
#include "LCI/Transforms/Tick/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Costs, in operations of a vector of f32
//===----------------------------------------------------------------------===//

/// A function is a polynomial of some twenty operations on f64, half as many lanes per vector;
/// `pow` uses double-double arithmetic.
static constexpr int64_t kFunctionCost = 40, kBinaryFunctionCost = 100, kDivisionCost = 8,
                         kThresholdCost = 20, kLoadCost = 3;

static int64_t costOf(Operation *op) {
  if (auto power = dyn_cast<PowerOp>(op))
    return power.getExponent();
  if (auto function = dyn_cast<ElementaryOp>(op);
      function && llvm::is_contained({Elementary::Sqrt, Elementary::Rsqrt}, function.getFunction()))
    return 2 * kDivisionCost;
  if (isa<ElementaryBinaryOp>(op) || getElementaryBinary(op))
    return kBinaryFunctionCost;
  if (isa<ElementaryOp>(op) || getElementary(op))
    return kFunctionCost;
  if (isa<ThresholdOp>(op))
    return kThresholdCost;
  if (isa<FloorDivOp, FloorModOp, arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::RemSIOp,
          arith::DivUIOp, arith::RemUIOp, math::SqrtOp>(op))
    return kDivisionCost;
  if (isa<tensor::ExtractOp>(op))
    return kLoadCost;
  // Constants, and casts, which vanish once arithmetic is narrow.
  return op->getNumOperands() == 0 || isa<CastOpInterface>(op) ? 0 : 1;
}

/// A load and its index computation.
static int64_t costOfLookUp(ArrayRef<FewInteger> deciders) {
  return deciders.empty() ? 0 : kLoadCost + static_cast<int64_t>(deciders.size());
}

/// Whether a loop draws shares of a loop-invariant whole: then one limit per draw replaces all
/// quotients and thresholds (`shareLimit`).
static bool drawsShares(BernoulliOp draw) {
  auto quotient = draw.getProbability().getDefiningOp<arith::DivFOp>();
  auto loop = dyn_cast<scf::ForOp>(draw->getParentOp());
  return quotient && loop && loop.isDefinedOutsideOfLoop(quotient.getRhs());
}

/// Splits a draw with a probability into a threshold, which may be tabulated, and a draw below it.
static void splitDraws(TickOp tick) {
  SmallVector<BernoulliOp> draws;
  tick.getBody().walk([&](BernoulliOp draw) {
    if (!drawsShares(draw))
      draws.push_back(draw);
  });
  for (BernoulliOp draw : draws) {
    OpBuilder builder(draw);
    Value threshold = builder.createOrFold<ThresholdOp>(draw.getLoc(), builder.getI64Type(),
                                                        draw.getProbability());
    Value below = DrawBelowOp::create(builder, draw.getLoc(), builder.getI1Type(), threshold,
                                      draw.getNumber(), draw.getStream());
    draw.replaceAllUsesWith(below);
    draw.erase();
  }
}

//===----------------------------------------------------------------------===//
// One tick
//===----------------------------------------------------------------------===//

namespace {

struct Limits {
  int64_t maxEntries, minSaved, minLookUps;
};

/// The counts for the statistics.
struct Savings {
  int64_t numTables = 0, numConstant = 0, numEntries = 0, numScalars = 0, saved = 0;
};

class TickTables {
public:
  TickTables(TickOp tick, DataFlowSolver &solver, Limits limits)
      : tick(tick), few(tick, solver, limits.maxEntries), solver(solver), limits(limits) {}

  Savings run() {
    plan();
    Savings savings;
    for (TableBuilder &table : planned) {
      table.replaceRoot();
      add(table, savings);
    }
    for (Operation *op : coveredOps)
      if (isOpTriviallyDead(op))
        op->erase();
    return savings;
  }

private:
  /// Users first, so that the largest expressions are found first.
  void plan() {
    SmallVector<Operation *> ops;
    tick.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) // operands first: a long chain would be a deep recursion
      few.findBehind(op);
    for (Operation *op : llvm::reverse(ops)) {
      if (covered.contains(op) || op->use_empty() || op->hasTrait<OpTrait::ConstantLike>())
        continue;
      if (std::optional<Deciders> deciders = few.findBehind(op))
        consider(Expression(op, *deciders));
    }
  }

  /// Plans a table for an expression if it saves enough.
  void consider(Expression expression) {
    SmallVector<Operation *> exclusive = findExclusive(expression);
    for (Operation *op : exclusive)
      expression.saved += costOf(op);
    expression.saved -= costOfLookUp(expression.deciders);
    if (expression.saved < limits.minSaved)
      return;
    TableBuilder table(tick, solver, std::move(expression));
    if (!pays(table))
      return;
    covered.insert(exclusive.begin(), exclusive.end());
    coveredOps.append(exclusive);
    planned.push_back(std::move(table));
  }

  /// The operations of an expression without other users, users first. Operations outside of the
  /// root's loop are not computed as often and do not count.
  SmallVector<Operation *> findExclusive(const Expression &expression) {
    Operation *root = expression.root();
    llvm::SmallPtrSet<Operation *, 16> mine;
    SmallVector<Operation *> exclusive;
    for (Operation *op : llvm::reverse(expression.ops)) {
      auto isMine = [&](Operation *user) { return mine.contains(user) || covered.contains(user); };
      if (op->getBlock() != root->getBlock() ||
          (op != root && !llvm::all_of(op->getUsers(), isMine)))
        continue;
      mine.insert(op);
      exclusive.push_back(op);
    }
    return exclusive;
  }

  /// Whether a computed table is read much more often than it is computed.
  bool pays(const TableBuilder &table) const {
    return table.isConstant() || table.getExpression().isScalar() ||
           table.countEntries() * limits.minLookUps <= table.countCells();
  }

  static void add(const TableBuilder &table, Savings &savings) {
    Operation *root = table.getExpression().root();
    took(root, table.getExpression().isScalar() ? Way::SameForAll
               : table.isConstant()             ? Way::ConstantTable
                                                : Way::ComputedTable);
    savings.saved += table.getExpression().saved;
    if (table.getExpression().isScalar()) {
      ++savings.numScalars;
      return;
    }
    ++savings.numTables;
    savings.numConstant += table.isConstant();
    savings.numEntries += table.countEntries();
  }

  TickOp tick;
  FewValues few;
  DataFlowSolver &solver;
  Limits limits;
  SmallVector<TableBuilder, 0> planned;
  llvm::SmallPtrSet<Operation *, 32> covered;
  SmallVector<Operation *> coveredOps; ///< users first
};

struct Tabulate : mlir::lci::impl::TabulatePassBase<Tabulate> {
  using TabulatePassBase::TabulatePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkOptions(context, {{"max-entries", maxEntries, 0},
                                  {"min-saved", minSaved, -1000},
                                  {"min-look-ups", minLookUps, 0}});
  }

  void runOnOperation() override {
    SmallVector<TickOp> ticks;
    getOperation()->walk([&](TickOp tick) {
      if (tick.hasTensorSemantics())
        ticks.push_back(tick);
    });
    llvm::for_each(ticks, splitDraws);
    // Ticks are isolated: changes of one do not affect another.
    for (TickOp tick : ticks) {
      if (failed(computeOnIntegers(tick)))
        return signalPassFailure();
      DataFlowSolver solver;
      if (failed(analyzeRanges(solver, tick)))
        return signalPassFailure();
      count(TickTables(tick, solver, {maxEntries, minSaved, minLookUps}).run());
    }
  }

  void count(const Savings &savings) {
    numTables += savings.numTables;
    numConstant += savings.numConstant;
    numEntries += savings.numEntries;
    numScalars += savings.numScalars;
    numSaved += savings.saved;
  }
};

} // namespace
