//===- ShareScratch.cpp - One arena for scratch buffers -------------------===//
//
// The scratch buffers of a host function become views of one allocation, an arena, in which those
// whose lives do not meet may share bytes. A life is a range of operations in the order in which
// launches are issued: from the first use to the last one, and as long as each loop around a use
// that the allocation is not in. The view stands where the life begins, so that a launch plan says
// so too, and whoever emulates a GPU can poison the memory there.
//
// Other names of a buffer come from upstream's BufferViewFlowAnalysis. Upstream's Liveness knows
// branches between blocks, but not that the region of an `scf.for` is entered again.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/ElementSize.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/Ways.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::lci {
#define GEN_PASS_DEF_SHARESCRATCHPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Bytes at whose multiples buffers begin, as those that a GPU's driver allocates.
static constexpr int64_t kPlaceAlignment = 256;

namespace {
/// The operations of a function, numbered where they begin and where they end.
class OperationOrder {
public:
  explicit OperationOrder(Operation *op) { number(op); }
  unsigned beginOf(Operation *op) const { return begins.lookup(op); }
  unsigned endOf(Operation *op) const { return ends.lookup(op); }

private:
  void number(Operation *op) {
    begins[op] = next++;
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        number(&inner);
    ends[op] = next++;
  }

  llvm::DenseMap<Operation *, unsigned> begins, ends;
  unsigned next = 0;
};

/// A scratch buffer, when it is needed, and where it lies in the arena.
struct Life {
  memref::AllocOp alloc;
  Operation *begin; ///< of the block of the allocation: the first that needs it; null if none does
  unsigned first, last;
  int64_t bytes, offset = 0;

  bool meets(const Life &other) const { return first <= other.last && other.first <= last; }
  int64_t end() const {
    return offset + llvm::alignTo(std::max<int64_t>(bytes, 1), kPlaceAlignment);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Lives
//===----------------------------------------------------------------------===//

/// Whether an operation does nothing with a buffer after it has ended but through its results.
static bool isPassing(Operation *user) {
  return isa<gpu::LaunchFuncOp, func::CallOp, memref::LoadOp, memref::DeallocOp, arith::SelectOp,
             ViewLikeOpInterface, RegionBranchOpInterface, scf::YieldOp>(user);
}

/// Whether each execution of an allocation makes a buffer of known size, one after the other, that
/// is no arena already: a launch plan has no views of views.
static bool isScratch(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  Operation *parent = alloc->getParentOp();
  while (isa<scf::ForOp, scf::IfOp>(parent))
    parent = parent->getParentOp();
  return isa<func::FuncOp>(parent) && type.hasStaticShape() && type.getLayout().isIdentity() &&
         !type.getMemorySpace() && llvm::none_of(alloc->getUsers(), llvm::IsaPred<memref::ViewOp>);
}

/// The outermost loop around an operation of a block or within, or the operation.
static Operation *findRepeated(Operation *user, Block *block) {
  Operation *repeated = user;
  for (Operation *op = user; op->getBlock() != block; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op->getParentOp()))
      repeated = op->getParentOp();
  return repeated;
}

namespace {
class LifeFinder {
public:
  explicit LifeFinder(func::FuncOp function) : names(function), order(function) {}

  /// The life of a buffer, unless it leaves the block, or the iteration, in which it is allocated.
  std::optional<Life> find(memref::AllocOp alloc) const {
    Life life{alloc, nullptr, ~0U, 0, bytesOfArray(alloc.getType())};
    for (Value name : names.resolve(alloc.getResult()))
      for (Operation *user : name.getUsers())
        if (!isa<memref::DeallocOp>(user) && !extend(life, user))
          return std::nullopt;
    return life;
  }

private:
  bool extend(Life &life, Operation *user) const {
    Block *block = life.alloc->getBlock();
    Operation *step = block->findAncestorOpInBlock(*user);
    if (!step || !isPassing(user) || step->hasTrait<OpTrait::IsTerminator>())
      return false;
    if (order.beginOf(step) < life.first) {
      life.begin = step;
      life.first = order.beginOf(step);
    }
    life.last = std::max(life.last, order.endOf(findRepeated(user, block)));
    return true;
  }

