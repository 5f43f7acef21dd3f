//===- FuseParallelLoops.cpp - Fuse loops that exchange vectors -----------===//
//
// Blocked products and the reductions of their results are loops over the same
// threads. If each thread reads only what it has written itself, both loops are
// fused and the values stay in registers; buffers that are no longer read are
// erased. Where one thread of a warp reads vectors of its neighbours, it gets
// them by shuffles.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/FuseParallelLoops.h"
#include "LCI/Transforms/Schedule/MergeIterations.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/NormalizedIndices.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A vector that is written to a buffer unchanged.
struct VectorWrite {
  Value buffer, vector;
  ValueRange indices;
};

/// Two loops to fuse. Each iteration of the second one corresponds to one of the first or, with
/// groups of threads that are adjacent on the first axis, to a whole group.
class ThreadPair {
public:
  ThreadPair(scf::ParallelOp first, scf::ParallelOp second, int64_t members = 1)
      : first(first), second(second), members(members), places(first, second) {}

  /// Whether both may be fused; collects the vectors forwarded to the second one.
  bool mayFuse() {
    if (!haveSameIterations() || first.getNumReductions() || second.getNumReductions())
      return false;
    SmallVector<Operation *> mine, its;
    if (!findAccesses(first, mine) || !findAccesses(second, its))
      return false;
    for (Operation *access : its)
      for (Operation *other : mine)
        if ((isWrite(access) || isWrite(other)) &&
            !areDisjoint(bufferOf(access), bufferOf(other)) && !isForwarded(access))
          return false;
    return !forwarded.empty();
  }

  /// Fuses the loops at the position of the second one.
  scf::ParallelOp fuse(RewriterBase &rewriter) {
    if (members > 1)
      restrictToFirst(rewriter);
    rewriter.setInsertionPointToStart(second.getBody());
    for (auto [load, source] : forwarded)
      rewriter.replaceOp(load, take(rewriter, source));
    if (Attribute rows = first->getDiscardableAttr(kRowThreads))
      second->setDiscardableAttr(kRowThreads, rows);
    return mergeIterations(rewriter, first, second);
  }

private:
  /// A vector, and the thread of a group that holds it.
  struct Forwarded {
    Value vector;
    int64_t member;
  };

  bool haveSameIterations() {
    auto are = [](ValueRange some, ValueRange others) {
      return llvm::equal(some, others, [](Value a, Value b) {
        return a == b ||
               (getConstantIntValue(a) && getConstantIntValue(a) == getConstantIntValue(b));
      });
    };
    if (!are(first.getLowerBound(), second.getLowerBound()) ||
        !are(first.getUpperBound(), second.getUpperBound()))
      return false;
    if (members == 1)
      return are(first.getStep(), second.getStep());
    std::optional<int64_t> begin = getConstantIntValue(first.getLowerBound().front());
    std::optional<int64_t> end = getConstantIntValue(first.getUpperBound().front());
    std::optional<int64_t> step = getFirstStep(), all = getConstantIntValue(second.getStep()[0]);
    return begin == 0 && end && step && all == *step * members && *end % *all == 0 &&
           are(first.getStep().drop_front(), second.getStep().drop_front());
  }

  std::optional<int64_t> getFirstStep() { return getConstantIntValue(first.getStep().front()); }

  /// Collects accesses of buffers; false if there are other effects on memory.
  static bool findAccesses(scf::ParallelOp loop, SmallVectorImpl<Operation *> &accesses) {
    return !loop.getBody()
                ->walk([&](Operation *op) {
                  if (isa<vector::TransferReadOp, vector::TransferWriteOp, vector::LoadOp,
                          vector::StoreOp, memref::LoadOp, memref::StoreOp>(op))
                    accesses.push_back(op);
                  else if (op->getNumRegions() == 0 && !isPure(op) &&
                           !op->hasTrait<OpTrait::IsTerminator>())
                    return WalkResult::interrupt();
                  return WalkResult::advance();
                })
                .wasInterrupted();
  }

  static bool isWrite(Operation *op) {
    return isa<vector::TransferWriteOp, vector::StoreOp, memref::StoreOp>(op);
  }

  /// A store's first operand is the stored value.
  static Value bufferOf(Operation *op) { return op->getOperand(isWrite(op) ? 1 : 0); }

