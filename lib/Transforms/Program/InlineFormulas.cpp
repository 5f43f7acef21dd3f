//===- InlineFormulas.cpp - Inline formulas -------------------------------===//
//
// Replaces `lci.apply` by the bodies of formulas, once per block and cell,
// because copies of nested formulas multiply. Depth and size are
// limited; the size is bounded from below before anything is written.
//
//===----------------------------------------------------------------------===//

#include "BindSteps.h"
#include "LCI/Analysis/Notation.h"
#include "LCI/Dialect/Declarations.h"
#include "LCI/Dialect/Limits.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::lci;

/// The location of an operation in a formula, with those of its uses from the inside out.
static Location addUse(Location place, Location use) {
  if (auto inner = dyn_cast<CallSiteLoc>(place))
    return CallSiteLoc::get(inner.getCallee(), addUse(inner.getCaller(), use));
  return CallSiteLoc::get(place, use);
}

/// Checks that formulas of declarations without a snapshot read no values.
static LogicalResult checkReads(Operation *declaration) {
  if (hasSnapshot(declaration))
    return success();
  WalkResult walked = declaration->walk([&](ReadOp read) {
    emitError(read.getLoc()) << ErrorId::WrongPlace << describe(declaration) << " reads '"
                             << read.getValue() << "', but is computed before there is a state";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

namespace {
/// Rejects formulas that are nested too deep, or too long when they are inlined. Recursion is
/// rejected by the verifier.
class UseChecker {
public:
  explicit UseChecker(ProgramOp program) : program(program) {}

  LogicalResult check(DefOp formula) {
    if (open.size() == kMaxFormulaDepth)
      return refuse(open.front());
    open.push_back(formula);
    unsigned depth = 1;
    WalkResult walked = formula.walk([&](ApplyOp apply) {
      auto used = program.lookupSymbol<DefOp>(apply.getFormula());
      if (!depths.contains(used) && failed(check(used)))
        return WalkResult::interrupt();
      depth = std::max(depth, depths.lookup(used) + 1);
      return WalkResult::advance();
    });
    open.pop_back();
    depths[formula] = depth;
    if (walked.wasInterrupted())
      return failure();
    sizes[formula] = countLeast(formula);
    return depth > kMaxFormulaDepth ? refuse(formula) : success();
  }

  /// A lower bound of the number of operations of the inlined formula, or more than the limit.
  int64_t getLeastSize(DefOp formula) const { return sizes.lookup(formula); }

private:
  /// An application with a computed index is inlined separately for each cell; of all others in a
  /// block at least one is inlined, whatever they share.
  int64_t countLeast(DefOp formula) {
    DenseMap<Block *, int64_t> longest;
    std::set<std::pair<Operation *, std::vector<void *>>> cells;
    int64_t count = 0;
    auto isComputed = [](Value index) { return !isa<BlockArgument>(index); };
    formula.getBody().walk([&](Operation *op) {
      auto apply = dyn_cast<ApplyOp>(op);
      count += !apply && !isa<YieldOp>(op);
      if (!apply)
        return;
      auto used = program.lookupSymbol<DefOp>(apply.getFormula());
      int64_t size = sizes.lookup(used), &most = longest[op->getBlock()];
      if (llvm::none_of(apply.getIndices(), isComputed))
        most = std::max(most, size);
      else if (cells.insert({used, getPointers(apply.getIndices())}).second)
        count = std::min(count + size, kMaxWrittenOut + 1);
    });
    for (int64_t most : llvm::make_second_range(longest))
      count = std::min(count + most, kMaxWrittenOut + 1);
    return count;
  }

  static std::vector<void *> getPointers(ValueRange values) {
    std::vector<void *> pointers;
    for (Value value : values)
      pointers.push_back(value.getAsOpaquePointer());
    return pointers;
  }

  static LogicalResult refuse(DefOp formula) {
    return emitError(formula.getLoc(), "formula '")
           << ErrorId::NestedTooDeep << formula.getSymName()
           << "' uses formulas that use others, more than " << kMaxFormulaDepth << " levels deep";
  }

  ProgramOp program;
  SmallVector<DefOp> open;
  DenseMap<Operation *, unsigned> depths;
  DenseMap<Operation *, int64_t> sizes;
};

/// Inlines formulas from the outside in, so that each operation is cloned to its final position at
/// once; equal applications in a block share one copy.
class Inliner {
public:
  Inliner(ProgramOp program, const UseChecker &uses)
      : program(program), uses(uses), formulas(program) {}

  /// Inlines applications in all declarations but formulas.
  LogicalResult run() {
    for (Operation &declaration : program.getBody().front())
      if (!isa<DefOp>(declaration) &&
          (failed(run(&declaration)) || failed(checkReads(&declaration))))
        return failure();
    return success();
  }

  /// The results of a formula: its value, and whether it is present.
  using Results = std::array<Value, 2>;

  LogicalResult run(Operation *op) {
    SmallVector<ApplyOp> applications;
    op->walk([&](ApplyOp apply) { applications.push_back(apply); });
    for (ApplyOp apply : applications) {
      if (uses.getLeastSize(formulas.lookup<DefOp>(apply.getFormula())) > kMaxWrittenOut)
        return refuse(apply);
      OpBuilder builder(apply);
      FailureOr<Results> results = write(apply, apply.getIndices(), apply.getLoc(), builder);
      if (failed(results))
        return failure();
      apply.replaceAllUsesWith(ArrayRef(*results));
      apply.erase();
    }
    return success();
  }

  FailureOr<Results> write(ApplyOp apply, ValueRange indices, Location use, OpBuilder &builder) {
    auto formula = formulas.lookup<DefOp>(apply.getFormula());
    auto &written = known[{builder.getInsertionBlock(), formula}];
    for (auto &[cell, results] : written)
      if (indices == ValueRange(cell))
        return results;
    FailureOr<Results> results = writeBody(formula, indices, use, builder);
    if (succeeded(results))
      known[{builder.getInsertionBlock(), formula}].emplace_back(indices, *results);
    return results;
  }

  FailureOr<Results> writeBody(DefOp formula, ValueRange indices, Location use,
                               OpBuilder &builder) {
    IRMapping mapping;
    Block &body = formula.getBody().front();
    mapping.map(body.getArguments(), indices);
    for (Operation &op : body.without_terminator())
      if (failed(writeOp(&op, mapping, use, builder)))
        return failure();
    auto yield = cast<YieldOp>(body.getTerminator());
    Value present = yield.getPresent()
                        ? mapping.lookupOrDefault(yield.getPresent())
                        : arith::ConstantIntOp::create(builder, use, 1, 1).getResult();
    return Results{mapping.lookupOrDefault(yield.getValue()), present};
  }

  LogicalResult writeOp(Operation *op, IRMapping &mapping, Location use, OpBuilder &builder) {
    if (auto apply = dyn_cast<ApplyOp>(op)) {
      auto indices = llvm::map_to_vector(
          apply.getIndices(), [&](Value index) { return mapping.lookupOrDefault(index); });
      FailureOr<Results> results = write(apply, indices, addUse(apply.getLoc(), use), builder);
      if (succeeded(results))
        mapping.map(apply.getResults(), ArrayRef(*results));
      return results;
    }
    Operation *copy = builder.clone(*op, mapping);
    // Locations of the body become locations of this use.
    copy->walk([&](Operation *inner) {
      inner->setLoc(addUse(inner->getLoc(), use));
      ++numWritten;
    });
    return numWritten > kMaxWrittenOut ? refuse(copy) : run(copy);
  }

  static LogicalResult refuse(Operation *copy) {
    return emitError(copy->getLoc(),
                     "written out where their names stand, formulas have more than ")
           << ErrorId::NestedTooDeep << kMaxWrittenOut << " operations";
  }

  ProgramOp program;
  const UseChecker &uses;
  SymbolTable formulas;
  int64_t numWritten = 0;
  std::map<std::pair<Block *, Operation *>, std::vector<std::pair<SmallVector<Value>, Results>>>
      known;
};
} // namespace

LogicalResult mlir::lci::inlineFormulas(ProgramOp program) {
  UseChecker checker(program);
  for (auto formula : program.getOps<DefOp>())
    if (failed(checker.check(formula)))
      return failure();
  return Inliner(program, checker).run();
}
