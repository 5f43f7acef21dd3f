//===- DescribeArguments.cpp - Alignment and aliasing of kernel arguments -===//
//
// A kernel sees pointers; its launches know which buffers are disjoint, and how they are aligned.
// With these attributes LLVM merges four numbers into one access and moves loads across stores.
//
//===----------------------------------------------------------------------===//

#include "KernelLaunches.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::lci {
#define GEN_PASS_DEF_DESCRIBEARGUMENTSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// Bytes of the widest access. Every device aligns allocations to more.
static constexpr int64_t kAlignment = 16;

/// Whether no other operand of a launch may alias one.
static bool hasNoAlias(gpu::LaunchFuncOp launch, unsigned number) {
  for (auto [other, operand] : llvm::enumerate(launch.getKernelOperands()))
    if (other != number && isa<MemRefType>(operand.getType()) &&
        !areDisjoint(launch.getKernelOperand(number), operand))
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
struct DescribeArguments : mlir::lci::impl::DescribeArgumentsPassBase<DescribeArguments> {
  void runOnOperation() override {
    for (auto &[kernel, all] : findLaunches(getOperation()))
      for (BlockArgument argument : kernel.getArguments().take_front(kernel.getNumArguments()))
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
                      [&](gpu::LaunchFuncOp launch) { return hasNoAlias(launch, number); }))
      return;
    set(LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
    if (isOnlyRead(argument))
      set(LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
    ++numNoAlias;
  }
};
} // namespace
