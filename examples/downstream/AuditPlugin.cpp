//===- AuditPlugin.cpp - The same passes for lmpm-opt and mlir-opt --------===//

#include "AuditValues.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// What `--load-pass-plugin` calls.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Audit", "1", registerAuditPasses};
}
