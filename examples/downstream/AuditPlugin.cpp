//===- AuditPlugin.cpp - The same passes for lmpm-opt and mlir-opt --------===//

#include "AuditValues.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// The entry point of `--load-pass-plugin`.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Audit", "1", registerAuditPasses};
}