  BufferViewFlowAnalysis names;
  OperationOrder order;
};
} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The lowest place at which a buffer disturbs none of those that have one, in their order.
static int64_t findPlace(const Life &life, ArrayRef<const Life *> placed) {
  Life tried = life;
  tried.offset = 0;
  for (const Life *other : placed)
    if (other->meets(tried) && other->offset < tried.end())
      tried.offset = std::max(tried.offset, other->end());
  return tried.offset;
}

/// The largest buffers choose first; returns the bytes of the arena. An optimal packing is as hard
/// as any (NP-complete); this one reaches the largest sum at any time in nearly all programs.
static int64_t place(MutableArrayRef<Life> lives) {
  SmallVector<Life *> bySize = llvm::map_to_vector(lives, [](Life &life) { return &life; });
  llvm::sort(bySize, [](Life *one, Life *other) {
    return std::pair(-one->bytes, one->first) < std::pair(-other->bytes, other->first);
  });
  SmallVector<const Life *> placed; // by their offsets
  int64_t bytes = 0;
  for (Life *life : bySize) {
    life->offset = findPlace(*life, placed);
    bytes = std::max(bytes, life->offset + life->bytes);
    auto *at = llvm::upper_bound(placed, life, [](const Life *one, const Life *other) {
      return one->offset < other->offset;
    });
    placed.insert(at, life);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void eraseFrees(memref::AllocOp alloc) {
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
}

namespace {
struct ShareScratch : mlir::lci::impl::ShareScratchPassBase<ShareScratch> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    SmallVector<Life> lives = findLives();
    if (lives.empty())
      return;
    int64_t bytes = place(lives), total = 0;
    for (const Life &life : lives)
      total += life.bytes;
    if (bytes < total)
      took(getOperation(), Way::SharedScratch);
    Value arena = makeArena(bytes);
    for (const Life &life : lives)
      replace(life, arena);
    numBuffers += lives.size();
  }

private:
  /// Buffers that nothing needs are erased.
  SmallVector<Life> findLives() {
    SmallVector<Life> lives;
    SmallVector<memref::AllocOp> unused;
    LifeFinder finder(getOperation());
    getOperation().walk([&](memref::AllocOp alloc) {
      std::optional<Life> life = isScratch(alloc) ? finder.find(alloc) : std::nullopt;
      if (life && life->begin)
        lives.push_back(*life);
      else if (life)
        unused.push_back(alloc);
    });
    for (memref::AllocOp alloc : unused) {
      eraseFrees(alloc);
      alloc.erase();
    }
    return lives;
  }

  Value makeArena(int64_t bytes) {
    OpBuilder b = OpBuilder::atBlockBegin(&getOperation().getBody().front());
    auto type = MemRefType::get(bytes, b.getI8Type());
    Location loc = getOperation().getLoc();
    Value arena = memref::AllocOp::create(b, loc, type, b.getI64IntegerAttr(kPlaceAlignment));
    getOperation().walk([&](func::ReturnOp end) {
      b.setInsertionPoint(end);
      memref::DeallocOp::create(b, loc, arena);
    });
    return arena;
  }

  static void replace(const Life &life, Value arena) {
    memref::AllocOp alloc = life.alloc;
    OpBuilder b(life.begin);
    Value offset = arith::ConstantIndexOp::create(b, alloc.getLoc(), life.offset);
    eraseFrees(alloc);
    alloc.replaceAllUsesWith(
        memref::ViewOp::create(b, alloc.getLoc(), alloc.getType(), arena, offset, ValueRange())
            .getResult());
    alloc.erase();
  }
};
} // namespace
