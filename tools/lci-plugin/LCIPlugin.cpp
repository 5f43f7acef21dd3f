//===- LCIPlugin.cpp - The dialect and passes for a stock mlir-opt --------===//
//
// The two entry points that an unmodified `mlir-opt --load-dialect-plugin --load-pass-plugin` looks
// up in a shared library.
//
//===----------------------------------------------------------------------===//

#include "LCI/InitAllDialects.h"
#include "LCI/InitAllPasses.h"
#include "LCI/Version.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

/// The entry point of `--load-dialect-plugin`.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "LCI", LCI_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { mlir::lci::registerAllDialects(*registry); }};
}

/// The entry point of `--load-pass-plugin`.
extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "LCI", LCI_VERSION_STRING,
          [] { mlir::lci::registerAllPasses(); }};
}