  /// A write of a vector along the last axis; nothing for other operations.
  static std::optional<VectorWrite> asVectorWrite(Operation *op) {
    if (auto store = dyn_cast<vector::StoreOp>(op))
      return VectorWrite{store.getBase(), store.getValueToStore(), store.getIndices()};
    auto write = dyn_cast<vector::TransferWriteOp>(op);
    if (!write || write.getMask() || write.hasOutOfBoundsDim() ||
        !write.getPermutationMap().isMinorIdentity())
      return std::nullopt;
    return VectorWrite{write.getBase(), write.getValueToStore(), write.getIndices()};
  }

  /// Whether an access of the second loop loads a vector that the first one has stored at the top
  /// level of the same iteration, or of one of its group. A vector is along the last axis.
  bool isForwarded(Operation *access) {
    if (forwarded.contains(access))
      return true;
    auto load = dyn_cast<vector::LoadOp>(access);
    if (!load)
      return false;
    SmallVector<NormalizedIndex> at = places.find(load.getIndices());
    std::optional<Forwarded> found;
    for (Operation &op : *first.getBody()) {
      if (!isWrite(&op) || rootOf(bufferOf(&op)) != rootOf(load.getBase()))
        continue;
      std::optional<VectorWrite> write = asVectorWrite(&op);
      if (!write || write->buffer != load.getBase() || write->vector.getType() != load.getType())
        return false;
      if (std::optional<int64_t> member = findMember(places.find(write->indices), at))
        found = Forwarded{write->vector, *member};
    }
    if (!found || !isWrittenAtTop(load.getBase()))
      return false;
    forwarded[access] = *found;
    return true;
  }

  /// The thread of a group that writes at an index; nothing if there may be none.
  std::optional<int64_t> findMember(ArrayRef<NormalizedIndex> written,
                                    ArrayRef<NormalizedIndex> at) {
    int64_t member = 0;
    for (auto [mine, its] : llvm::zip_equal(written, at)) {
      if (mine == its)
        continue;
      std::optional<int64_t> step = getFirstStep();
      bool isOther = mine.isBeside(its) && member == 0 && step &&
                     llvm::count(mine.values, first.getInductionVars().front()) == 1 &&
                     (its.number - mine.number) % *step == 0;
      if (!isOther)
        return std::nullopt;
      member = (its.number - mine.number) / *step;
    }
    return member >= 0 && member < members ? std::optional(member) : std::nullopt;
  }

  /// Whether all writes to a buffer are at the top level of the first loop's body, and are disjoint
  /// or equal: blocks of vectors.
  bool isWrittenAtTop(Value buffer) {
    SmallVector<SmallVector<NormalizedIndex>> written;
    bool isKnown = true;
    first.getBody()->walk([&](Operation *op) {
      if (!isWrite(op) || areDisjoint(bufferOf(op), buffer))
        return;
      std::optional<VectorWrite> write = asVectorWrite(op);
      isKnown &= write && write->buffer == buffer && op->getBlock() == first.getBody();
      if (!isKnown)
        return;
      SmallVector<NormalizedIndex> at = places.find(write->indices);
      isKnown &= !llvm::is_contained(written, at) &&
                 (written.empty() || written.front().back() == at.back());
      written.push_back(at);
    });
    return isKnown;
  }

