//===- MergeKernels.cpp - All kernels of a program in one module ----------===//
//
// Upstream outlines each kernel into a module of its own, and each module becomes a PTX file of its
// own. A program is one file, in which every kernel has a name.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::lci {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "LCI/Transforms/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

/// A name as PTX allows it: functions of programs have dots in theirs.
static std::string inPTX(StringRef name) {
  std::string allowed = name.str();
  for (char &letter : allowed)
    if (!llvm::isAlnum(letter) && letter != '_' && letter != '$')
      letter = '_';
  return allowed;
}

namespace {
struct MergeKernels : lci::impl::MergeKernelsPassBase<MergeKernels> {
  using MergeKernelsPassBase::MergeKernelsPassBase;

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules(getOperation().getOps<gpu::GPUModuleOp>());
    if (modules.empty())
      return;
    OpBuilder builder(modules.front());
    auto merged = gpu::GPUModuleOp::create(builder, getOperation().getLoc(), "kernels");
    SymbolTable outer(getOperation()), inner(merged);
    llvm::DenseMap<Attribute, SymbolRefAttr> renamed;
    for (gpu::GPUModuleOp module : modules) {
      for (auto kernel : llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>())) {
        auto old = SymbolRefAttr::get(module.getSymNameAttr(),
                                      {FlatSymbolRefAttr::get(kernel.getNameAttr())});
        kernel->remove();
        kernel.setName(inPTX(kernel.getName()));
        StringAttr name = inner.insert(kernel); // with a number if the name is taken
        renamed[old] = SymbolRefAttr::get(merged.getSymNameAttr(), {FlatSymbolRefAttr::get(name)});
      }
      // What else there is are copies of the host's symbols, of one name one thing.
      for (Operation &shared : llvm::make_early_inc_range(module.getBody()->getOperations()))
        if (auto symbol = dyn_cast<SymbolOpInterface>(shared);
            symbol && !inner.lookup(symbol.getName())) {
          shared.remove();
          inner.insert(&shared, Block::iterator(merged.getBody()->begin()));
        }
      module.erase();
    }
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (SymbolRefAttr now = renamed.lookup(launch.getKernelAttr()))
        launch.setKernelAttr(now);
    });
    numKernels += renamed.size();
  }
};
} // namespace
