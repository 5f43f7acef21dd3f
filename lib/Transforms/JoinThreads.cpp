//===- JoinThreads.cpp - What one thread writes and the next reads --------===//
//
// The blocks of a product and what is looked for among their elements are loops over the same
// threads. If each thread reads what it has written itself, both are one, and what lies between
// them stays in registers; a buffer that nobody reads any more goes away.
//
//===----------------------------------------------------------------------===//

#include "JoinThreads.h"
#include "AppendTurns.h"
#include "BufferFacts.h"
#include "LoopHints.h"
#include "NestFacts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::lci;

namespace {

/// An index as a sum of values and a number.
struct Place {
  SmallVector<Value> values;
  int64_t number = 0;

  Place operator+(const Place &other) const {
    Place sum = *this;
    llvm::append_range(sum.values, other.values);
    llvm::sort(sum.values, [](Value a, Value b) {
      return std::less<>()(a.getAsOpaquePointer(), b.getAsOpaquePointer());
    });
    sum.number += other.number;
    return sum;
  }
  bool operator==(const Place &other) const {
    return values == other.values && number == other.number;
  }
};

/// Takes indices apart; the counters of the second loop stand for those of the first.
class Places {
public:
  Places(scf::ParallelOp first, scf::ParallelOp second) : loop(first) {
    counters.map(second.getInductionVars(), first.getInductionVars());
  }

  SmallVector<Place> find(ValueRange indices) {
    return llvm::map_to_vector(indices, [&](Value index) { return find(index); });
  }

private:
  Place find(Value value) {
    Place place;
    if (std::optional<int64_t> number = getConstantIntValue(value)) {
      place.number = *number;
      return place;
    }
    Operation *op = value.getDefiningOp();
    if (auto sum = dyn_cast_or_null<arith::AddIOp>(op))
      return find(sum.getLhs()) + find(sum.getRhs());
    if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op); apply && isSum(apply))
      return findApplied(apply, apply.getAffineMap().getResult(0));
    // Casts and limits without effect on what counters can be.
    if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
      place = find(op->getOperand(0));
      if (isWide(op) || isBelow(place, llvm::maxIntN(getBits(value.getType()))))
        return place;
    } else if (auto limited = dyn_cast_or_null<arith::MinUIOp>(op)) {
      place = find(limited.getLhs());
      std::optional<int64_t> most = getConstantIntValue(limited.getRhs());
      if (most && isBelow(place, *most))
        return place;
    }
    return Place{{counters.lookupOrDefault(value)}, 0};
  }

  static unsigned getBits(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

  /// Between an index and 64 bits nothing is lost.
  static bool isWide(Operation *cast) {
    return getBits(cast->getOperand(0).getType()) == 64 &&
           getBits(cast->getResult(0).getType()) == 64;
  }

  /// Whether a sum of counters and a number is surely none below zero, or above a limit.
  bool isBelow(const Place &place, int64_t limit) {
    int64_t most = place.number;
    SmallVector<Value> own = loop.getInductionVars();
    for (Value value : place.values) {
      auto *found = llvm::find(own, value);
      if (found == own.end())
        return false;
      unsigned axis = found - own.begin();
      std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()[axis]);
      std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound()[axis]);
      std::optional<int64_t> step = getConstantIntValue(loop.getStep()[axis]);
      if (!begin || !end || !step || *begin < 0 || *end <= *begin || *step < 1)
        return false;
      most += *begin + (*end - *begin - 1) / *step * *step;
    }
    return place.number >= 0 && most <= limit;
  }

  static bool isSum(affine::AffineApplyOp apply) {
    bool isSum = true;
    apply.getAffineMap().getResult(0).walk([&](AffineExpr part) {
      isSum &= part.getKind() == AffineExprKind::Add || !isa<AffineBinaryOpExpr>(part);
    });
    return isSum;
  }

  Place findApplied(affine::AffineApplyOp apply, AffineExpr part) {
    if (auto sum = dyn_cast<AffineBinaryOpExpr>(part))
      return findApplied(apply, sum.getLHS()) + findApplied(apply, sum.getRHS());
    if (auto number = dyn_cast<AffineConstantExpr>(part))
      return Place{{}, number.getValue()};
    if (auto dim = dyn_cast<AffineDimExpr>(part))
      return find(apply.getMapOperands()[dim.getPosition()]);
    unsigned numDims = apply.getAffineMap().getNumDims();
    return find(apply.getMapOperands()[numDims + cast<AffineSymbolExpr>(part).getPosition()]);
  }

  scf::ParallelOp loop;
  IRMapping counters;
};

