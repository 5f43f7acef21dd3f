//===- CountByBlocks.cpp - The threads of a block count together ----------===//
//
// All threads of a grid add to one counter, and atomic additions at one address wait for one
// another. A block's barrier counts its threads in one instruction; then there is one addition for
// each block.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::lci {
#define GEN_PASS_DEF_COUNTBYBLOCKSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Whether only branches stand around an operation in its kernel: then all threads get to its end.
static bool isUnderBranches(Operation *op, gpu::GPUFuncOp kernel) {
  Operation *parent = op->getParentOp();
  while (isa<scf::IfOp>(parent))
    parent = parent->getParentOp();
  return parent == kernel;
}

/// What a barrier counts with.
static constexpr unsigned kBarrierBits = 32;

/// Whether a thread has much to do beside its addition. To wait for the others then keeps a place
/// in each of its loops, of which there are few: NVIDIA's assembler puts the rest into memory.
static bool hasNestedLoops(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](LoopLikeOpInterface loop) {
        bool isNested = loop->getParentOfType<LoopLikeOpInterface>() != nullptr;
        return isNested ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the threads of a block can make an addition together: of one, or of a truth value, at an
/// address that is the same for all.
static bool isCount(memref::AtomicRMWOp add, gpu::GPUFuncOp kernel) {
  auto truth = add.getValue().getDefiningOp<arith::ExtUIOp>();
  bool addsOne =
      matchPattern(add.getValue(), m_One()) || (truth && truth.getIn().getType().isInteger(1));
  bool isOneAddress =
      isa<BlockArgument>(add.getMemref()) &&
      llvm::all_of(add.getIndices(), [](Value index) { return matchPattern(index, m_Constant()); });
  return add.getKind() == arith::AtomicRMWKind::addi && add->use_empty() && addsOne &&
         add.getValue().getType().getIntOrFloatBitWidth() > kBarrierBits && isOneAddress &&
         isUnderBranches(add, kernel);
}

/// Whether a thread counts, where it makes an addition.
static Value countedBy(OpBuilder &b, memref::AtomicRMWOp add) {
  if (auto truth = add.getValue().getDefiningOp<arith::ExtUIOp>())
    return truth.getIn();
  return arith::ConstantIntOp::create(b, add.getLoc(), 1, 1);
}

/// A value of one branch, or false, as a result of the choice; what stood there is gone.
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
    yielded.push_back(isHere ? value : arith::ConstantIntOp::create(b, loc, 0, 1).getResult());
    scf::YieldOp::create(b, loc, yielded);
  }
  choice->replaceAllUsesWith(left.getResults().drop_back());
  choice.erase();
  choice = left;
  return left.getResults().back();
}

/// The same constant where the kernel ends.
static Value rebuild(OpBuilder &b, Value constant) {
  return b.clone(*constant.getDefiningOp())->getResult(0);
}

/// Whether this is the thread of its block that speaks for all.
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

/// Lets a block make an addition once.
static void countByBlock(memref::AtomicRMWOp add, gpu::GPUFuncOp kernel) {
  OpBuilder b(add);
  Location loc = add.getLoc();
  Value counted = countedBy(b, add);
  for (Block *block = add->getBlock(); block->getParentOp() != kernel;) {
    auto choice = cast<scf::IfOp>(block->getParentOp());
    counted = leave(b, choice, block, counted);
    block = choice->getBlock();
  }
  b.setInsertionPoint(kernel.getBody().back().getTerminator());
  Value predicate = arith::ExtUIOp::create(b, loc, b.getI32Type(), counted);
  auto popc = NVVM::BarrierReductionAttr::get(b.getContext(), NVVM::BarrierReduction::POPC);
  Value many = NVVM::BarrierOp::create(b, loc, b.getI32Type(), /*barrierId=*/Value(),
                                       /*numberOfThreads=*/Value(), popc, predicate)
                   ->getResult(0);
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, many, zero);
  Value adds = arith::AndIOp::create(b, loc, isFirst(b, loc), any);
  auto choice = scf::IfOp::create(b, loc, adds, /*withElseRegion=*/false);
  b.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> indices =
      llvm::map_to_vector(add.getIndices(), [&](Value index) { return rebuild(b, index); });
  Value sum = b.createOrFold<arith::ExtUIOp>(loc, add.getValue().getType(), many);
  memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::addi, sum, add.getMemref(), indices);
  add.erase();
}

namespace {
struct CountByBlocks : lci::impl::CountByBlocksPassBase<CountByBlocks> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (!kernel.isKernel() || !kernel.getBody().hasOneBlock() || hasNestedLoops(kernel))
        continue;
      SmallVector<memref::AtomicRMWOp> additions;
      kernel.walk([&](memref::AtomicRMWOp add) { additions.push_back(add); });
      for (memref::AtomicRMWOp add : additions)
        if (isCount(add, kernel)) {
          countByBlock(add, kernel);
          ++numCounters;
        }
    }
  }
};
} // namespace
