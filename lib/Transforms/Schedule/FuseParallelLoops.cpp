//===- FuseParallelLoops.cpp - What one thread writes and the next reads --===//
//
// The blocks of a product and what is looked for among their elements are loops over the same
// threads. If each thread reads what it has written itself, both are one, and what lies between
// them stays in registers; a buffer that nobody reads any more goes away. Where a few threads of a
// warp have what one of them is to look at, it takes that from them.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Schedule/FuseParallelLoops.h"
#include "LCI/Transforms/Schedule/ConcatParallelLoops.h"
#include "LCI/Transforms/Support/BufferFacts.h"
#include "LCI/Transforms/Support/IndexPlaces.h"
#include "LCI/Transforms/Support/LoopHints.h"
#include "LCI/Transforms/Support/NestFacts.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// A vector that is written to a buffer, as it is.
struct VectorWrite {
  Value buffer, vector;
  ValueRange indices;
};

/// Two loops of which one is to be made. Each turn of the second one stands for one of the first
/// or, of groups of threads whose first counters follow each other, for all of a group.
class ThreadPair {
public:
  ThreadPair(scf::ParallelOp first, scf::ParallelOp second, int64_t members = 1)
      : first(first), second(second), members(members), places(first, second) {}

  /// Whether both may be one; finds what the second one is handed.
  bool mayJoin() {
    if (!haveSameTurns() || first.getNumReductions() || second.getNumReductions())
      return false;
    SmallVector<Operation *> mine, its;
    if (!findAccesses(first, mine) || !findAccesses(second, its))
      return false;
    for (Operation *access : its)
      for (Operation *other : mine)
        if ((isWrite(access) || isWrite(other)) && !areApart(bufferOf(access), bufferOf(other)) &&
            !isHandedOn(access))
          return false;
    return !handed.empty();
  }

  /// One loop, where the second one stood.
  scf::ParallelOp join(RewriterBase &rewriter) {
    if (members > 1)
      leaveToFirst(rewriter);
    rewriter.setInsertionPointToStart(second.getBody());
    for (auto [load, hand] : handed)
      rewriter.replaceOp(load, take(rewriter, hand));
    if (Attribute rows = first->getDiscardableAttr(kRowThreads))
      second->setDiscardableAttr(kRowThreads, rows);
    return mergeTurns(rewriter, first, second);
  }

private:
  /// A vector, and which thread of a group has it.
  struct Hand {
    Value vector;
    int64_t member;
  };

