//===- LLVMPipeline.cpp - From linalg on buffers to the llvm dialect ------===//

#include "LCI/Pipelines/Pipelines.h"
#include "LCI/Transforms/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::lci;

void lci::buildLLVMPipeline(OpPassManager &manager, const LLVMPipelineOptions &) {
  // 1. Sums over many cells in registers; else one loop nest for each linalg operation, of which
  // LLVM
  //    vectorises the innermost loop.
  manager.addNestedPass<func::FuncOp>(createBlockProductsPass());
  manager.addNestedPass<func::FuncOp>(createLinalgToLoopsPass());
  manager.addNestedPass<func::FuncOp>(createNarrowCountersPass());
  // 2. Views become index arithmetic on the buffers themselves.
  manager.addPass(memref::createFoldMemRefAliasOpsPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // Cut loops where the group of cells that shares a block of random bits changes; code motion then
  // takes the block out of the inner loop.
  manager.addPass(createGroupDrawsPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
  // 3. Loops to branches, what is left of views and maps to arithmetic. Upstream's `arith-expand`
  //    and `math-expand-ops` stay away: they turn maximumf and fma into something else.
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  // 4. To LLVM. A buffer of static shape is one pointer, so that `llvm.noalias` stays on it.
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertIndexToLLVMPass());
  ConvertFuncToLLVMPassOptions functions;
  functions.useBarePtrCallConv = true;
  manager.addPass(createConvertFuncToLLVMPass(functions));
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  // 5. LLVM IR would warn about every attribute that it does not know.
  manager.addPass(createStripInterfacePass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}
