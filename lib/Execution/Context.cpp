//===- Context.cpp - Register dialects and interfaces to compile ----------===//

#include "LCI/Execution/Compile.h"
#include "LCI/Pipelines/Interfaces.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"

using namespace mlir;

void mlir::lci::prepareContext(MLIRContext &context) {
  DialectRegistry registry;
  registerBufferInterfaces(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
  context.appendDialectRegistry(registry);
}

void mlir::lci::prepareContextForPTX(MLIRContext &context) {
  DialectRegistry registry;
  registerKernelInterfaces(registry);
  context.appendDialectRegistry(registry);
}
