//===- Targets.cpp - What the code of a module is compiled for ------------===//
//
// The chips that kernels can be compiled for, the verifiers of the two attributes, and their lookup
// from an operation outwards.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/Targets.h"
#include "LCI/Dialect/LCIDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::lci;

//===----------------------------------------------------------------------===//
// Chips
//===----------------------------------------------------------------------===//

namespace {
struct Chip {
  StringRef name;
  unsigned version; ///< of PTX
};
} // namespace

/// As in LLVM's list of processors; at least PTX 8.0, which has everything that kernels use.
static constexpr Chip kChips[] = {
    {"sm_75", 80},   {"sm_80", 80},   {"sm_86", 80},   {"sm_87", 80},   {"sm_88", 90},
    {"sm_89", 80},   {"sm_90", 80},   {"sm_90a", 80},  {"sm_100", 86},  {"sm_100a", 86},
    {"sm_100f", 88}, {"sm_101", 86},  {"sm_101a", 86}, {"sm_101f", 88}, {"sm_103", 88},
    {"sm_103a", 88}, {"sm_103f", 88}, {"sm_110", 90},  {"sm_110a", 90}, {"sm_110f", 90},
    {"sm_120", 87},  {"sm_120a", 87}, {"sm_120f", 88}, {"sm_121", 88},  {"sm_121a", 88},
    {"sm_121f", 88}};

std::string mlir::lci::ptxVersionFor(StringRef chip) {
  const Chip *known = llvm::find_if(kChips, [&](const Chip &each) { return each.name == chip; });
  return known == std::end(kChips) ? "" : "+ptx" + std::to_string(known->version);
}

bool mlir::lci::isFromSM80(StringRef chip) { return chip != "sm_75"; }

std::string mlir::lci::findChipProblem(StringRef chip, bool tf32) {
  auto names = llvm::map_range(kChips, [](const Chip &known) { return known.name; });
  if (ptxVersionFor(chip).empty())
    return ("expected a chip that the compiler knows (" + llvm::join(names, ", ") + "), but got '" +
            chip + "'")
        .str();
  if (tf32 && !isFromSM80(chip))
    return ("expected a chip from sm_80 on, whose tensor cores know TF32, but got '" + chip + "'")
        .str();
  return "";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult verifyRange(EmitError emitError, StringRef name, int64_t number,
                                 int64_t most) {
  if (number >= 1 && number <= most)
    return success();
  return emitError() << ErrorId::InvalidAttribute << "expected '" << name << "' from 1 to " << most
                     << ", but got " << number;
}

LogicalResult CPUTargetAttr::verify(EmitError emitError, int64_t vectorBits,
                                    int64_t vectorRegisters, int64_t threads) {
  constexpr int64_t bitsOfNumber = 32;
  if (vectorBits < bitsOfNumber || vectorBits > kMaxVectorBits)
    return emitError() << ErrorId::InvalidAttribute << "expected 'vector_bits' from "
                       << bitsOfNumber << " to " << kMaxVectorBits << ", but got " << vectorBits;
  return failure(
      failed(verifyRange(emitError, "vector_registers", vectorRegisters, kMaxVectorRegisters)) ||
      failed(verifyRange(emitError, "threads", threads, kMaxThreads)));
}

LogicalResult GPUTargetAttr::verify(EmitError emitError, StringRef chip, StringRef /*features*/,
                                    int64_t blockThreads, int64_t multiprocessors, bool tf32) {
  if (std::string problem = findChipProblem(chip, tf32); !problem.empty())
    return emitError() << ErrorId::WrongMachine << problem;
  return failure(
      failed(verifyRange(emitError, "block_threads", blockThreads, kMaxBlockThreads)) ||
      failed(verifyRange(emitError, "multiprocessors", multiprocessors, kMaxMultiprocessors)));
}

//===----------------------------------------------------------------------===//
// Lookup
//===----------------------------------------------------------------------===//

static Attribute findTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (Attribute target = op->getDiscardableAttr(kTarget))
      return target;
  return {};
}

bool mlir::lci::isForGPU(Operation *op) { return isa_and_nonnull<GPUTargetAttr>(findTarget(op)); }

CPUTarget mlir::lci::getCPUTarget(Operation *op) {
  auto said = dyn_cast_or_null<CPUTargetAttr>(findTarget(op));
  if (!said)
    return {};
  return {said.getVectorBits(), said.getVectorRegisters(), said.getThreads()};
}

GPUTarget mlir::lci::getGPUTarget(Operation *op) {
  auto said = dyn_cast_or_null<GPUTargetAttr>(findTarget(op));
  if (!said)
    return {};
  return {said.getChip(), said.getFeatures(), said.getBlockThreads(), said.getMultiprocessors(),
          said.getTf32()};
}

//===----------------------------------------------------------------------===//
// Setting
//===----------------------------------------------------------------------===//

template <typename TargetAttr, typename... Parameters>
static LogicalResult set(ModuleOp module, Parameters... parameters) {
  module.getContext()->getOrLoadDialect<LCIDialect>();
  auto target = TargetAttr::getChecked(mlir::detail::getDefaultDiagnosticEmitFn(module.getLoc()),
                                       module.getContext(), parameters...);
  if (target)
    module->setDiscardableAttr(kTarget, target);
  return success(target != nullptr);
}

LogicalResult mlir::lci::setTarget(ModuleOp module, const CPUTarget &target) {
  return set<CPUTargetAttr>(module, target.vectorBits, target.vectorRegisters, target.threads);
}

LogicalResult mlir::lci::setTarget(ModuleOp module, const GPUTarget &target) {
  return set<GPUTargetAttr>(module, target.chip, target.features, target.blockThreads,
                            target.multiprocessors, target.tf32);
}

LogicalResult mlir::lci::setCPUTarget(ModuleOp module, int64_t vectorBits, int64_t vectorRegisters,
                                      int64_t threads) {
  return setTarget(module, CPUTarget{vectorBits, vectorRegisters,
                                     threads == 1 ? getCPUTarget(module).threads : threads});
}
