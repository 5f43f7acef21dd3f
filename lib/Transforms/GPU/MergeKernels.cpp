//===- MergeKernels.cpp - All kernels of a program in one module ----------===//
//
// Upstream outlines each kernel into a module of its own, and each module becomes a PTX file of its
// own. A program is one file, in which every kernel has a name. Phases of a schedule run the same
// kernels on other buffers: those are compiled once.
//
//===----------------------------------------------------------------------===//

#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::lci {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
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

/// What there is to a kernel but its name and its body.
static DictionaryAttr getTraits(gpu::GPUFuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

namespace {
/// Kernels, of equals the first one.
class DistinctKernels {
public:
  /// The kernel to take in place of one: itself if there is no such one yet.
  gpu::GPUFuncOp insert(gpu::GPUFuncOp kernel) {
    SmallVector<gpu::GPUFuncOp> &alike = kernels[hash(kernel)];
    auto *known = llvm::find_if(alike, [&](gpu::GPUFuncOp other) {
      return getTraits(kernel) == getTraits(other) &&
             OperationEquivalence::isRegionEquivalentTo(&kernel.getBody(), &other.getBody(),
                                                        OperationEquivalence::IgnoreLocations);
    });
    if (known != alike.end())
      return *known;
    alike.push_back(kernel);
    return kernel;
  }

private:
  /// Of operations in their order, whatever they take: where that agrees, most likely all does.
  static llvm::hash_code hash(gpu::GPUFuncOp kernel) {
    llvm::hash_code hash = mlir::hash_value(getTraits(kernel));
    kernel.getBody().walk([&](Operation *op) {
      hash = llvm::hash_combine(
          hash, OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::IgnoreLocations));
    });
    return hash;
  }

  llvm::DenseMap<size_t, SmallVector<gpu::GPUFuncOp>> kernels;
};

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
    DistinctKernels distinct;
    for (gpu::GPUModuleOp module : modules) {
      for (auto kernel : llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>())) {
        auto old = SymbolRefAttr::get(module.getSymNameAttr(),
                                      {FlatSymbolRefAttr::get(kernel.getNameAttr())});
        gpu::GPUFuncOp same = distinct.insert(kernel);
        if (same == kernel) {
          kernel->remove();
          kernel.setName(inPTX(kernel.getName()));
          inner.insert(kernel); // with a number if the name is taken
          ++numKernels;
        } else {
          kernel.erase();
          ++numEqual;
        }
        renamed[old] = SymbolRefAttr::get(merged.getSymNameAttr(),
                                          {FlatSymbolRefAttr::get(same.getNameAttr())});
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
  }
};
} // namespace
