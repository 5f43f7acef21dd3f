//===- ExposeThreads.cpp - Give every operation an outer parallel loop ----===//
//
// Kernels are made of outermost parallel loops. Operations with a reduction outside of a parallel
// loop get their loops interchanged, loops that fill a buffer become parallel, and operations
// without any parallel loop get one, so that no access to the device's buffers stays on the host.
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

/// Gives an operation a parallel loop of one iteration.
static void enclose(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ParallelOp::create(builder, loc, zero, one, one);
  op->moveBefore(loop.getBody(), loop.getBody()->begin());
}

/// The loops of an operation with the parallel ones first, each kind in its order.
static SmallVector<unsigned> getOrder(linalg::LinalgOp op) {
  SmallVector<unsigned> order, reductions;
  op.getParallelDims(order);
  op.getReductionDims(reductions);
  llvm::append_range(order, reductions);
  return order;
}

/// Whether indices differ between iterations: they contain all induction variables, and are
/// invariant otherwise.
static bool differPerIteration(ValueRange indices, ArrayRef<Value> inductionVars,
                               scf::ForOp outermost) {
  return llvm::all_of(
             inductionVars,
             [&](Value inductionVar) { return llvm::is_contained(indices, inductionVar); }) &&
         llvm::all_of(indices, [&](Value index) {
           return llvm::is_contained(inductionVars, index) ||
                  outermost.isDefinedOutsideOfLoop(index);
         });
}

/// The loops of a nest that stores one element in each iteration, at the induction variables; none
/// for other loops. Then no iteration depends on another one.
static SmallVector<scf::ForOp> getFillingNest(scf::ForOp outermost) {
  SmallVector<scf::ForOp> nest{outermost};
  while (auto inner = dyn_cast<scf::ForOp>(nest.back().getBody()->front())) {
    if (!llvm::hasNItems(*nest.back().getBody(), 2)) // the loop and the terminator
      break;
    nest.push_back(inner);
  }
  SmallVector<Value> inductionVars =
      llvm::map_to_vector(nest, [](scf::ForOp loop) -> Value { return loop.getInductionVar(); });
  memref::StoreOp fill;
  for (Operation &op : *nest.back().getBody())
    if (auto store = dyn_cast<memref::StoreOp>(op); store && !fill)
      fill = store;
    else if (!isMemoryEffectFree(&op) && !isa<memref::LoadOp>(op))
      return {};
  bool areLoops = llvm::all_of(nest, [](scf::ForOp loop) { return loop.getNumResults() == 0; });
  if (!areLoops || !fill || !differPerIteration(fill.getIndices(), inductionVars, outermost))
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
  for (auto [loop, inductionVar] : llvm::zip_equal(nest, parallel.getInductionVars()))
    loop.getInductionVar().replaceAllUsesWith(inductionVar);
  nest.front()->erase();
}

namespace {
struct ExposeThreads : mlir::lci::impl::ExposeThreadsPassBase<ExposeThreads> {
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

  /// Visits the host's operations; the callback decides whether to enter loops and branches.
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