  bool haveSameTurns() {
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

  /// What reads or writes a buffer; false if something else is done with memory.
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

  /// A store's first operand is what it stores.
  static Value bufferOf(Operation *op) { return op->getOperand(isWrite(op) ? 1 : 0); }

  /// A write of a vector along the last axis; nothing if it is something else.
  static std::optional<VectorWrite> asVectorWrite(Operation *op) {
    if (auto store = dyn_cast<vector::StoreOp>(op))
      return VectorWrite{store.getBase(), store.getValueToStore(), store.getIndices()};
    auto write = dyn_cast<vector::TransferWriteOp>(op);
    if (!write || write.getMask() || write.hasOutOfBoundsDim() ||
        !write.getPermutationMap().isMinorIdentity())
      return std::nullopt;
    return VectorWrite{write.getBase(), write.getValueToStore(), write.getIndices()};
  }

  /// Whether an access of the second loop loads a vector that the first one has stored at the end
  /// of the same turn, or of one of the group. A vector is along the last axis.
  bool isHandedOn(Operation *access) {
    if (handed.contains(access))
      return true;
    auto load = dyn_cast<vector::LoadOp>(access);
    if (!load)
      return false;
    SmallVector<IndexPlace> at = places.find(load.getIndices());
    std::optional<Hand> found;
    for (Operation &op : *first.getBody()) {
      if (!isWrite(&op) || rootOf(bufferOf(&op)) != rootOf(load.getBase()))
        continue;
      std::optional<VectorWrite> write = asVectorWrite(&op);
      if (!write || write->buffer != load.getBase() || write->vector.getType() != load.getType())
        return false;
      if (std::optional<int64_t> member = findMember(places.find(write->indices), at))
        found = Hand{write->vector, *member};
    }
    if (!found || !isWrittenAtTop(load.getBase()))
      return false;
    handed[access] = *found;
    return true;
  }

  /// Which thread of a group writes at a place, if each writes where that is said.
  std::optional<int64_t> findMember(ArrayRef<IndexPlace> written, ArrayRef<IndexPlace> at) {
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

  /// Whether all writes to a buffer are known at the top of the first loop's body, and lie apart or
  /// are equal: blocks of vectors.
  bool isWrittenAtTop(Value buffer) {
    SmallVector<SmallVector<IndexPlace>> written;
    bool isKnown = true;
    first.getBody()->walk([&](Operation *op) {
      if (!isWrite(op) || areApart(bufferOf(op), buffer))
        return;
      std::optional<VectorWrite> write = asVectorWrite(op);
      isKnown &= write && write->buffer == buffer && op->getBlock() == first.getBody();
      if (!isKnown)
        return;
      SmallVector<IndexPlace> at = places.find(write->indices);
      isKnown &= !llvm::is_contained(written, at) &&
                 (written.empty() || written.front().back() == at.back());
      written.push_back(at);
    });
    return isKnown;
  }

  /// Turns of the second loop as turns of the first one, of which the first of a group does
  /// something.
  void leaveToFirst(RewriterBase &rewriter) {
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

  /// A vector that a thread has itself or takes from the one that is so much further on.
  Value take(RewriterBase &rewriter, const Hand &hand) {
    if (hand.member == 0)
      return hand.vector;
    Location loc = second.getLoc();
    auto type = cast<VectorType>(hand.vector.getType());
    Value mine = hand.vector;
    bool isNarrow = type.getElementType().isInteger() && type.getElementTypeBitWidth() < 32;
    if (isNarrow)
      mine = arith::ExtUIOp::create(rewriter, loc, type.clone(rewriter.getI32Type()), mine);
    SmallVector<Value> numbers;
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane) {
      Value number = vector::ExtractOp::create(rewriter, loc, mine, lane);
      numbers.push_back(
          gpu::ShuffleOp::create(rewriter, loc, number, hand.member, kWarp, gpu::ShuffleMode::DOWN)
              .getShuffleResult());
    }
    Value taken = vector::FromElementsOp::create(rewriter, loc, mine.getType(), numbers);
    return isNarrow ? arith::TruncIOp::create(rewriter, loc, type, taken) : taken;
  }

  scf::ParallelOp first, second;
  int64_t members;
  IndexPlaces places;
  llvm::MapVector<Operation *, Hand> handed; ///< loads of the second loop, and what they load
};

} // namespace

/// The parallel loop behind one, with only views between.
static scf::ParallelOp findNext(scf::ParallelOp loop) {
  Operation *next = loop->getNextNode();
  while (next && isPlain(next))
    next = next->getNextNode();
  return dyn_cast_or_null<scf::ParallelOp>(next);
}

/// Loops of one turn are none.
static void promoteSingleTurns(scf::ParallelOp loop, RewriterBase &rewriter) {
  SmallVector<scf::ForOp> loops;
  loop.getBody()->walk([&](scf::ForOp inner) { loops.push_back(inner); });
  for (scf::ForOp inner : loops)
    (void)inner.promoteIfSingleIteration(rewriter);
}

int64_t lci::fuseParallelLoops(func::FuncOp function, RewriterBase &rewriter) {
  SmallVector<scf::ParallelOp> loops;
  function.walk([&](scf::ParallelOp loop) { loops.push_back(loop); });
  int64_t numJoined = 0;
  for (scf::ParallelOp loop : loops) {
    auto next = findNext(loop);
    if (!next)
      continue;
    promoteSingleTurns(loop, rewriter);
    ThreadPair pair(loop, next);
    if (!pair.mayJoin())
      continue;
    pair.join(rewriter);
    ++numJoined;
  }
  return numJoined;
}

bool lci::joinGroup(scf::ParallelOp loop, int64_t members, RewriterBase &rewriter) {
  auto next = findNext(loop);
  if (!next)
    return false;
  ThreadPair pair(loop, next, members);
  if (!pair.mayJoin())
    return false;
  pair.join(rewriter);
  return true;
}

//===----------------------------------------------------------------------===//
// Buffers that nobody reads
//===----------------------------------------------------------------------===//

/// Whether all users of a buffer only write to it; collects them, the last first.
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

void lci::eraseUnread(func::FuncOp function, RewriterBase &rewriter) {
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
