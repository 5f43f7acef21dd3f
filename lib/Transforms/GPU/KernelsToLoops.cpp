//===- KernelsToLoops.cpp - Kernels on the host ---------------------------===//
//
// What a kernel computes can be seen without a GPU: each becomes a function of the host that runs
// its threads one after the other, block by block. Upstream has nothing of the kind; it lowers
// kernels for devices alone.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::lci {
#define GEN_PASS_DEF_KERNELSTOLOOPSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Axes of a grid, and of a block.
static constexpr unsigned kAxes = 3;

namespace {

/// Makes the function of one kernel: `(blocks, threads of a block, what the kernel takes)`.
class HostKernel {
public:
  HostKernel(gpu::GPUFuncOp kernel, OpBuilder &b) : kernel(kernel), b(b), loc(kernel.getLoc()) {}

  FailureOr<func::FuncOp> build(StringRef name) {
    if (!kernel.getBody().hasOneBlock())
      return kernel.emitOpError("expected a body without branches") << ErrorId::NotLowered;
    SmallVector<Type> types(2 * kAxes, b.getIndexType());
    llvm::append_range(types, kernel.getArgumentTypes());
    auto function = func::FuncOp::create(b, loc, name, b.getFunctionType(types, {}));
    function.setPrivate();
    entry = function.addEntryBlock();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(entry);
    func::ReturnOp::create(b, loc);
    b.setInsertionPointToStart(entry);
    extents = llvm::to_vector_of<Value>(entry->getArguments().take_front(2 * kAxes));
    for (auto [inner, outer] :
         llvm::zip_equal(kernel.getArguments(), entry->getArguments().drop_front(2 * kAxes)))
      mapping.map(inner, outer);
    emitLoops();
    if (failed(emitThread()))
      return failure();
    return function;
  }

private:
  /// Blocks outside of threads, and x innermost: neighbours in memory follow each other.
  void emitLoops() {
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    ids.resize(2 * kAxes);
    for (unsigned part : {0u, kAxes})
      for (unsigned axis = kAxes; axis-- > 0;) {
        auto loop = scf::ForOp::create(b, loc, zero, extents[part + axis], one);
        ids[part + axis] = loop.getInductionVar();
        b.setInsertionPointToStart(loop.getBody());
      }
  }

  LogicalResult emitThread() {
    for (Operation &op : kernel.getBody().front().without_terminator()) {
      if (Value known = find(op)) {
        mapping.map(op.getResult(0), known);
        continue;
      }
      auto isForeign = [](Operation *inner) {
        return isa<gpu::GPUDialect>(inner->getDialect()) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
      };
      if (op.walk(isForeign).wasInterrupted())
        return op.emitOpError(
                   "expected a kernel whose threads do not meet, but this has no form on "
                   "the host")
               << ErrorId::NotLowered;
      Operation *clone = b.clone(op, mapping);
      if (isa<memref::AllocaOp>(clone)) // threads have it one after the other
        clone->moveBefore(entry, entry->begin());
    }
    return success();
  }

  /// What a thread asks for about itself; null if it is something else.
  Value find(Operation &op) {
    auto of = [](gpu::Dimension axis) { return static_cast<unsigned>(axis); };
    return llvm::TypeSwitch<Operation *, Value>(&op)
        .Case<gpu::BlockIdOp>([&](auto id) { return ids[of(id.getDimension())]; })
        .Case<gpu::ThreadIdOp>([&](auto id) { return ids[kAxes + of(id.getDimension())]; })
        .Case<gpu::GridDimOp>([&](auto dim) { return extents[of(dim.getDimension())]; })
        .Case<gpu::BlockDimOp>([&](auto dim) { return extents[kAxes + of(dim.getDimension())]; })
        .Default([](Operation *) { return Value(); });
  }

  gpu::GPUFuncOp kernel;
  OpBuilder &b;
  Location loc;
  Block *entry = nullptr;
  SmallVector<Value> extents, ids; ///< of the grid, then of a block
  IRMapping mapping;
};

struct KernelsToLoops : lci::impl::KernelsToLoopsPassBase<KernelsToLoops> {
  using KernelsToLoopsPassBase::KernelsToLoopsPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<gpu::GPUModuleOp> modules(getOperation().getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp module : modules) {
      OpBuilder b(module);
      for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
        FailureOr<func::FuncOp> function = HostKernel(kernel, b).build(kernel.getName());
        if (failed(function))
          return signalPassFailure();
        symbols.insert(*function, Block::iterator(module));
        auto known = SymbolRefAttr::get(module.getSymNameAttr(),
                                        {FlatSymbolRefAttr::get(kernel.getNameAttr())});
        functions[known] = *function;
        ++numKernels;
      }
    }
    if (replaceLaunches().wasInterrupted())
      return signalPassFailure();
    for (gpu::GPUModuleOp module : modules)
      module.erase();
  }

private:
  WalkResult replaceLaunches() {
    return getOperation().walk([&](gpu::LaunchFuncOp launch) {
      func::FuncOp function = functions.lookup(launch.getKernelAttr());
      if (!function || launch->getNumResults() > 0 || !launch.getAsyncDependencies().empty() ||
          launch.hasClusterSize() || launch.getDynamicSharedMemorySize()) {
        launch.emitOpError("expected a kernel of this module that is waited for, without clusters "
                           "or shared memory")
            << ErrorId::NotLowered;
        return WalkResult::interrupt();
      }
      OpBuilder b(launch);
      SmallVector<Value> operands;
      for (gpu::KernelDim3 sides :
           {launch.getGridSizeOperandValues(), launch.getBlockSizeOperandValues()})
        for (Value side : {sides.x, sides.y, sides.z})
          operands.push_back(
              getValueOrCreateCastToIndexLike(b, launch.getLoc(), b.getIndexType(), side));
      llvm::append_range(operands, launch.getKernelOperands());
      func::CallOp::create(b, launch.getLoc(), function, operands);
      launch.erase();
      return WalkResult::advance();
    });
  }

  llvm::DenseMap<Attribute, func::FuncOp> functions;
};

} // namespace
