//===- Tabulate.cpp - Look up what few integers decide --------------------===//
//
// Finds the largest expressions of a tick's body that few integers decide, builds a table of each
// before the tick, as far out as what it is computed from allows, and looks it up in the body. What
// nothing decides that differs between cells is computed once, before the tick.
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

/// A function is a polynomial of some twenty operations of f64, of which a vector holds half as
/// many; `pow` works with sums of two numbers.
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

/// A load, and where its element is.
static int64_t costOfLookUp(ArrayRef<FewInteger> deciders) {
  return deciders.empty() ? 0 : kLoadCost + static_cast<int64_t>(deciders.size());
}

/// Whether a loop draws shares of a whole that it does not change: there one limit for the draw
/// decides all of them (`shareLimit`), without quotients and thresholds.
static bool drawsShares(BernoulliOp draw) {
  auto quotient = draw.getProbability().getDefiningOp<arith::DivFOp>();
  auto loop = dyn_cast<scf::ForOp>(draw->getParentOp());
  return quotient && loop && loop.isDefinedOutsideOfLoop(quotient.getRhs());
}

/// A draw with a probability is one below its threshold, which may then be looked up.
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

/// What was done, for the statistics.
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
    for (Operation *op : swallowedOps)
      if (isOpTriviallyDead(op))
        op->erase();
    return savings;
  }

private:
  /// Users come before what they use: the largest expressions are found first.
  void plan() {
    SmallVector<Operation *> ops;
    tick.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : llvm::reverse(ops)) {
      if (swallowed.contains(op) || op->use_empty() || op->hasTrait<OpTrait::ConstantLike>())
        continue;
      if (std::optional<Deciders> deciders = few.findBehind(op))
        consider(Expression(op, *deciders));
    }
  }

  /// Takes an expression if looking it up saves enough.
  void consider(Expression expression) {
    SmallVector<Operation *> own = findOwn(expression);
    for (Operation *op : own)
      expression.saved += costOf(op);
    expression.saved -= costOfLookUp(expression.deciders);
    if (expression.saved < limits.minSaved)
      return;
    TableBuilder table(tick, solver, std::move(expression));
    if (!pays(table))
      return;
    swallowed.insert(own.begin(), own.end());
    swallowedOps.append(own);
    planned.push_back(std::move(table));
  }

  /// The operations of an expression that nothing else needs, users first. What stands outside of
  /// the loop that the root stands in is not computed as often.
  SmallVector<Operation *> findOwn(const Expression &expression) {
    Operation *root = expression.root();
    llvm::SmallPtrSet<Operation *, 16> mine;
    SmallVector<Operation *> own;
    for (Operation *op : llvm::reverse(expression.ops)) {
      auto isMine = [&](Operation *user) {
        return mine.contains(user) || swallowed.contains(user);
      };
      if (op->getBlock() != root->getBlock() ||
          (op != root && !llvm::all_of(op->getUsers(), isMine)))
        continue;
      mine.insert(op);
      own.push_back(op);
    }
    return own;
  }

  /// Whether a table that is not known now is looked up much more often than it is computed.
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
  llvm::SmallPtrSet<Operation *, 32> swallowed;
  SmallVector<Operation *> swallowedOps; ///< users first
};

struct Tabulate : lci::impl::TabulatePassBase<Tabulate> {
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
    // Each tick is isolated: what another one became does not matter to it.
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
