//===- AggregateCounters.cpp - Aggregate a block's atomic additions -------===//
//
// All threads of a grid add to one counter, and atomic additions at one address serialize. A
// block's barrier counts its threads in one instruction; addends that may exceed one are summed by
// upstream's reduction. Then there is one addition per block.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::lci {
#define GEN_PASS_DEF_AGGREGATECOUNTERSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Whether an operation is nested in branches only: then all threads reach the end of the kernel.
static bool isUnderBranches(Operation *op, gpu::GPUFuncOp kernel) {
  Operation *parent = op->getParentOp();
  while (isa<scf::IfOp>(parent))
    parent = parent->getParentOp();
  return parent == kernel;
}

/// Width of the sums of a block.
static constexpr unsigned kCountBits = 32;

/// Whether a kernel has nested loops. Waiting for the others at its end then occupies a register
/// in each of its loops; registers are few, and NVIDIA's assembler spills the rest.
static bool hasNestedLoops(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](LoopLikeOpInterface loop) {
        bool isNested = loop->getParentOfType<LoopLikeOpInterface>() != nullptr;
        return isNested ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The most that a thread may add, so that 32 bits hold the sum of 1024 threads.
static constexpr uint64_t kMaxEach = 1 << 20;

static std::optional<uint64_t> findMost(Value value);

/// The most that a loop of constant trip count can have added to a result.
static std::optional<uint64_t> findMost(OpResult result) {
  auto loop = dyn_cast<scf::ForOp>(result.getOwner());
  std::optional<APInt> tripCount = loop ? loop.getStaticTripCount() : std::nullopt;
  if (!tripCount)
    return std::nullopt;
  unsigned number = result.getResultNumber();
  Value next = loop.getYieldedValues()[number], carried = loop.getRegionIterArg(number);
  uint64_t each = 0;
  while (next != carried) {
    auto sum = next.getDefiningOp<arith::AddIOp>();
    std::optional<uint64_t> added = sum ? findMost(sum.getRhs()) : std::nullopt;
    if (!added)
      return std::nullopt;
    each += *added;
    next = sum.getLhs();
  }
  std::optional<uint64_t> before = findMost(loop.getInits()[number]);
  uint64_t count = tripCount->getLimitedValue(kMaxEach + 1);
  return before ? std::optional(*before + count * each) : std::nullopt;
}

/// The maximum of a sum of few bits; none if it may exceed what a thread may add.
static std::optional<uint64_t> findMost(Value value) {
  APInt constant;
  std::optional<uint64_t> most;
  if (matchPattern(value, m_ConstantInt(&constant)))
    most = constant.getLimitedValue();
  else if (auto bits = value.getDefiningOp<math::CtPopOp>())
    most = bits.getType().getIntOrFloatBitWidth();
  else if (auto narrow = value.getDefiningOp<arith::ExtUIOp>())
    most = APInt::getMaxValue(narrow.getIn().getType().getIntOrFloatBitWidth()).getLimitedValue();
  else if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
    if (auto left = findMost(sum.getLhs()), right = findMost(sum.getRhs()); left && right)
      most = *left + *right;
  } else if (auto result = dyn_cast<OpResult>(value))
    most = findMost(result);
  return most && *most <= kMaxEach ? most : std::nullopt;
}

/// Whether the threads of a block can aggregate an addition: of small numbers, at a uniform
/// address.
static bool isCount(memref::AtomicRMWOp add, gpu::GPUFuncOp kernel) {
  bool isOneAddress =
      isa<BlockArgument>(add.getMemref()) &&
      llvm::all_of(add.getIndices(), [](Value index) { return matchPattern(index, m_Constant()); });
  return isAddition(add) && isOneAddress &&
         add.getValue().getType().getIntOrFloatBitWidth() > kCountBits &&
         findMost(add.getValue()) && isUnderBranches(add, kernel);
}

/// The addend of a thread: an i1 if it is at most one, else an i32.
static Value addedBy(OpBuilder &b, memref::AtomicRMWOp add) {
  Location loc = add.getLoc();
  auto flag = add.getValue().getDefiningOp<arith::ExtUIOp>();
  if (flag && flag.getIn().getType().isInteger(1))
    return flag.getIn();
  if (matchPattern(add.getValue(), m_One()))
    return arith::ConstantIntOp::create(b, loc, 1, 1);
  return arith::TruncIOp::create(b, loc, b.getIntegerType(kCountBits), add.getValue());
}

/// Returns a value of one branch, or zero, as a further result of the `scf.if`, which is replaced.
static Value leave(OpBuilder &b, scf::IfOp &choice, Block *branch, Value value) {
  Location loc = choice.getLoc();
  b.setInsertionPoint(choice);
  SmallVector<Type> types(choice.getResultTypes());
  types.push_back(value.getType());
  auto left = scf::IfOp::create(b, loc, types, choice.getCondition(), /*withElseRegion=*/true);
  bool isThen = branch == choice.thenBlock();
  for (auto [from, to] : {std::pair(&choice.getThenRegion(), &left.getThenRegion()),
                          std::pair(&choice.getElseRegion(), &left.getElseRegion())}) {
    bool isHere = (to == &left.getThenRegion()) == isThen;
    if (!from->empty())
      to->takeBody(*from);
    Block &block = to->empty() ? to->emplaceBlock() : to->front();
    SmallVector<Value> yielded;
    if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>()) {
      yielded.assign(block.back().operand_begin(), block.back().operand_end());
      block.back().erase();
    }
    b.setInsertionPointToEnd(&block);
    yielded.push_back(
        isHere ? value
               : arith::ConstantOp::create(b, loc, b.getZeroAttr(value.getType())).getResult());
    scf::YieldOp::create(b, loc, yielded);
  }
  choice->replaceAllUsesWith(left.getResults().drop_back());
  choice.erase();
  choice = left;
  return left.getResults().back();
}

