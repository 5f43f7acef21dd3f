//===- MergeFunctions.cpp - Keep one of several equal functions -----------===//

#include "LCI/Pipelines/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::lci {
#define GEN_PASS_DEF_MERGEFUNCTIONSPASS
#include "LCI/Pipelines/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
/// Functions are the same if they differ only in their names.
struct SameFunction : DenseMapInfo<func::FuncOp> {
  static DictionaryAttr withoutName(func::FuncOp function) {
    NamedAttrList attributes(function->getAttrDictionary());
    attributes.erase(function.getSymNameAttrName());
    return attributes.getDictionary(function.getContext());
  }
  static unsigned getHashValue(func::FuncOp function) {
    llvm::hash_code hash = llvm::hash_value(withoutName(function).getAsOpaquePointer());
    function.getBody().walk([&](Operation *op) {
      hash = llvm::hash_combine(
          hash, OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::IgnoreLocations));
    });
    return hash;
  }
  static bool isEqual(func::FuncOp left, func::FuncOp right) {
    if (left == right)
      return true;
    if (left == getTombstoneKey() || left == getEmptyKey() || right == getTombstoneKey() ||
        right == getEmptyKey())
      return false;
    return withoutName(left) == withoutName(right) &&
           OperationEquivalence::isRegionEquivalentTo(&left.getBody(), &right.getBody(),
                                                      OperationEquivalence::IgnoreLocations);
  }
};

struct MergeFunctionsPass : mlir::lci::impl::MergeFunctionsPassBase<MergeFunctionsPass> {
  using MergeFunctionsPassBase::MergeFunctionsPassBase;

  /// Merging functions may make their callers equal, so it repeats until nothing is merged.
  void runOnOperation() override {
    while (mergeEqual()) {
    }
  }

private:
  bool mergeEqual() {
    ModuleOp module = getOperation();
    DenseSet<func::FuncOp, SameFunction> first;
    DenseMap<StringAttr, FlatSymbolRefAttr> others;
    SmallVector<func::FuncOp> merged;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function.isPrivate() || function.isExternal())
        continue;
      auto [same, isFirst] = first.insert(function);
      if (isFirst)
        continue;
      others[function.getSymNameAttr()] = FlatSymbolRefAttr::get((*same).getSymNameAttr());
      merged.push_back(function);
    }
    redirect(module, others);
    for (func::FuncOp function : merged)
      function.erase();
    numMerged += merged.size();
    return !merged.empty();
  }

  static void redirect(ModuleOp module, const DenseMap<StringAttr, FlatSymbolRefAttr> &others) {
    if (others.empty())
      return;
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](FlatSymbolRefAttr name) -> std::optional<Attribute> {
      auto other = others.find(name.getAttr());
      return other == others.end() ? std::nullopt : std::optional<Attribute>(other->second);
    });
    for (Operation &op : *module.getBody())
      replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true);
  }
};
} // namespace
