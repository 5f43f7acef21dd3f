//===- LaunchAccesses.cpp - Accesses and sizes of launches ----------------===//

#include "LaunchAccesses.h"
#include "LCI/Transforms/Support/BufferAliasAnalysis.h"
#include "LCI/Transforms/Support/LinalgUtils.h"
#include "LCI/Transforms/Support/OperationQueries.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::lci;

using Touch = LaunchAccesses::Touch;

/// An upper bound of the blocks of a launch.
static constexpr int64_t kMany = int64_t(1) << 30;

/// The constant sizes of a launch, if they are positive and their product is below the bound.
static std::optional<Sides> findUseful(gpu::KernelDim3 values) {
  std::optional<Sides> sides = findSides(values);
  int64_t all = 1;
  for (int64_t side : sides.value_or(Sides{})) {
    if (side < 1 || side > kMany / all)
      return std::nullopt;
    all *= side;
  }
  return sides;
}

/// The kind of access to a buffer by the operation that has it as an operand.
static Touch touchOf(const MemoryEffects::EffectInstance &effect) {
  auto *operand = effect.getEffectValue<OpOperand *>();
  if (operand && isAddition(operand->getOwner()))
    return Touch::Add;
  return isa<MemoryEffects::Read>(effect.getEffect()) ? Touch::Read : Touch::Write;
}

/// Collects the buffers outside of a launch that it accesses; false if some are unknown.
static bool findTouched(LaunchAccesses &accesses) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(accesses.launch);
  for (const auto &effect : effects.value_or(SmallVector<MemoryEffects::EffectInstance>())) {
    if (isa<MemoryEffects::Allocate, MemoryEffects::Free>(effect.getEffect()))
      continue;
    Value buffer = effect.getValue();
    if (!buffer)
      return false;
    bool isLocal = accesses.launch.getBody().isAncestor(rootOf(buffer).getParentRegion());
    if (!isLocal)
      accesses.touched.insert({buffer, touchOf(effect)});
  }
  return effects.has_value();
}

/// The number of elements that an operation computes.
static int64_t countNumbers(Operation &op) {
  int64_t most = 1;
  for (Type type : op.getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      most = std::max(most, vector.getNumElements());
  return most;
}

std::optional<LaunchAccesses> mlir::lci::findAccesses(gpu::LaunchOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return std::nullopt;
  LaunchAccesses accesses;
  accesses.launch = launch;
  accesses.blocks = findUseful(launch.getGridSizeOperandValues());
  accesses.threads = findUseful(launch.getBlockSizeOperandValues());
  accesses.synchronizes = launch.getNumWorkgroupAttributions() > 0;
  launch.getBody().walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    accesses.synchronizes |=
        !isa<gpu::TerminatorOp>(op) && llvm::is_contained({"gpu", "nvgpu", "nvvm"}, dialect);
    accesses.work += countNumbers(*op);
  });
  return findTouched(accesses) ? std::optional(std::move(accesses)) : std::nullopt;
}

bool LaunchAccesses::isIndependentOf(const LaunchAccesses &other) const {
  return llvm::all_of(touched, [&](auto mine) {
    return llvm::all_of(other.touched, [&](auto its) {
      bool isOneWay = mine.second == its.second && mine.second != Touch::Write;
      return isOneWay || areDisjoint(mine.first, its.first);
    });
  });
}