/// Clones a constant to the end of the kernel.
static Value rebuild(OpBuilder &b, Value constant) {
  return b.clone(*constant.getDefiningOp())->getResult(0);
}

/// Whether this is the first thread of its block, which adds the sum.
static Value isFirst(OpBuilder &b, Location loc) {
  Value first;
  for (gpu::Dimension axis : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
    Value number = gpu::ThreadIdOp::create(b, loc, axis);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, number, zero);
    first = first ? arith::AndIOp::create(b, loc, first, is) : is;
  }
  return first;
}

/// The sum over the threads of a block, known to each of them at the end of the kernel.
static Value sumUp(OpBuilder &b, Location loc, Value added) {
  if (added.getType().isInteger(kCountBits))
    return gpu::AllReduceOp::create(
        b, loc, added,
        gpu::AllReduceOperationAttr::get(b.getContext(), gpu::AllReduceOperation::ADD),
        /*uniform=*/true);
  Value predicate = arith::ExtUIOp::create(b, loc, b.getIntegerType(kCountBits), added);
  auto popc = NVVM::BarrierReductionAttr::get(b.getContext(), NVVM::BarrierReduction::POPC);
  return NVVM::BarrierOp::create(b, loc, predicate.getType(), /*barrierId=*/Value(),
                                 /*numberOfThreads=*/Value(), popc, predicate)
      ->getResult(0);
}

/// The addend of a thread, or zero if it does not reach the addition, at the end of the kernel.
static Value bringToEnd(OpBuilder &b, memref::AtomicRMWOp add, gpu::GPUFuncOp kernel) {
  b.setInsertionPoint(add);
  Value added = addedBy(b, add);
  for (Block *block = add->getBlock(); block->getParentOp() != kernel;) {
    auto choice = cast<scf::IfOp>(block->getParentOp());
    added = leave(b, choice, block, added);
    block = choice->getBlock();
  }
  return added;
}

/// The total of a thread's additions to an element at the end of the kernel, an i32 if there are
/// several. Each is added before the next one is moved there, which replaces the branches around
/// it.
static Value addUp(OpBuilder &b, ArrayRef<memref::AtomicRMWOp> additions, gpu::GPUFuncOp kernel) {
  if (additions.size() == 1)
    return bringToEnd(b, additions.front(), kernel);
  Location loc = kernel.getLoc();
  Operation *end = kernel.getBody().back().getTerminator();
  b.setInsertionPoint(end);
  Value sum = arith::ConstantIntOp::create(b, loc, 0, kCountBits);
  for (memref::AtomicRMWOp add : additions) {
    Value number = bringToEnd(b, add, kernel);
    b.setInsertionPoint(end);
    number = b.createOrFold<arith::ExtUIOp>(loc, b.getIntegerType(kCountBits), number);
    sum = arith::AddIOp::create(b, loc, sum, number);
  }
  return sum;
}

/// Aggregates the additions of a block to one element.
static void countByBlock(ArrayRef<memref::AtomicRMWOp> additions, gpu::GPUFuncOp kernel) {
  memref::AtomicRMWOp add = additions.front();
  OpBuilder b(add);
  Location loc = add.getLoc();
  Value added = addUp(b, additions, kernel);
  b.setInsertionPoint(kernel.getBody().back().getTerminator());
  Value many = sumUp(b, loc, added);
  Value zero = arith::ConstantIntOp::create(b, loc, 0, kCountBits);
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, many, zero);
  Value adds = arith::AndIOp::create(b, loc, isFirst(b, loc), any);
  auto choice = scf::IfOp::create(b, loc, adds, /*withElseRegion=*/false);
  b.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> indices =
      llvm::map_to_vector(add.getIndices(), [&](Value index) { return rebuild(b, index); });
  Value sum = b.createOrFold<arith::ExtUIOp>(loc, add.getValue().getType(), many);
  memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi, sum, add.getMemref(), indices);
  for (memref::AtomicRMWOp each : additions)
    each.erase();
}

/// Whether two additions are to one element, with constant indices.
static bool isOneElement(memref::AtomicRMWOp one, memref::AtomicRMWOp other) {
  return one.getMemref() == other.getMemref() && one.getType() == other.getType() &&
         llvm::all_of(llvm::zip_equal(one.getIndices(), other.getIndices()), [](auto pair) {
           auto [left, right] = pair;
           return getConstantIntValue(left) == getConstantIntValue(right);
         });
}

/// Additions to aggregate, grouped by element as long as 32 bits hold their total.
static SmallVector<SmallVector<memref::AtomicRMWOp>> findCounts(gpu::GPUFuncOp kernel) {
  SmallVector<SmallVector<memref::AtomicRMWOp>> counts;
  SmallVector<uint64_t> most;
  kernel.walk([&](memref::AtomicRMWOp add) {
    if (!isCount(add, kernel))
      return;
    uint64_t more = *findMost(add.getValue());
    for (auto [group, all] : llvm::zip_equal(counts, most))
      if (isOneElement(group.front(), add) && all + more <= kMaxEach) {
        group.push_back(add);
        all += more;
        return;
      }
    counts.push_back({add});
    most.push_back(more);
  });
  return counts;
}

namespace {
struct AggregateCounters : mlir::lci::impl::AggregateCountersPassBase<AggregateCounters> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (!kernel.isKernel() || !kernel.getBody().hasOneBlock() || hasNestedLoops(kernel))
        continue;
      for (ArrayRef<memref::AtomicRMWOp> additions : findCounts(kernel)) {
        countByBlock(additions, kernel);
        numCounters += additions.size();
      }
    }
  }
};
} // namespace
