//===- PatternDriver.cpp - Apply patterns that may be wrong ---------------===//
//
// Operations that a rewrite erases stay in memory until it is over, so that all of it can be
// checked. Sweeps over all operations follow each other until one changes nothing.
//
//===----------------------------------------------------------------------===//

#include "PatternDriver.h"
#include "LCI/Dialect/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::lci;

namespace {
/// The rewriter of all patterns.
class GuardedRewriter : public PatternRewriter {
public:
  explicit GuardedRewriter(MLIRContext *context) : PatternRewriter(context), watch(*this) {
    setListener(&watch);
  }

  void replaceOp(Operation *op, ValueRange values) override;
  void replaceOp(Operation *op, Operation *other) override { replaceOp(op, other->getResults()); }
  void eraseOp(Operation *op) override {
    if (succeeded(checkHere(op)))
      gone.insert(op);
  }

  /// Ends a rewrite: erased operations go, and those that nobody uses any more because of that.
  LogicalResult finish();
  /// Whether an operation of the current sweep is there no longer.
  bool isErased(Operation *op) const { return erased.contains(op); }
  void beginSweep() { erased.clear(); }
  bool isBroken() const { return broken; }

private:
  struct Watch : RewriterBase::Listener {
    explicit Watch(GuardedRewriter &rewriter) : rewriter(rewriter) {}
    void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint previous) override;
    GuardedRewriter &rewriter;
  };

  /// The first step that is wrong is an error.
  InFlightDiagnostic fail(Operation *op, ErrorId id, const Twine &message) {
    broken = true;
    return emitError(op->getLoc()) << id << message;
  }
  LogicalResult checkHere(Operation *op);
  void eraseNow(Operation *op);
  void eraseUnused(SetVector<Operation *> maybe);

  Watch watch;
  SetVector<Operation *> gone;
  llvm::DenseSet<Operation *> erased;
  bool broken = false;
};
} // namespace

static std::string nameOf(Operation *op) { return op->getName().getStringRef().str(); }

/// A new operation is verified before anybody else looks at it. A terminator stands before the one
/// that it replaces until that is gone, and is verified with all the rest.
void GuardedRewriter::Watch::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) {
  if (!rewriter.broken && !op->hasTrait<OpTrait::IsTerminator>())
    rewriter.broken = failed(verify(op));
}

LogicalResult GuardedRewriter::checkHere(Operation *op) {
  if (broken)
    return failure();
  if (!gone.contains(op))
    return success();
  return fail(op, ErrorId::InvalidReference,
              "a pattern erases or replaces '" + nameOf(op) + "' twice");
}

void GuardedRewriter::replaceOp(Operation *op, ValueRange values) {
  if (failed(checkHere(op)))
    return;
  if (values.size() != op->getNumResults()) {
    fail(op, ErrorId::InvalidTypes,
         "expected " + Twine(op->getNumResults()) + " values in place of the results of '" +
             nameOf(op) + "', but a pattern gives " + Twine(values.size()));
    return;
  }
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    if (!value || value.getType() != result.getType() || value.getDefiningOp() == op) {
      fail(op, ErrorId::InvalidTypes,
           "expected another value of the same type in place of a result of '" + nameOf(op) + "'");
      return;
    }
  op->replaceAllUsesWith(values);
  gone.insert(op);
}

void GuardedRewriter::eraseNow(Operation *op) {
  op->walk([this](Operation *nested) { erased.insert(nested); });
  op->erase();
}

void GuardedRewriter::eraseUnused(SetVector<Operation *> maybe) {
  while (!maybe.empty()) {
    Operation *op = maybe.pop_back_val();
    if (isErased(op) || !isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *user = operand.getDefiningOp())
        maybe.insert(user);
    eraseNow(op);
  }
}

/// Whether an operation is one of a set, or within one.
static bool isWithin(const SetVector<Operation *> &all, Operation *op) {
  return llvm::any_of(all, [&](Operation *other) { return other->isAncestor(op); });
}

LogicalResult GuardedRewriter::finish() {
  SetVector<Operation *> all = std::exchange(gone, {}), used;
  if (broken)
    return failure();
  for (Operation *op : all)
    for (Operation *user : op->getUsers())
      if (!isWithin(all, user))
        return fail(op, ErrorId::InvalidReference,
                    "a pattern erases '" + nameOf(op) + "', which is used");
  for (Operation *op : all)
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp())
        used.insert(definition);
  for (Operation *op : all)
    op->dropAllUses(); // of others that go
  SetVector<Operation *> outer = all;
  outer.remove_if(
      [&](Operation *op) { return op->getParentOp() && isWithin(all, op->getParentOp()); });
  for (Operation *op : outer)
    eraseNow(op);
  eraseUnused(std::move(used));
  return success();
}

/// More rewrites than patterns need that come to an end.
static int64_t mostRewrites(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *) { ++count; });
  return 10000 + 10 * count;
}

/// Tries all patterns on an operation; tells whether one applied.
static FailureOr<bool> rewrite(Operation *op, PatternApplicator &applicator,
                               GuardedRewriter &rewriter) {
  if (rewriter.isErased(op))
    return false;
  rewriter.setInsertionPoint(op);
  bool isRewritten = succeeded(applicator.matchAndRewrite(op, rewriter));
  if (rewriter.isBroken() || failed(rewriter.finish()))
    return failure();
  return isRewritten;
}

LogicalResult mlir::lci::applyGuarded(Operation *root, const FrozenRewritePatternSet &patterns) {
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  GuardedRewriter rewriter(root->getContext());
  int64_t applied = 0, before = -1, most = mostRewrites(root);
  while (std::exchange(before, applied) != applied) {
    SmallVector<Operation *> operations;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { operations.push_back(op); });
    rewriter.beginSweep();
    for (Operation *op : llvm::drop_begin(operations)) {
      FailureOr<bool> isRewritten = rewrite(op, applicator, rewriter);
      if (failed(isRewritten))
        return failure();
      applied += *isRewritten;
      if (applied > most)
        return emitError(root->getLoc(), "the patterns of --lci-apply-patterns still apply after ")
               << ErrorId::NotLowered << applied << " rewrites; expected that they come to an end";
    }
  }
  return success();
}
