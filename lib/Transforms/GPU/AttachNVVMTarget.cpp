//===- AttachNVVMTarget.cpp - The module's target as NVVM's ---------------===//
//
// Upstream's `nvvm-attach-target` takes chip and features as options of the pipeline; here they are
// the module's.
//
//===----------------------------------------------------------------------===//

#include "LCI/Dialect/LCIDialect.h"
#include "LCI/Transforms/GPU/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::lci {
#define GEN_PASS_DEF_ATTACHNVVMTARGETPASS
#include "LCI/Transforms/GPU/Passes.h.inc"
} // namespace mlir::lci

using namespace mlir;
using namespace mlir::lci;

namespace {
struct AttachNVVMTarget : mlir::lci::impl::AttachNVVMTargetPassBase<AttachNVVMTarget> {
  using AttachNVVMTargetPassBase::AttachNVVMTargetPassBase;

  /// Chip and PTX version are always given: upstream's defaults are incompatible with each other.
  void runOnOperation() override {
    constexpr int optimizeMost = 3;
    GPUTarget gpu = getGPUTarget(getOperation());
    StringRef said = gpu.features;
    std::string features = said.empty() ? ptxVersionFor(gpu.chip) : said.str();
    Attribute target = NVVM::NVVMTargetAttr::get(&getContext(), optimizeMost, "nvptx64-nvidia-cuda",
                                                 gpu.chip, features);
    getOperation().setTargetsAttr(ArrayAttr::get(&getContext(), target));
  }
};
} // namespace
