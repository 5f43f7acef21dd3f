//===- DescribeArguments.cpp - What kernels may know of their buffers -----===//
//
// A kernel sees pointers; its launches know more: which buffers lie apart, and how they are
// aligned. With that LLVM takes four numbers in one access and lets loads pass stores.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_DESCRIBEARGUMENTSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Bytes of the widest access. Every device aligns what it allocates to more.
static constexpr int64_t kAlignment = 16;

/// The loop that carries a buffer, if what it carries of buffers only changes places; else null.
static scf::ForOp getExchange(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
  if (!loop)
    return nullptr;
  llvm::SmallDenseSet<Value> yielded;
  for (Value next : loop.getYieldedValues()) {
    if (!isa<MemRefType>(next.getType()))
      continue;
    auto carried = dyn_cast<BlockArgument>(next);
    if (!carried || carried.getOwner() != loop.getBody() || !yielded.insert(next).second)
      return nullptr;
  }
  return loop;
}

/// The buffers that a loop begins with.
static SmallVector<Value> initialBuffers(scf::ForOp loop) {
  return llvm::filter_to_vector(loop.getInits(),
                                [](Value init) { return isa<MemRefType>(init.getType()); });
}

/// Where a buffer of the host's side may come from; none if that is not known.
static SmallVector<Value> sourcesOf(Value buffer) {
  SmallVector<Value> choices, sources;
  if (auto choice = buffer.getDefiningOp<arith::SelectOp>())
    choices = {choice.getTrueValue(), choice.getFalseValue()};
  else if (scf::ForOp loop = getExchange(buffer))
    choices = initialBuffers(loop);
  for (Value choice : choices) {
    SmallVector<Value> found = sourcesOf(choice);
    if (found.empty())
      return {};
    llvm::append_range(sources, found);
  }
  auto argument = dyn_cast<BlockArgument>(buffer);
  auto function = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : nullptr;
  bool isApart = function && function.getArgAttr(argument.getArgNumber(),
                                                 LLVM::LLVMDialect::getNoAliasAttrName());
  if (buffer.getDefiningOp<memref::AllocOp>() || isApart)
    sources.push_back(buffer);
  return sources;
}

/// Whether two buffers are never one.
static bool lieApart(Value left, Value right) {
  scf::ForOp loop = getExchange(left);
  if (loop &&
      loop == getExchange(right)) { // they change places, and stay as different as they were
    SmallVector<Value> inits = initialBuffers(loop);
    return left != right && llvm::all_of(llvm::enumerate(inits), [&](auto first) {
             return llvm::all_of(ArrayRef(inits).drop_front(first.index() + 1),
                                 [&](Value second) { return lieApart(first.value(), second); });
           });
  }
  SmallVector<Value> mine = sourcesOf(left), theirs = sourcesOf(right);
  return !mine.empty() && !theirs.empty() &&
         llvm::none_of(theirs, [&](Value source) { return llvm::is_contained(mine, source); });
}

/// Whether no other operand of a launch may be the same buffer.
static bool liesApart(gpu::LaunchFuncOp launch, unsigned number) {
  for (auto [other, operand] : llvm::enumerate(launch.getKernelOperands()))
    if (other != number && isa<MemRefType>(operand.getType()) &&
        !lieApart(launch.getKernelOperand(number), operand))
      return false;
  return true;
}

/// Whether a kernel only loads from a buffer.
static bool isOnlyRead(BlockArgument argument) {
  return llvm::all_of(argument.getUsers(), [&](Operation *user) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    return effects && effects.onlyHasEffect<MemoryEffects::Read>();
  });
}

namespace {
struct DescribeArguments : lci::impl::DescribeArgumentsPassBase<DescribeArguments> {
  void runOnOperation() override {
    llvm::MapVector<gpu::GPUFuncOp, SmallVector<gpu::LaunchFuncOp>> launches;
    SymbolTableCollection symbols;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
      if (kernel)
        launches[kernel].push_back(launch);
    });
    for (auto &[kernel, all] : launches)
      for (BlockArgument argument : kernel.getArguments())
        if (auto type = dyn_cast<MemRefType>(argument.getType()))
          if (type.getLayout().isIdentity())
            describe(kernel, argument, all);
  }

private:
  void describe(gpu::GPUFuncOp kernel, BlockArgument argument,
                ArrayRef<gpu::LaunchFuncOp> launches) {
    Builder b(&getContext());
    unsigned number = argument.getArgNumber();
    auto set = [&](StringRef name, Attribute value) {
      function_interface_impl::setArgAttr(kernel, number, b.getStringAttr(name), value);
    };
    set(LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(kAlignment));
    if (!llvm::all_of(launches,
                      [&](gpu::LaunchFuncOp launch) { return liesApart(launch, number); }))
      return;
    set(LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    if (isOnlyRead(argument))
      set(LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
    ++numApart;
  }
};
} // namespace