/// Two loops of which one is to be made.
class ThreadPair {
public:
  ThreadPair(scf::ParallelOp first, scf::ParallelOp second)
      : first(first), second(second), places(first, second) {}

  /// Whether each turn of both may be one; finds what the second one is handed.
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
    for (auto [load, vector] : handed)
      rewriter.replaceOp(load, vector);
    if (Attribute rows = first->getDiscardableAttr(kRowThreads))
      second->setDiscardableAttr(kRowThreads, rows);
    return mergeTurns(rewriter, first, second);
  }

private:
  bool haveSameTurns() {
    auto are = [](ValueRange some, ValueRange others) {
      return llvm::equal(some, others, [](Value a, Value b) {
        return a == b ||
               (getConstantIntValue(a) && getConstantIntValue(a) == getConstantIntValue(b));
      });
    };
    return are(first.getLowerBound(), second.getLowerBound()) &&
           are(first.getUpperBound(), second.getUpperBound()) &&
           are(first.getStep(), second.getStep());
  }

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

  /// Whether an access of the second loop loads a vector that the first one has stored at the end
  /// of the same turn. A vector is along the last axis.
  bool isHandedOn(Operation *access) {
    if (handed.contains(access))
      return true;
    auto load = dyn_cast<vector::LoadOp>(access);
    if (!load)
      return false;
    SmallVector<Place> at = places.find(load.getIndices());
    Value found;
    for (Operation &op : *first.getBody()) {
      auto write = dyn_cast<vector::TransferWriteOp>(op);
      if (!write || rootOf(write.getBase()) != rootOf(load.getBase()))
        continue;
      bool isSame = write.getBase() == load.getBase() && !write.getMask() &&
                    !write.hasOutOfBoundsDim() && write.getPermutationMap().isMinorIdentity() &&
                    write.getVectorType() == load.getVectorType() &&
                    places.find(write.getIndices()) == at;
      found = isSame ? write.getValueToStore() : found;
    }
    if (!found || !isWrittenAtTop(load.getBase()))
      return false;
    handed[access] = found;
    return true;
  }

  /// Whether all writes to a buffer are known at the top of the first loop's body, and lie apart or
  /// are equal: blocks of vectors.
  bool isWrittenAtTop(Value buffer) {
    SmallVector<SmallVector<Place>> written;
    bool isKnown = true;
    first.getBody()->walk([&](Operation *op) {
      if (!isWrite(op) || areApart(bufferOf(op), buffer))
        return;
      auto write = dyn_cast<vector::TransferWriteOp>(op);
      isKnown &= write && write.getBase() == buffer && write->getBlock() == first.getBody();
      if (!isKnown)
        return;
      SmallVector<Place> at = places.find(write.getIndices());
      isKnown &= !llvm::is_contained(written, at) &&
                 (written.empty() || written.front().back() == at.back());
      written.push_back(at);
    });
    return isKnown;
  }

  scf::ParallelOp first, second;
  Places places;
  llvm::MapVector<Operation *, Value> handed; ///< loads of the second loop, and what they load
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

int64_t lci::joinThreads(func::FuncOp function, RewriterBase &rewriter) {
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
