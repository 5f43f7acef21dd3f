//===- MergeKernels.cpp - Merge all kernels into one gpu.module -----------===//
//
// Upstream outlines each kernel into a separate module, and each module becomes a separate PTX
// file. A program is one file with distinct names. Phases of a schedule run the same kernels on
// other buffers: those are compiled once.
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

/// A name with the characters that PTX allows: functions of programs have dots in theirs.
static std::string inPTX(StringRef name) {
  std::string allowed = name.str();
  for (char &letter : allowed)
    if (!llvm::isAlnum(letter) && letter != '_' && letter != '$')
      letter = '_';
  return allowed;
}

/// The attributes of a kernel except its name.
static DictionaryAttr getTraits(gpu::GPUFuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

namespace {
/// Kernels without duplicates.
class DistinctKernels {
public:
  /// The kernel that replaces one: itself if no equal one is known yet.
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
  /// Hashes operations in their order, without operands: kernels with equal hashes are most likely
  /// equal.
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

struct MergeKernels : mlir::lci::impl::MergeKernelsPassBase<MergeKernels> {
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
          inner.insert(kernel); // renamed if the name is taken
          ++numKernels;
        } else {
          kernel.erase();
          ++numEqual;
        }
        renamed[old] = SymbolRefAttr::get(merged.getSymNameAttr(),
                                          {FlatSymbolRefAttr::get(same.getNameAttr())});
      }
      // Other symbols are copies of the host's: those of one name are equal.
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