  /// Gives the second loop the iterations of the first one; only the first of a group executes its
  /// body.
  void restrictToFirst(RewriterBase &rewriter) {
    Location loc = second.getLoc();
    Block *body = second.getBody();
    SmallVector<Operation *> ops;
    for (Operation &op : body->without_terminator())
      ops.push_back(&op);
    rewriter.setInsertionPoint(body->getTerminator());
    Value rest = arith::RemUIOp::create(rewriter, loc, second.getInductionVars().front(),
                                        second.getStep().front());
    Value none = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, rest, none);
    auto branch = scf::IfOp::create(rewriter, loc, isFirst, /*withElseRegion=*/false);
    for (Operation *op : ops)
      rewriter.moveOpBefore(op, branch.thenBlock()->getTerminator());
    rewriter.modifyOpInPlace(second,
                             [&] { second.getStepMutable()[0].assign(first.getStep().front()); });
  }

  /// A vector of this thread, or of the one `member` lanes further on.
  Value take(RewriterBase &rewriter, const Forwarded &source) {
    if (source.member == 0)
      return source.vector;
    Location loc = second.getLoc();
    auto type = cast<VectorType>(source.vector.getType());
    Value mine = source.vector;
    bool isNarrow = type.getElementType().isInteger() && type.getElementTypeBitWidth() < 32;
    if (isNarrow)
      mine = arith::ExtUIOp::create(rewriter, loc, type.clone(rewriter.getI32Type()), mine);
    SmallVector<Value> numbers;
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
      Value number = vector::ExtractOp::create(rewriter, loc, mine, lane);
      numbers.push_back(gpu::ShuffleOp::create(rewriter, loc, number, source.member, kWarp,
                                               gpu::ShuffleMode::DOWN)
                            .getShuffleResult());
    }
    Value taken = vector::FromElementsOp::create(rewriter, loc, mine.getType(), numbers);
    return isNarrow ? arith::TruncIOp::create(rewriter, loc, type, taken) : taken;
  }

  scf::ParallelOp first, second;
  int64_t members;
  NormalizedIndices places;
  llvm::MapVector<Operation *, Forwarded> forwarded; ///< by load of the second loop
};

} // namespace

/// The next parallel loop, if only pure operations are between.
static scf::ParallelOp findNext(scf::ParallelOp loop) {
  Operation *next = loop->getNextNode();
  while (next && isPlain(next))
    next = next->getNextNode();
  return dyn_cast_or_null<scf::ParallelOp>(next);
}

/// Inlines loops with a single iteration.
static void promoteSingleIterations(scf::ParallelOp loop, RewriterBase &rewriter) {
  SmallVector<scf::ForOp> loops;
  loop.getBody()->walk([&](scf::ForOp inner) { loops.push_back(inner); });
  for (scf::ForOp inner : loops)
    (void)inner.promoteIfSingleIteration(rewriter);
}

int64_t mlir::lci::fuseParallelLoops(func::FuncOp function, RewriterBase &rewriter) {
  SmallVector<scf::ParallelOp> loops;
  function.walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  int64_t numFused = 0;
  for (scf::ParallelOp loop : loops) {
    auto next = findNext(loop);
    if (!next)
      continue;
    promoteSingleIterations(loop, rewriter);
    ThreadPair pair(loop, next);
    if (!pair.mayFuse())
      continue;
    pair.fuse(rewriter);
    ++numFused;
  }
  return numFused;
}

bool mlir::lci::fuseGroup(scf::ParallelOp loop, int64_t members, RewriterBase &rewriter) {
  auto next = findNext(loop);
  if (!next)
    return false;
  ThreadPair pair(loop, next, members);
  if (!pair.mayFuse())
    return false;
  pair.fuse(rewriter);
  return true;
}

//===----------------------------------------------------------------------===//
// Buffers that are never read
//===----------------------------------------------------------------------===//

/// Whether all users of a buffer only write to it; collects them in reverse order.
static bool isUnread(Value buffer, llvm::SetVector<Operation *> &users) {
  for (OpOperand &use : buffer.getUses()) {
    Operation *user = use.getOwner();
    bool isView = isa<ViewLikeOpInterface>(user);
    auto linalg = dyn_cast<linalg::LinalgOp>(user);
    bool isFilled = linalg && linalg.getNumDpsInits() == 1 && linalg.isDpsInit(&use) &&
                    !linalg.payloadUsesValueFromOperand(&use);
    bool isStored = (isa<memref::StoreOp, vector::StoreOp, vector::TransferWriteOp>(user) &&
                     use.getOperandNumber() == 1);
    if (isView ? !isUnread(user->getResult(0), users)
               : !isFilled && !isStored && !isa<memref::DeallocOp>(user))
      return false;
    users.insert(user);
  }
  return true;
}

void mlir::lci::eraseUnread(func::FuncOp function, RewriterBase &rewriter) {
  SmallVector<memref::AllocOp> buffers;
  function.walk([&](memref::AllocOp buffer) { buffers.push_back(buffer); });
  for (memref::AllocOp buffer : buffers) {
    llvm::SetVector<Operation *> users;
    if (!isUnread(buffer, users))
      continue;
    for (Operation *user : users)
      rewriter.eraseOp(user);
    rewriter.eraseOp(buffer);
  }
}
