//===- ExposeThreads.cpp - The parallel loops come first ------------------===//
//
// Kernels are made of the parallel loops around everything else. What runs a reduction outside of
// one has its loops exchanged, loops that fill a buffer are parallel, and what has no parallel loop
// at all gets one, so that nothing that touches the device's buffers stays on the host.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_EXPOSETHREADSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Gives an operation a parallel loop of one turn.
static void enclose(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ParallelOp::create(builder, loc, zero, one, one);
  op->moveBefore(loop.getBody(), loop.getBody()->begin());
}

/// The loops of an operation with the parallel ones first, and else in their order.
static SmallVector<unsigned> getOrder(linalg::LinalgOp op) {
  SmallVector<unsigned> order, reductions;
  op.getParallelDims(order);
  op.getReductionDims(reductions);
  llvm::append_range(order, reductions);
  return order;
}

/// Whether indices are others in each turn: all counters of the loops, and what is always the same.
static bool isEachTurnsOwn(ValueRange indices, ArrayRef<Value> counters, scf::ForOp outermost) {
  return llvm::all_of(counters,
                      [&](Value counter) { return llvm::is_contained(indices, counter); }) &&
         llvm::all_of(indices, [&](Value index) {
           return llvm::is_contained(counters, index) || outermost.isDefinedOutsideOfLoop(index);
         });
}

/// The loops of a nest that stores one element in each turn, at the place that the loops count;
/// none if a loop is something else. Then no turn sees what another one does.
static SmallVector<scf::ForOp> getFillingNest(scf::ForOp outermost) {
  SmallVector<scf::ForOp> nest{outermost};
  while (auto inner = dyn_cast<scf::ForOp>(nest.back().getBody()->front())) {
    if (!llvm::hasNItems(*nest.back().getBody(), 2)) // it, and the end
      break;
    nest.push_back(inner);
  }
  SmallVector<Value> counters =
      llvm::map_to_vector(nest, [](scf::ForOp loop) -> Value { return loop.getInductionVar(); });
  memref::StoreOp fill;
  for (Operation &op : *nest.back().getBody())
    if (auto store = dyn_cast<memref::StoreOp>(op); store && !fill)
      fill = store;
    else if (!isMemoryEffectFree(&op) && !isa<memref::LoadOp>(op))
      return {};
  bool areLoops = llvm::all_of(nest, [](scf::ForOp loop) { return loop.getNumResults() == 0; });
  if (!areLoops || !fill || !isEachTurnsOwn(fill.getIndices(), counters, outermost))
    return {};
  bool isRead = llvm::any_of(fill.getMemref().getUsers(), [&](Operation *user) {
    return user != fill && outermost->isAncestor(user);
  });
  return isRead ? SmallVector<scf::ForOp>() : nest;
}

/// Makes one parallel loop of a nest.
static void parallelize(MutableArrayRef<scf::ForOp> nest) {
  OpBuilder builder(nest.front());
  SmallVector<Value> lower, upper, step;
  for (scf::ForOp loop : nest) {
    lower.push_back(loop.getLowerBound());
    upper.push_back(loop.getUpperBound());
    step.push_back(loop.getStep());
  }
  auto parallel = scf::ParallelOp::create(builder, nest.front().getLoc(), lower, upper, step);
  Block *body = nest.back().getBody();
  body->getTerminator()->erase();
  parallel.getBody()->getOperations().splice(parallel.getBody()->begin(), body->getOperations());
  for (auto [loop, counter] : llvm::zip_equal(nest, parallel.getInductionVars()))
    loop.getInductionVar().replaceAllUsesWith(counter);
  nest.front()->erase();
}

namespace {
struct ExposeThreads : lci::impl::ExposeThreadsPassBase<ExposeThreads> {
  void runOnOperation() override {
    exposeOperations();
    exposeFills();
    encloseStores();
  }

private:
  void exposeOperations() {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      if (op.getNumParallelLoops() == 0)
        enclose(op);
      else if (SmallVector<unsigned> order = getOrder(op); !llvm::is_sorted(order))
        exchange(op, order);
  }

  /// Visits what is the host's, and what is in loops and branches of the host if that is wanted.
  void walkHost(llvm::function_ref<WalkResult(Operation *)> visit) {
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      return isa<scf::ParallelOp, linalg::LinalgOp, gpu::LaunchOp>(op) ? WalkResult::skip()
                                                                       : visit(op);
    });
  }

  void exposeFills() {
    SmallVector<SmallVector<scf::ForOp>> fills;
    walkHost([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      SmallVector<scf::ForOp> nest;
      if (loop)
        nest = getFillingNest(loop);
      if (nest.empty())
        return WalkResult::advance();
      fills.push_back(nest);
      return WalkResult::skip();
    });
    for (SmallVector<scf::ForOp> &nest : fills)
      parallelize(nest);
  }

  void encloseStores() {
    SmallVector<memref::StoreOp> stores;
    walkHost([&](Operation *op) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        stores.push_back(store);
      return WalkResult::advance();
    });
    for (memref::StoreOp store : stores)
      enclose(store);
  }

  void exchange(linalg::LinalgOp op, ArrayRef<unsigned> order) {
    IRRewriter rewriter(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic)
      generic = *linalg::generalizeNamedOp(rewriter, op);
    FailureOr<linalg::GenericOp> exchanged = linalg::interchangeGenericOp(rewriter, generic, order);
    assert(succeeded(exchanged) && "every order of loops is one");
    (void)exchanged;
    ++numExchanged;
  }
};
} // namespace
