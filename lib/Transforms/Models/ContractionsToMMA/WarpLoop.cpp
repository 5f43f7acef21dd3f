//===- WarpLoop.cpp - Distribution of products over warps -----------------===//
//
// Rewrites a parallel loop over blocks of outputs and cells into one over tiles and threads, in
// whole warps, because `mma.sync` and shuffles need all threads of a warp; guards the effects of
// threads beyond the end.
//
//===----------------------------------------------------------------------===//

#include "WarpLoop.h"
#include "LCI/Transforms/Models/TensorShape.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::lci;
using namespace mlir::lci::tensor_cores;

namespace {
class WarpLoop {
public:
  WarpLoop(scf::ParallelOp loop, int64_t warps) : loop(loop), b(loop), loc(loop.getLoc()) {
    for (auto [upper, step] : llvm::zip_equal(loop.getUpperBound(), loop.getStep())) {
      ends.push_back(*getConstantIntValue(upper));
      steps.push_back(*getConstantIntValue(step));
    }
    tiles = llvm::divideCeil(ends[0], steps[0] * kMembers);
    warpsOfCells = warps / std::gcd(tiles, warps);
    int64_t all = llvm::divideCeil(ends[1], steps[1] * (kWarp / kMembers));
    threads = llvm::alignTo(all, warpsOfCells) * kWarp;
  }

  void emit() {
    SmallVector<Value> lower(2, index(0)), unit(2, index(1));
    auto outer =
        scf::ParallelOp::create(b, loc, lower, ValueRange{index(tiles), index(threads)}, unit);
    outer->setAttr(kRowThreads, b.getI64IntegerAttr(warpsOfCells * kWarp));
    b.setInsertionPointToStart(outer.getBody());
    Value thread = outer.getInductionVars()[1];
    auto divide = [&](Value a, int64_t c) -> Value {
      return arith::DivUIOp::create(b, loc, a, index(c));
    };
    Value member = arith::RemUIOp::create(b, loc, thread, index(kMembers));
    Value output = plus(times(outer.getInductionVars()[0], kMembers), member);
    SmallVector<Value> places{times(output, steps[0]), times(divide(thread, kMembers), steps[1])};
    for (auto [counter, place] : llvm::zip_equal(loop.getInductionVars(), places))
      counter.replaceAllUsesWith(place);
    Value test = emitTest(places);
    Block *body = outer.getBody();
    loop.getBody()->getTerminator()->erase();
    body->getOperations().splice(std::prev(body->end()), loop.getBody()->getOperations());
    loop.erase();
    if (test)
      guardEnd(body, test);
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value plus(Value a, Value c) { return arith::AddIOp::create(b, loc, a, c); }
  Value times(Value a, int64_t c) { return arith::MulIOp::create(b, loc, a, index(c)); }

  /// Whether a thread is within the bounds; null if all are.
  Value emitTest(ArrayRef<Value> places) {
    SmallVector<int64_t> counted{tiles * kMembers * steps[0], threads / kMembers * steps[1]};
    Value test;
    for (auto [place, all, end] : llvm::zip_equal(places, counted, ends)) {
      if (all == end)
        continue;
      Value isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, place, index(end));
      test = test ? arith::AndIOp::create(b, loc, test, isIn).getResult() : isIn;
    }
    return test;
  }

  /// Guards the operations behind the last product, except exchanges between threads. No stores
  /// come before it: a kernel that packs weights separates this one from earlier stores.
  void guardEnd(Block *body, Value test) {
    SmallVector<Operation *> guarded;
    for (Operation &op : llvm::make_early_inc_range(body->without_terminator())) {
      bool isProduct =
          op.walk([](nvgpu::MmaSyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
      if (isa<gpu::ShuffleOp>(op))
        guard(guarded, test);
      if (isProduct || isa<gpu::ShuffleOp>(op))
        guarded.clear();
      else if (!op.hasTrait<OpTrait::ConstantLike>())
        guarded.push_back(&op);
    }
    guard(guarded, test);
  }

  /// Moves some operations into a branch, unless they are pure. Threads that do not take it have
  /// zeros as results.
  void guard(ArrayRef<Operation *> ops, Value test) {
    if (llvm::all_of(ops, [](Operation *op) { return isPlain(op); }))
      return;
    llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
    auto isOutside = [&, block = ops[0]->getBlock()](OpOperand &use) {
      return !inside.contains(block->findAncestorOpInBlock(*use.getOwner()));
    };
    SmallVector<Value> results;
    for (Operation *op : ops)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUses(), isOutside))
          results.push_back(result);
    b.setInsertionPointAfter(ops.back());
    auto branch = scf::IfOp::create(b, loc, ValueRange(results).getTypes(), test,
                                    /*addThenBlock=*/true, /*addElseBlock=*/!results.empty());
    for (auto [result, given] : llvm::zip_equal(results, branch.getResults()))
      result.replaceUsesWithIf(given, isOutside);
    b.setInsertionPointToStart(branch.thenBlock());
    Operation *end = scf::YieldOp::create(b, loc, results);
    for (Operation *op : ops)
      op->moveBefore(end);
    if (results.empty())
      return;
    b.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> zeros = llvm::map_to_vector(results, [&](Value result) -> Value {
      return arith::ConstantOp::create(b, loc, b.getZeroAttr(result.getType()));
    });
    scf::YieldOp::create(b, loc, zeros);
  }

  scf::ParallelOp loop;
  OpBuilder b;
  Location loc;
  SmallVector<int64_t> ends, steps;
  int64_t tiles, warpsOfCells, threads;
};
} // namespace

void tensor_cores::makeWarps(scf::ParallelOp loop, int64_t warps) { WarpLoop(loop, warps).emit(); }
