//===- LaunchFacts.cpp - What a launch touches, and how large it is -------===//

#include "LaunchFacts.h"
#include "../BufferFacts.h"
#include "../NestFacts.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::lci;

using Touch = LaunchFacts::Touch;

int64_t lci::countAll(const Sides &sides) { return sides[0] * sides[1] * sides[2]; }

/// More blocks than anybody launches.
static constexpr int64_t kMany = int64_t(1) << 30;

static std::optional<Sides> findSides(gpu::KernelDim3 values) {
  Sides sides;
  int64_t all = 1;
  for (auto [side, value] : llvm::zip(sides, std::array{values.x, values.y, values.z})) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 1 || *constant > kMany / all)
      return std::nullopt;
    side = *constant;
    all *= side;
  }
  return sides;
}

/// Whether an operation adds to a whole number, and nobody looks at what it was.
static bool isAddition(Operation *op) {
  auto add = dyn_cast<memref::AtomicRMWOp>(op);
  return add && add.getKind() == arith::AtomicRMWKind::addi && add->use_empty();
}

/// Finds the buffers outside of a launch that one operation in it touches; false if it does not say
/// which.
static bool findTouched(Operation *op, LaunchFacts &facts) {
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || op->hasTrait<OpTrait::IsTerminator>())
    return true; // its operations say it
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> found;
  effects.getEffects(found);
  for (const MemoryEffects::EffectInstance &effect : found) {
    if (isa<MemoryEffects::Allocate, MemoryEffects::Free>(effect.getEffect()))
      continue;
    Value buffer = effect.getValue();
    if (!buffer)
      return false;
    Region *home = rootOf(buffer).getParentRegion();
    if (facts.launch.getBody().isAncestor(home))
      continue; // a thread's own
    bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
    facts.touched.insert({buffer, isAddition(op) ? Touch::Add
                                  : isRead       ? Touch::Read
                                                 : Touch::Write});
  }
  return true;
}

/// How many numbers an operation computes.
static int64_t countNumbers(Operation &op) {
  int64_t most = 1;
  for (Type type : op.getResultTypes())
    if (auto vector = dyn_cast<VectorType>(type))
      most = std::max(most, vector.getNumElements());
  return most;
}

std::optional<LaunchFacts> lci::findFacts(gpu::LaunchOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return std::nullopt;
  LaunchFacts facts;
  facts.launch = launch;
  facts.blocks = findSides(launch.getGridSizeOperandValues());
  facts.threads = findSides(launch.getBlockSizeOperandValues());
  facts.meets = launch.getNumWorkgroupAttributions() > 0;
  WalkResult all = launch.getBody().walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    facts.meets |=
        !isa<gpu::TerminatorOp>(op) && llvm::is_contained({"gpu", "nvgpu", "nvvm"}, dialect);
    facts.work += countNumbers(*op);
    return findTouched(op, facts) ? WalkResult::advance() : WalkResult::interrupt();
  });
  return all.wasInterrupted() ? std::nullopt : std::optional(std::move(facts));
}

bool LaunchFacts::isIndependentOf(const LaunchFacts &other) const {
  return llvm::all_of(touched, [&](auto mine) {
    return llvm::all_of(other.touched, [&](auto its) {
      bool isOneWay = mine.second == its.second && mine.second != Touch::Write;
      return isOneWay || areApart(mine.first, its.first);
    });
  });
}
